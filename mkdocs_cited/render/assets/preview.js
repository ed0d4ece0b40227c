/* mkdocs-cited, for authors in `mkdocs serve`: the box that asks the docs a question through the preview server. */
(() => {
  "use strict";
  if (window.mkdocsCitedPreview) return;
  window.mkdocsCitedPreview = true;

  /* The answer as a page would show it: HTML that the server's sanitiser has made, with addresses from the site's root. */
  const show = (out, html, root) => {
    const made = document.createElement("template");
    made.innerHTML = html;
    for (const name of ["href", "src"]) {
      for (const element of made.content.querySelectorAll("[" + name + "]")) {
        const target = element.getAttribute(name);
        if (!target.startsWith("#")) element.setAttribute(name, new URL(target, root));
      }
    }
    out.replaceChildren(made.content);
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
        body: JSON.stringify({ question, lang: form.dataset.lang }),
      });
      const said = await reply.text();
      if (!reply.ok) throw new Error(reply.status + " " + reason(said).slice(0, 300));
      show(out, JSON.parse(said).html, new URL(form.dataset.root, document.baseURI));
    } catch (error) {
      out.textContent = out.dataset.failed + " " + error.message;
    } finally {
      button.disabled = false;
    }
  });
})();
