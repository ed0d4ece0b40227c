"""Sentences as teams write them of a passage, and their twins that are wrong by one small change."""

from __future__ import annotations

import pytest

from benchmarks.labelled import judge

OPTIONS = """Option | Default | Description
max_age | 30 days | How long a report is kept
retries | 3 | Number of attempts before a job fails
color | auto | Color of the output"""
PLANS = """Plan | Free | Team
Projects | 3 | 50
Storage | 1 GB | 100 GB
Support | forum | email"""

RIGHT = [
    ("The default timeout is 30 seconds.", "By default, the timeout is 30 seconds.", ""),
    ("The default timeout is 30 seconds.", "The timeout is 30 seconds by default.", ""),
    ("The default timeout is 30 seconds.", "The timeout defaults to 30 seconds.", ""),
    ("The timeout defaults to 30 seconds.", "The default timeout is half a minute.", ""),
    ("You can set the timeout with `--timeout`.", "Use `--timeout` to set the timeout.", ""),
    ("You can set the timeout with `--timeout`.", "The timeout can be set with `--timeout`.", ""),
    ("Use `--timeout` to set the timeout.", "You can set the timeout with `--timeout`.", ""),
    (
        "Use `--timeout` to change how long the client waits.",
        "With `--timeout` you change how long the client waits.",
        "",
    ),
    ("Reports are kept for 90 days.", "We keep reports for 90 days.", ""),
    ("Reports are deleted after 90 days.", "After 90 days, reports are deleted.", ""),
    ("Reports are deleted after 90 days.", "Reports are removed after 90 days.", ""),
    (
        "The export includes attachments.",
        "Yes. The export includes attachments.",
        "Does the export include attachments?",
    ),
    (
        "The export includes attachments.",
        "Yes, attachments are included in the export.",
        "Does the export include attachments?",
    ),
    ("The export includes attachments.", "Yes, it includes attachments.", "Does the export include attachments?"),
    (
        "The export does not include attachments.",
        "No, the export does not include attachments.",
        "Does the export include attachments?",
    ),
    (
        "The export does not include attachments.",
        "No. Attachments are not included in the export.",
        "Does the export include attachments?",
    ),
    ("Windows is not supported.", "No, Windows is not supported.", "Does it run on Windows?"),
    (
        "The server runs on Linux and macOS.",
        "Yes, the server runs on Linux and macOS.",
        "Does the server run on macOS?",
    ),
    ("The server runs on Linux and macOS.", "The server runs on macOS and Linux.", ""),
    ("Yes, you can rename a project at any time.", "You can rename a project at any time.", ""),
    ("A project can be renamed at any time.", "You can rename a project at any time.", ""),
    ("A project can be renamed at any time.", "Yes, you can rename a project at any time.", "Can I rename a project?"),
    (
        "You can rename a project at any time.",
        "Yes, a project can be renamed at any time.",
        "Can I rename a project later?",
    ),
    ("Keys expire after one year.", "A key expires after 12 months.", ""),
    ("Only owners can delete a project.", "Only an owner can delete a project.", ""),
    ("Backups are encrypted with AES-256.", "Backups are encrypted using AES-256.", ""),
    ("Backups are encrypted with AES-256.", "We encrypt backups with AES-256.", ""),
    ("The free plan allows 3 projects.", "On the free plan, you can have 3 projects.", ""),
    ("The command requires Python 3.9 or newer.", "The command needs at least Python 3.9.", ""),
    ("The configuration is read from `app.toml`.", "It reads the configuration from `app.toml`.", ""),
    (OPTIONS, "max_age is 30 days by default.", ""),
    (OPTIONS, "By default, max_age is 30 days.", ""),
    (OPTIONS, "`max_age` defaults to 30 days.", ""),
    (OPTIONS, "The default of max_age is 30 days.", ""),
    (OPTIONS, "The option max_age has a default of 30 days.", ""),
    (OPTIONS, "The default value of `retries` is 3.", ""),
    (OPTIONS, "`retries` is set to 3 by default.", ""),
    (OPTIONS, "`retries` is the number of attempts before a job fails.", ""),
    (OPTIONS, "retries sets the number of attempts before a job fails, 3 by default.", ""),
    (PLANS, "The Team plan has 100 GB of storage.", ""),
    (PLANS, "With the Free plan you get 1 GB of storage.", ""),
    (PLANS, "On the Team plan, you can have 50 projects.", ""),
    (PLANS, "Support on the Team plan is by email.", ""),
    (
        "If the disk is full, the server stops accepting uploads.",
        "The server stops accepting uploads if the disk is full.",
        "",
    ),
    ("Before you upgrade, make a backup.", "Make a backup before you upgrade.", ""),
    ("Before you upgrade, make a backup.", "You should make a backup before you upgrade.", ""),
    ("Before you upgrade, make a backup.", "Make a backup before upgrading.", ""),
    ("The service is not available in China.", "The service isn't available in China.", ""),
    ("To restart the server, run `app restart`.", "Run `app restart` to restart the server.", ""),
    ("To restart the server, run `app restart`.", "You restart the server with `app restart`.", ""),
]
"""Passage, claim, question."""
WRONG = [
    ("The default timeout is 30 seconds.", "The maximum timeout is 30 seconds.", ""),
    ("Use `--timeout` to set the timeout.", "Use `--timeout` to remove the timeout.", ""),
    ("Reports are kept for 90 days.", "Reports are deleted for 90 days.", ""),
    ("Reports are deleted after 90 days.", "Reports are deleted 90 days before.", ""),
    (
        "The export does not include attachments.",
        "Yes, the export includes attachments.",
        "Does the export include attachments?",
    ),
    (
        "The export includes attachments.",
        "No, the export includes attachments.",
        "Does the export include attachments?",
    ),
    ("The server runs on Linux and macOS.", "The server runs only on macOS.", ""),
    ("Only owners can delete a project.", "Owners can only delete a project.", ""),
    ("The free plan allows up to 3 projects.", "The free plan allows at least 3 projects.", ""),
    ("The maximum file size is 100 MB.", "Files must be at least 100 MB.", ""),
    (OPTIONS, "`retries` defaults to 30.", ""),
    (OPTIONS, "`color` is 3 by default.", ""),
    (OPTIONS, "max_age is 30 days at most.", ""),
    (OPTIONS, "`max_age` is the number of attempts before a job fails.", ""),
    (PLANS, "The Free plan has 100 GB of storage.", ""),
    (PLANS, "The Free plan includes 50 projects, the Team plan 3.", ""),
    (PLANS, "Support on the Free plan is by email.", ""),
    ("If the disk is full, the server stops accepting uploads.", "The server stops accepting uploads.", ""),
    ("Before you upgrade, make a backup.", "Make a backup after you upgrade.", ""),
    ("Before you upgrade, make a backup.", "Upgrade before you make a backup.", ""),
    ("To restart the server, run `app restart`.", "To stop the server, run `app restart`.", ""),
    ("The export includes attachments.", "Attachments include the export.", ""),
    ("The export includes attachments.", "The export is included in attachments.", ""),
    ("The server calls the client.", "The server is called by the client.", ""),
    ("The client calls the server.", "The client is called by the server.", ""),
    ("The proxy is in the gateway.", "The gateway is in the proxy.", ""),
    (
        "Keys are encrypted by the client with the server key.",
        "Keys are encrypted by the server with the client key.",
        "",
    ),
    ("Use --force to keep the lock.", "Use --force to delete the lock.", ""),
    ("Use --lock to delete the force.", "You can delete the lock with --force.", ""),
    ("Use --force to delete the lock.", "Use the lock to delete --force.", ""),
    ("Run upgrade to migrate.", "Run migrate to upgrade.", ""),
    ("Backups run on Windows only with the agent.", "You can run backups on Windows.", ""),
    ("The project cannot be exported.", "It can be exported.", ""),
    ("A report is deleted by an owner when it expires.", "A report can be deleted by an owner.", ""),
    ("Admins cannot rename projects.", "Admins can rename projects.", ""),
    ("Before you upgrade, make a backup.", "You should make a backup after you upgrade.", ""),
    ("Never make a backup before you upgrade.", "You should make a backup before you upgrade.", ""),
    (
        "Logs are kept for 30 days and metrics are kept by default for 90 days.",
        "By default, logs are kept for 30 days and metrics for 90 days.",
        "",
    ),
    ("The color is red and the default size is large.", "The default color is red and the size is large.", ""),
    ("The size is large; the default of the color is red.", "The default of the size is large; the color is red.", ""),
    ("If A stops, B fails.", "If B fails, A stops.", ""),
    ("B fails if A stops.", "A stops if B fails.", ""),
    ("The proxy restarts the agent if the check fails.", "The agent restarts the proxy if the check fails.", ""),
    ("The agent restarts the proxy if the check fails.", "If the check fails, the proxy restarts the agent.", ""),
    (
        "Archives are kept and reports are deleted after 90 days.",
        "After 90 days, archives are deleted and reports are kept.",
        "",
    ),
    (
        "The files of the staging area are locked in the archive.",
        "In the staging area, the files of the archive are locked.",
        "",
    ),
    ("The editor converts HTML to Markdown.", "The editor converts Markdown to HTML.", ""),
    ("Markdown is converted to HTML.", "HTML is converted to Markdown.", ""),
    ("The secondary replicates to the primary.", "The primary replicates to the secondary.", ""),
    ("The file b.toml overrides a.toml.", "The file a.toml overrides b.toml.", ""),
    ("a.toml overrides b.toml.", "a.toml is overridden by b.toml.", ""),
    ("Backups of the client are stored on the server.", "Backups of the server are stored on the client.", ""),
    ("With agents, servers are managed by the client.", "With the client, servers are managed by agents.", ""),
    (
        "The server runs on Windows and Linux needs an agent.",
        "The server runs on Linux and Windows needs an agent.",
        "",
    ),
    ("The order is beta, alpha, gamma.", "The order is alpha, beta, gamma.", ""),
    ("The priority is environment, CLI, file.", "The priority is CLI, environment, file.", ""),
    ("Some users may read it.", "All users may read it.", ""),
    ("Owners keep reports for 90 days.", "Reports keep owners for 90 days.", ""),
    ("Owners keep reports for 90 days.", "Owners are kept by reports for 90 days.", ""),
    ("Owners are kept by reports for 90 days.", "Reports are kept by owners for 90 days.", ""),
    ("Use --none to keep backups from being turned off.", "You can turn backups off with --none.", ""),
    ("The cache is cleared while no jobs run.", "The cache can be cleared while jobs run.", ""),
    ("The archive includes everything but the logs.", "It includes the logs.", ""),
    ("You need a server to run the agent with Windows.", "You need an agent to run the server with Windows.", ""),
    ("The token is sent with uploads to the server.", "Uploads are sent with the token to the server.", ""),
    ("The token is replaced by the password.", "The token replaces the password.", ""),
    ("The token is replaced by the password.", "The password is replaced by the token.", ""),
    ("The lock waits for the job.", "The job waits for the lock.", ""),
    ("Logs go by default from the collector to the agent.", "Logs go from the agent to the collector by default.", ""),
    ("The theme depends on the plugin.", "The plugin depends on the theme.", ""),
    ("The value of the retries limits the timeout.", "The value of the timeout limits the retries.", ""),
    ("Members of the project own the group.", "Members of the group own the project.", ""),
    ("Groups are owned by projects.", "Projects are owned by groups.", ""),
    (
        "The server stops automatically when the agent restarts.",
        "Automatically, the server restarts when the agent stops.",
        "",
    ),
    ("Labels override tags, names override labels.", "Tags override labels, labels override names.", ""),
    (
        "On Windows, the path is absolute; on Linux, it is relative.",
        "On Linux, the path is absolute; on Windows, it is relative.",
        "",
    ),
    ("Use B for reads, and A for writes.", "Use A for reads, and B for writes.", ""),
    ("In mode B, the lock is held; in mode A, it is free.", "In mode A, the lock is held; in mode B, it is free.", ""),
    ("The server flushes the cache after the backup.", "Before the backup, the server flushes the cache.", ""),
    ("The backups are deleted with their project.", "The project is deleted with its backups.", ""),
    ("The name of the log is in the file.", "The name of the file is in the log.", ""),
    ("The server is asked for the client.", "The client asks the server.", ""),
    ("The job runs in mode A. The lock is held by the agent.", "In mode A, the lock is held by the agent.", ""),
    ("The lock is removed. The queue is emptied with --force.", "With --force, the lock is removed.", ""),
    ("The lock is held. The queue is empty by default.", "By default, the lock is held.", ""),
    ("The lock is held. The queue is empty if the disk is full.", "If the disk is full, the lock is held.", ""),
    ("The lock is free after the job. It ends the agent.", "The lock is free after the job ends the agent.", ""),
    (
        "The token is void when the owner leaves. The project is deleted.",
        "The token is void when the owner leaves the project and is deleted.",
        "",
    ),
    (
        "# Set to 0 to disable the cache\ntool config --cache=0\n\n# Enable the cache\ntool config --cache=1",
        "tool config --cache=0 enables the cache.",
        "",
    ),
    (
        "# Set to 0 to disable the cache\ntool config --cache=0\n\n# Enable the cache\ntool config --cache=1",
        "tool config --cache=1 disables the cache.",
        "",
    ),
]


