"""Single keys of a person at a terminal; without one, the first letter of each line of standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

try:
    import termios
    import tty
except ImportError:  # Windows, where a key needs no preparation
    termios = None  # type: ignore[assignment]

_END = ("", "\x03", "\x04", "\x1a")
"""Nothing any more, and what Ctrl-C, Ctrl-D and Ctrl-Z send where the terminal hands them on."""


class Keys:
    """Where keys come from, for as long as `held` lasts: the terminal gives each key at once, and shows none."""

    @contextmanager
    def held(self) -> Iterator[None]:
        """Take the terminal's keys one by one; it is as it was before when this ends, however it ends."""
        if termios is None or not sys.stdin.isatty():
            yield
            return
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        _take(descriptor)
        try:
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    @contextmanager
    def released(self) -> Iterator[None]:
        """Leave the terminal to another program, in the middle of `held`."""
        if termios is None or not sys.stdin.isatty():
            yield
            return
        descriptor = sys.stdin.fileno()
        held = termios.tcgetattr(descriptor)
        held[3] |= termios.ICANON | termios.ECHO | termios.ISIG
        termios.tcsetattr(descriptor, termios.TCSADRAIN, held)
        try:
            yield
        finally:
            _take(descriptor)

    def forget(self) -> None:
        """Drop the keys that were pressed before this: what they would decide is not on the screen yet."""
        if termios is not None and sys.stdin.isatty():
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def next(self) -> str:
        """The next key, lower case; empty when there will be none. A cursor key and the like is no letter: `?`."""
        try:
            pressed = self._pressed()
        except (EOFError, KeyboardInterrupt):
            return ""
        if pressed in _END:
            return ""
        return "?" if pressed.startswith("\x1b") else pressed[0].lower()

    def _pressed(self) -> str:
        if not sys.stdin.isatty():
            line = next((line.strip() for line in sys.stdin if line.strip()), "")
            return line[:1]
        if termios is None:
            return click.getchar()
        return os.read(sys.stdin.fileno(), 32).decode("utf-8", "replace")


def _take(descriptor: int) -> None:
    """Have each key at once, Ctrl-C among them: as a signal it could end the program in the middle of a decision."""
    tty.setcbreak(descriptor, termios.TCSANOW)
    mode = termios.tcgetattr(descriptor)
    mode[3] &= ~termios.ISIG
    termios.tcsetattr(descriptor, termios.TCSANOW, mode)
