/* mkdocs-cited: sorts and filters the report page. */
(() => {
  const table = document.getElementById("table"), body = table.tBodies[0];
  const value = (row, i) => row.cells[i].dataset.value ?? row.cells[i].textContent.trim();
  const compare = (a, b) => a !== "" && b !== "" && !isNaN(a) && !isNaN(b) ? a - b : a.localeCompare(b);
  [...table.tHead.rows[0].cells].forEach((cell, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    cell.replaceChildren(button);
    button.onclick = () => {
      const down = cell.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => compare(value(a, i), value(b, i)));
      body.append(...(down ? rows.reverse() : rows));
    };
  });
  const words = document.getElementById("filter"), state = document.getElementById("state");
  words.oninput = state.onchange = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = (state.value && row.dataset.state !== state.value) || !wanted.every(word => text.includes(word));
    }
  };
  for (const cell of document.querySelectorAll("[data-date]")) {
    const days = Math.floor((Date.now() - Date.parse(cell.dataset.date)) / 864e5);
    if (days > 0) cell.title = `${days} day${days > 1 ? "s" : ""} ago`;
  }
})();