@pytest.mark.parametrize(("passage", "claim", "question"), RIGHT)
def test_a_right_claim_in_other_words_is_no_error(passage: str, claim: str, question: str) -> None:
    """In another order or voice, as an instruction, as an answer, or as a cell under its head: it waits."""
    assert judge(claim, [passage]).verdict != "contradicted"


@pytest.mark.parametrize(("passage", "claim", "question"), WRONG)
def test_no_small_change_of_meaning_passes(passage: str, claim: str, question: str) -> None:
    """Who does what to whom, from where to where, on what condition, how much, and which of two."""
    assert judge(claim, [passage]).verdict != "supported"


THINGS = [
    ("password", "token"),
    ("secret", "key"),
    ("server", "host"),
    ("user", "account"),
    ("container", "image"),
    ("backup", "snapshot"),
    ("role", "permission"),
    ("setting", "value"),
    ("program", "tool"),
    ("page", "site"),
    ("request", "query"),
    ("timeout", "expiry"),
    ("storage", "memory"),
    ("group", "organization"),
    ("warning", "error"),
    ("alert", "warning"),
    ("machine", "node"),
    ("file", "document"),
    ("command", "tool"),
    ("notice", "warning"),
    ("release", "version"),
    ("volume", "disk"),
    ("edition", "plan"),
    ("certificate", "key"),
    ("job", "task"),
    ("number", "size"),
    ("message", "mail"),
    ("option", "flag"),
]
DEEDS = [
    ("restored", "imported"),
    ("rejected", "failed"),
    ("moved", "copied"),
    ("started", "triggered"),
    ("stopped", "paused"),
    ("updated", "upgraded"),
    ("removed", "disabled"),
    ("ignored", "skipped"),
    ("reset", "restored"),
    ("read", "queried"),
    ("validated", "inspected"),
    ("paused", "stopped"),
    ("merged", "connected"),
    ("generated", "written"),
    ("split", "deleted"),
    ("archived", "deleted"),
    ("blocked", "limited"),
    ("hidden", "masked"),
    ("allowed", "enabled"),
    ("supported", "handled"),
    ("cancelled", "stopped"),
    ("cleared", "deleted"),
    ("suspended", "terminated"),
    ("overwritten", "extended"),
    ("required", "recommended"),
    ("reduced", "fallen"),
    ("expired", "ended"),
    ("linked", "mounted"),
    ("locked", "closed"),
    ("renewed", "updated"),
    ("listed", "printed"),
    ("sent", "emitted"),
    ("fetched", "returned"),
    ("lost", "discarded"),
    ("created", "added"),
    ("created", "copied"),
    ("copied", "saved"),
    ("restarted", "reloaded"),
]


@pytest.mark.parametrize(("one", "other"), THINGS)
def test_things_that_are_alike_are_not_the_same(one: str, other: str) -> None:
    """What is said of one is not said of the other, however often prose mixes them up."""
    passage = f"The {other} of the project expires after 30 days."
    assert judge(f"The {one} of the project expires after 30 days.", [passage], language="en").verdict != "supported"


@pytest.mark.parametrize(("one", "other"), DEEDS)
def test_deeds_that_are_alike_are_not_the_same(one: str, other: str) -> None:
    """What is done is what the passage says that is done."""
    passage = f"The files of the project are {other} by the agent."
    assert judge(f"The files of the project are {one} by the agent.", [passage], language="en").verdict != "supported"
