"use strict";
// Column heads sort their table: numbers by the value of data-v, what has none last, text by the alphabet.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2) continue;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("n");
      const first = numeric ? "descending" : "ascending";
      const second = numeric ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      const sign = order === "ascending" ? 1 : -1;
      const key = row => row.cells[column].dataset.v;
      const text = row => row.cells[column].textContent;
      const compare = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x !== undefined && y !== undefined) return sign * (x - y);
        if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1;
        return sign * text(a).localeCompare(text(b), "en", { numeric: true });
      };
      heads.forEach(other => other.setAttribute("aria-sort", other === head ? order : "none"));
      body.append(...[...body.rows].sort(compare));
    });
  });
}
