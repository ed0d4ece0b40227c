/* mkdocs-cited: hover for footnotes where the theme has none, and opening what hides a target.
   Everything is readable and linked without it. */
(() => {
  "use strict";
  if (window.mkdocsCited) return;
  window.mkdocsCited = true;

  let pop, owner, timer;

  const close = () => {
    clearTimeout(timer);
    if (pop) pop.remove();
    if (owner) owner.removeAttribute("aria-expanded");
    pop = owner = undefined;
  };

  /* Show copies of nodes below an element of an answer. */
  const show = (anchor, nodes, dialog) => {
    close();
    const answer = anchor.closest(".cited-answer");
    owner = dialog && anchor;
    pop = document.createElement("div");
    pop.className = "cited-pop";
    for (const node of nodes) pop.append(node.cloneNode(true));
    for (const node of pop.querySelectorAll("[id]")) node.removeAttribute("id");
    if (dialog) {
      pop.tabIndex = -1;
      pop.setAttribute("role", "dialog");
      pop.setAttribute("aria-label", anchor.getAttribute("aria-label"));
      anchor.setAttribute("aria-expanded", "true");
    } else {
      pop.setAttribute("aria-hidden", "true");
      for (const link of pop.querySelectorAll("a,pre,[tabindex]")) link.tabIndex = -1;
    }
    answer.append(pop);
    const box = answer.getBoundingClientRect();
    const at = anchor.getBoundingClientRect();
    const left = Math.max(0, Math.min(at.left - box.left - 24, box.width - pop.offsetWidth));
    const below = at.bottom - box.top + 6;
    const above = at.top - box.top - pop.offsetHeight - 6;
    pop.style.left = left + "px";
    pop.style.top = (at.bottom + pop.offsetHeight + 6 > innerHeight && at.top > pop.offsetHeight + 80 ? above : below) + "px";
    pop.addEventListener("mouseenter", () => clearTimeout(timer));
    pop.addEventListener("mouseleave", () => dialog || later());
    if (dialog) pop.focus();
  };

  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(close, 250);
  };

  /* Material shows footnotes on hover itself, if its feature is on. */
  const native = () => {
    const config = document.getElementById("__config");
    return !!config && config.textContent.includes('"content.footnote.tooltips"');
  };

  const reference = event => event.target.closest && event.target.closest(".cited-answer a.footnote-ref");

  const peek = event => {
    const link = reference(event);
    const note = link && document.getElementById(link.hash.slice(1));
    if (!note) return;
    if (native()) return;
    clearTimeout(timer);
    timer = setTimeout(() => show(link, note.children), event.type === "focusin" ? 0 : 120);
  };

  document.addEventListener("mouseover", peek);
  document.addEventListener("focusin", event => {
    if (pop && !owner && !pop.contains(event.target)) close();
    peek(event);
  });
  document.addEventListener("mouseout", event => pop && !owner && reference(event) && later());
  document.addEventListener("keydown", event => {
    if (event.key !== "Escape" || !pop) return;
    const back = owner;
    close();
    if (back) back.focus();
  });
  /* Where nothing hovers, the first tap shows the source, whose link leads on. */
  let touched = false;
  document.addEventListener("pointerdown", event => { touched = event.pointerType === "touch"; }, true);
  document.addEventListener("click", event => {
    const link = touched && reference(event), note = link && document.getElementById(link.hash.slice(1));
    if (!note) return;
    event.preventDefault();
    event.stopPropagation();
    if (!native()) show(link, note.children, true);
  }, true);
  document.addEventListener("click", event => {
    if (pop && !pop.contains(event.target)) close();
  });

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
    if (!target) return;
    let opened = false;
    for (let node = target; node; node = node.parentElement) {
      if (node.localName === "details" && !node.open) opened = node.open = true;
      if (!node.classList.contains("tabbed-block")) continue;
      const inputs = node.closest(".tabbed-set").querySelectorAll(":scope > input");
      const input = inputs[[...node.parentElement.children].indexOf(node)];
      if (input && !input.checked) opened = input.checked = true;
    }
    const seen = shown(target);
    if (seen && !returned && (opened || seen !== target)) seen.scrollIntoView({ block: "center" });
  };

  /* Where an answer asks whether it helped, the theme's own form is asked, with the answer named in the address. */
  const ask = () => {
    const form = document.forms.feedback;
    if (!form || form.hidden) return;
    const theirs = form.firstElementChild;
    for (const answer of document.querySelectorAll("[data-cited-feedback]")) {
      const ours = theirs.cloneNode(true);
      answer.removeAttribute("data-cited-feedback");
      answer.append(ours);
      ours.addEventListener("click", event => {
        const button = event.target.closest("button");
        if (!button) return;
        const value = button.dataset.mdValue;
        history.replaceState(history.state, "", "#" + answer.id);
        theirs.disabled = false;
        theirs.querySelector('button[data-md-value="' + value + '"]').click();
        ours.disabled = true;
        for (const note of ours.querySelectorAll("div[data-md-value]")) note.hidden = note.dataset.mdValue !== value;
      });
    }
  };

  /* The field in which readers ask: it matches the site's questions, and shows the nearest with their sources. */
  const wordsOf = text => text.toLowerCase().normalize("NFKD").match(/[\p{L}\p{N}]{2,}/gu) || [];
  const element = (name, text, href) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (href) made.href = href;
    return made;
  };
  const finder = form => {
    const input = form.querySelector("input"), found = form.querySelector(".cited-found");
    let known;
    const find = async () => {
      known = known || fetch(form.dataset.index).then(reply => reply.json());
      const items = await known, asked = wordsOf(input.value);
      const score = item => {
        const own = wordsOf([item.question, ...item.queries].join(" "));
        return asked.filter(word => own.some(other => other.startsWith(word))).length / asked.length;
      };
      const near = asked.length ? items.map(item => [score(item), item]).filter(hit => hit[0] > .5).sort((a, b) => b[0] - a[0]) : [];
      found.replaceChildren(...near.slice(0, 4).map(([, item], n) => {
        const entry = element("div"), sources = element("p");
        entry.append(element("a", item.question.replace(/`/g, ""), form.dataset.root + item.url));
        if (!n) {
          sources.className = "cited-aside";
          for (const source of item.sources) {
            const link = element("a", source.label, source.href && (/^\w+:/.test(source.href) ? "" : form.dataset.root) + source.href);
            link.target = "_self";
            sources.append(link, " ");
          }
          entry.append(element("p", item.text), sources);
        }
        return entry;
      }));
      if (!asked.length || near.length) return;
      const theirs = document.querySelector('[data-md-component="search-query"], #mkdocs-search-query, [role="search"]:not(.cited-find) input');
      const button = element("button", form.dataset.search);
      button.type = "button";
      button.onclick = () => {
        theirs.focus();
        theirs.value = input.value;
        for (const kind of ["input", "keyup"]) theirs.dispatchEvent(new Event(kind, { bubbles: true }));
      };
      found.append(form.dataset.none + " ", theirs ? button : "");
    };
    input.oninput = () => { clearTimeout(timer); timer = setTimeout(find, 150); };
    form.onsubmit = event => event.preventDefault();
  };

  document.addEventListener("click", event => {
    const link = event.target.closest(".cited-copy");
    if (!link || !navigator.clipboard) return;
    event.preventDefault();
    navigator.clipboard.writeText(link.href);
    link.textContent = link.dataset.copied;
  });

  addEventListener("beforeprint", () => {
    for (const panel of document.querySelectorAll(".cited-panel, .cited-fold")) panel.open = true;
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
  const begin = () => {
    close();
    reveal();
    setTimeout(ask);
    for (const form of document.querySelectorAll(".cited-find")) finder(form);
    /* Code that is wider than the page can be scrolled by keyboard too. */
    for (const box of document.querySelectorAll(".cited-answer pre, .cited-answer pre > code"))
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  };

  addEventListener("hashchange", reveal);
  if (window.document$) window.document$.subscribe(begin);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
