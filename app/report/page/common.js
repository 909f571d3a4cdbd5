"use strict";
/*
 * What the pages share beside their elements: the data, numbers, the theme, tables.
 */
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;

/* ---- numbers ---- */

function percent(x, half) {
  if (x === null || x === undefined) return "–";
  return (100 * x).toFixed(1) + (half ? " ± " + (100 * half).toFixed(1) : "") + " %";
}

function plural(count, one, many) { return count + " " + (count === 1 ? one : many || one + "s"); }

/* ---- the theme ---- */

const themes = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" };
const system = matchMedia("(prefers-color-scheme: dark)");
const onTheme = []; /* called after every change */
let theme = "auto";
try { theme = themes[localStorage.getItem("posse-theme")] ? localStorage.getItem("posse-theme") : "auto"; } catch (e) { /* none kept */ }

function isDark() { return root.dataset.theme === "dark"; }
function colour(style) { return isDark() ? style.dark : style.light; }

function applyTheme() {
  root.dataset.theme = theme === "auto" ? (system.matches ? "dark" : "light") : theme;
  at("theme").textContent = themes[theme];
  for (const tell of onTheme) tell();
}

at("theme").addEventListener("click", () => {
  const all = Object.keys(themes);
  theme = all[(all.indexOf(theme) + 1) % all.length];
  try { localStorage.setItem("posse-theme", theme); } catch (e) { /* the choice lasts as long as the page */ }
  applyTheme();
});
system.addEventListener("change", applyTheme);

/* ---- tables ---- */

/*
 * columns: {title, cell(row) -> text or element, value(row) for sorting, number: true, class}. A column with a value is
 * sorted by its heading's button.
 */
function table(caption, columns, rows, rowClass) {
  const body = make("tbody");
  const put = sorted => body.replaceChildren(...sorted.map(row => make("tr", { class: rowClass ? rowClass(row) : null },
    ...columns.map(c => make("td", { class: c.number ? "number" : c.class }, c.cell(row))))));
  const heads = columns.map(c => make("th", { scope: "col", class: c.number ? "number" : null },
    c.value ? make("button", { type: "button", title: "sort", click: event => sortBy(c, event.target) }, c.title) : c.title));
  function sortBy(column, button) {
    const head = button.closest("th"), down = head.getAttribute("aria-sort") === "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = row => { const v = column.value(row); return v === null || v === undefined ? Infinity : v; };
    const sign = down ? -1 : 1;
    put([...rows].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)));
  }
  put(rows);
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body));
}

const marks = { holds: "✓ holds", fails: "✗ fails", undecided: "? undecided" };
function badge(verdict, text) { return make("span", { class: "badge " + verdict }, text || marks[verdict]); }

function countVerdicts(claims) {
  const counts = { holds: 0, fails: 0, undecided: 0 };
  for (const claim of claims) counts[claim.verdict]++;
  return counts;
}

function verdictBadges(counts) {
  const one = (verdict, text) => badge(counts[verdict] ? verdict : "none", text);
  return [one("holds", "✓ " + plural(counts.holds, "holds", "hold")), " ", one("fails", "✗ " + plural(counts.fails, "fails", "fail")), " ",
    one("undecided", "? " + counts.undecided + " undecided")];
}
