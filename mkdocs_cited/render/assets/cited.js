/* mkdocs-cited: cards for numbers, and opening what hides a target. Everything is readable and linked without it. */
(() => {
  "use strict";
  if (window.mkdocsCited) return;
  window.mkdocsCited = true;

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  let pop, owner, timer;

  const close = () => {
    clearTimeout(timer);
    pop?.remove();
    owner?.removeAttribute("aria-expanded");
    pop = owner = undefined;
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(close, 250);
  };

  /* A number, and the note that it leads to. */
  const reference = event => event.target.closest?.("a.cited-ref");
  const noteOf = link => link?.hash && document.getElementById(link.hash.slice(1));

  /* Show a copy of the note, with the number's quotation; a dialog takes the focus. */
  const show = (link, dialog) => {
    close();
    pop = document.createElement("div");
    pop.className = "cited-pop md-typeset rst-content";
    if (link.dataset.doubt) {
      const doubt = document.createElement("p");
      doubt.className = "cited-unsure";
      doubt.textContent = "? " + link.dataset.doubt;
      pop.append(doubt);
    }
    const nth = +link.dataset.at;
    [...noteOf(link).children].forEach((node, i) => (i && nth && i !== nth) || pop.append(node.cloneNode(true)));
    for (const node of all("[id]", pop)) node.removeAttribute("id");
    if (dialog) {
      owner = link;
      pop.tabIndex = -1;
      pop.setAttribute("role", "dialog");
      pop.setAttribute("aria-label", link.getAttribute("aria-label"));
      link.setAttribute("aria-expanded", "true");
    } else {
      pop.setAttribute("aria-hidden", "true");
      for (const node of all("a, pre, [tabindex]", pop)) node.tabIndex = -1;
    }
    document.body.append(pop);
    const at = link.getBoundingClientRect(), body = document.body.getBoundingClientRect();
    const room = document.documentElement.clientWidth - pop.offsetWidth - 8;
    const above = at.bottom + pop.offsetHeight + 6 > innerHeight && at.top > pop.offsetHeight + 80;
    const shift = getComputedStyle(document.body).position === "static" ? [-scrollX, -scrollY] : [body.left, body.top];
    pop.style.left = Math.max(8, Math.min(at.left - 24, room)) - shift[0] + "px";
    pop.style.top = (above ? at.top - pop.offsetHeight - 2 : at.bottom + 2) - shift[1] + "px";
    pop.onmouseenter = () => clearTimeout(timer);
    pop.onmouseleave = () => dialog || later();
    if (dialog) pop.focus();
  };

  const peek = event => {
    const link = reference(event);
    if (!noteOf(link)) return;
    clearTimeout(timer);
    timer = setTimeout(() => show(link), event.type === "focusin" ? 0 : 120);
  };
  document.addEventListener("mouseover", peek);
  document.addEventListener("focusin", event => {
    if (pop && !owner && !pop.contains(event.target)) close();
    peek(event);
  });
  document.addEventListener("mouseout", event => {
    if (!reference(event)) return;
    clearTimeout(timer);
    if (pop && !owner) later();
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") {
      owner?.focus();
      close();
    }
    /* Of an answer's numbers, Tab stops at the first; arrows lead on. */
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], link = step && reference(event);
    const numbers = link && all(".cited-ref", link.closest(".cited-answer") || document);
    if (numbers) numbers[numbers.indexOf(link) + step]?.focus();
  });

  /* Where nothing hovers, the first tap shows the source, whose link leads on. */
  let touched = false;
  document.addEventListener("pointerdown", event => { touched = event.pointerType === "touch"; }, true);
  document.addEventListener("click", event => {
    returned = false;
    const link = reference(event), note = noteOf(link);
    if (note) {
      const back = note.querySelector(".cited-back");
      if (back) back.href = "#" + link.parentElement.id;
      if (touched) {
        event.preventDefault();
        event.stopPropagation();
        show(link, true);
      }
    }
    /* The browser itself goes to a passage, since Material's instant navigation finds no words; and the passage offers
       a way back to the use that led to it. */
    const source = event.target.closest?.(".cited-link[href], .cited-ref");
    if (source && !note) source.target = "_self";
    const back = source?.closest("li, .cited-pop")?.querySelector(".cited-back");
    if (back) store([source.href.split(":~:")[0], back.href, back.getAttribute("aria-label")]);
  }, true);
  document.addEventListener("click", event => {
    if (!pop?.contains(event.target)) close();
  });

  const store = way => {
    try { sessionStorage.cited = JSON.stringify(way); } catch { /* no way back but the browser's */ }
  };
  const offer = () => {
    document.querySelector(".cited-chip")?.remove();
    let way;
    try { way = JSON.parse(sessionStorage.cited); } catch { return; }
    if (way[0] !== location.href) return;
    const chip = document.createElement("a");
    chip.className = "cited-chip";
    chip.href = way[1];
    chip.textContent = "↩ " + way[2];
    document.body.append(chip);
  };

  /* Whether the page was come back to: then the browser, or the theme, restores the place where the reader was. */
  let returned = /back|reload/.test(performance.getEntriesByType("navigation")[0]?.type);
  window.navigation?.addEventListener("navigate", event => {
    if (event.navigationType !== "replace") returned = event.navigationType === "traverse";
  });

  /* The element that the address leads to. */
  const goal = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it is */ }
    return id && document.getElementById(id);
  };

  /* The element itself, or what is shown before it: themes show a list of annotations in the code above it. */
  const shown = node => {
    while (node && !node.getClientRects().length) node = node.previousElementSibling || node.parentElement;
    return node;
  };

  /* Open the details and content tabs that hide the target of the address. */
  const reveal = () => {
    const target = goal();
    offer();
    if (!target) return;
    let opened = false;
    for (let node = target; node; node = node.parentElement) {
      if (node.localName === "details" && !node.open) opened = node.open = true;
      if (!node.classList.contains("tabbed-block")) continue;
      const input = all(":scope > input", node.closest(".tabbed-set"))[[...node.parentElement.children].indexOf(node)];
      if (input && !input.checked) opened = input.checked = true;
    }
    const seen = shown(target);
    if (seen && !returned && (opened || seen !== target)) seen.scrollIntoView({ block: "center" });
  };

  /* On paper everything is open, and links say where they lead. */
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all(".cited-foot:not([open]), .cited-fold:not([open])");
    for (const panel of closed) panel.open = true;
    for (const link of all(".cited-link[href]")) link.dataset.print = link.href.split(":~:")[0].replace(/#cited-.*/, "");
  });
  addEventListener("afterprint", () => {
    for (const panel of closed) panel.open = false;
  });

  /* A style sheet or script that comes late moves the target after the browser has scrolled to it, and no browser looks again. */
  let moved;
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(kind, () => { moved = true; }, { once: true, passive: true });
  const keep = () => {
    const target = !moved && !returned && shown(goal());
    const box = target && target.getBoundingClientRect();
    if (box && box.height && (box.bottom < 0 || box.top > innerHeight)) target.scrollIntoView({ block: "center" });
  };
  /* Themes wrap wide tables once the page has loaded. */
  for (const wait of [0, 500]) addEventListener("load", () => setTimeout(keep, wait));

  /* highlight.js warns of code that has colours. */
  if (window.hljs) for (const code of all(".cited-answer pre code")) code.textContent += "";

  const begin = () => {
    close();
    reveal();
    for (const answer of all(".cited-answer"))
      for (const link of all(".cited-ref", answer).slice(1)) link.tabIndex = -1;
    /* Code that is wider than the page can be scrolled by keyboard too. */
    for (const box of all(".cited-answer pre, .cited-answer pre > code"))
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  };
  addEventListener("hashchange", reveal);
  if (window.document$) window.document$.subscribe(begin);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
