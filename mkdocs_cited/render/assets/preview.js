/* mkdocs-cited, for authors in `mkdocs serve`: the box that asks the docs a question through the preview server. */
(() => {
  "use strict";
  if (window.mkdocsCitedPreview) return;
  window.mkdocsCitedPreview = true;

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  /* The text with its numbers as links to the sources below it. Nothing of it is read as HTML. */
  const paragraph = (text, sources, root) => {
    const made = element("p");
    for (const part of text.split(/(\[\^\d+\])/)) {
      const number = /^\[\^(\d+)\]$/.exec(part);
      const source = number && sources.find(item => item.sid === +number[1]);
      if (!source) {
        made.append(part);
        continue;
      }
      const link = element("a", "[" + number[1] + "]");
      if (source.href) link.href = new URL(source.href, root);
      link.setAttribute("aria-label", source.sid + ": " + source.label);
      const raised = element("sup");
      raised.append(link);
      made.append(raised);
    }
    return made;
  };

  const show = (out, answer, root) => {
    const sources = answer.sources || [];
    out.replaceChildren();
    if (!answer.content) out.append(element("p", answer.reason || out.dataset.none));
    for (const text of (answer.content || "").split(/\n{2,}/)) if (text.trim()) out.append(paragraph(text, sources, root));
    const listed = sources.length ? sources : (answer.consulted || []).slice(0, 3);
    if (!listed.length) return;
    const list = element(sources.length ? "ol" : "ul");
    for (const source of listed) {
      const item = element("li");
      const label = element(source.href ? "a" : "span", source.label, "cited-link");
      if (source.href) label.href = new URL(source.href, root);
      item.append(label);
      if (source.quote || source.text) {
        const quote = element("blockquote", "", "cited-quote");
        quote.append(element("p", source.quote || source.text));
        item.append(quote);
      }
      list.append(item);
    }
    out.append(element("p", out.dataset.sources, "cited-source"), list);
  };

  const reason = said => {
    try {
      const { error, tip } = JSON.parse(said);
      return [error, tip].filter(Boolean).join(" → ");
    } catch {
      return said;
    }
  };

  document.addEventListener("submit", async event => {
    const form = event.target;
    if (!form.classList.contains("cited-ask")) return;
    event.preventDefault();
    const out = form.querySelector(".cited-ask-out");
    const button = form.querySelector("button");
    out.textContent = out.dataset.wait;
    button.disabled = true;
    try {
      const question = new FormData(form).get("question");
      const reply = await fetch(form.action, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ question }),
      });
      const said = await reply.text();
      if (!reply.ok) throw new Error(reply.status + " " + reason(said).slice(0, 300));
      show(out, JSON.parse(said), new URL(form.dataset.root, document.baseURI));
    } catch (error) {
      out.textContent = out.dataset.failed + " " + error.message;
    } finally {
      button.disabled = false;
    }
  });
})();
