"use strict";
/* Who wins where: a table per group of selectors, and a panel per experiment. The verdicts come with the data. */

function wins(cell) {
  return cell.verdict === "best" || cell.verdict === "tied";
}

function verdictText(cell) {
  if (cell.verdict === "best") return "best";
  if (cell.verdict === "unknown") return "cannot be compared with " + cell.best + ", because there is no interval";
  return (cell.verdict === "tied" ? "tied with " : "loses to ") + cell.best + ": " + interval(cell.difference, cell.difference_ci95) + " more";
}

/*
 * The regret and its mark. Below are the ratio to the regret of the best learner alone and, if the selector loses, the
 * difference from the best.
 */
function comparisonCell(cell, panel) {
  if (!cell) return "";
  const ratio = panel.learner_regret > 0 ? "× " + number(cell.regret / panel.learner_regret, 3) : "";
  const lost = cell.verdict === "loses" ? "+" + interval(cell.difference, cell.difference_ci95) : "";
  return make("span", { title: verdictText(cell) }, interval(cell.regret, cell.ci95), " ",
    make("span", { class: "mark " + cell.verdict }, wins(cell) ? cell.verdict : ""), make("br"),
    make("span", { class: "quiet" }, [ratio, lost].filter(Boolean).join("  ")));
}

function comparisonTable(group, panels) {
  return table(groupName(group), [
    { title: "selector", cell: row => row.name, value: row => row.name, class: "name" },
    { title: "best or tied", cell: row => row.wins + " of " + row.met, value: row => -row.wins / row.met, number: true },
    ...panels.map((panel, e) => ({ title: panel.name, number: true, cell: row => comparisonCell(row.cells[e], panel),
      value: row => row.cells[e] ? row.cells[e].regret : null })),
  ], group);
}

/* The part of a text that a plot has room for; a tooltip shows all of it. */
function cut(text, most) { return [...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text; }

/* The selectors of a group that win, or the others, as a series of marks over all rows. */
function marksOf(group, winning, rows, e, groups) {
  const cells = rows.map(row => group.includes(row) && row.cells[e] && wins(row.cells[e]) === winning ? row.cells[e] : null);
  const learning = groups.length > 1 ? (group[0].share ? ", every play" : ", own plays") : "";
  return { name: (winning ? "best or tied" : "loses") + learning, style: winning ? data.styles.wins : data.styles.loses, shown: true, marked: true,
    hollow: !group[0].share, mean: cells.map(cell => cell ? cell.regret : null), ci95: cells.map(cell => cell ? cell.ci95 : null) };
}

/* A row for each selector, with a gap between the groups; the best learner alone is a level line. */
function comparisonChart(panel, e, groups) {
  const rows = groups.flat(), at = groups.flatMap((group, g) => group.map(row => rows.indexOf(row) + g / 2));
  const series = groups.flatMap(group => [true, false].map(winning => marksOf(group, winning, rows, e, groups)));
  if (panel.learner_regret > 0) series.push({ name: "best learner alone", style: data.styles.alone, shown: true, mean: rows.map(() => panel.learner_regret) });
  const texts = rows.map(({ name, cells }) => name + ": " + (cells[e] ? interval(cells[e].regret, cells[e].ci95) + ", " + verdictText(cells[e]) : "not in this experiment"));
  const x = { low: at[0] - .5, high: at.at(-1) + .5, ticks: at, labels: rows.map(row => cut(row.name, 21)) }, drawn = series.map((_, i) => i);
  return { lying: true, y: panel.axis, panels: [{ title: panel.name, x, at, texts, series, drawn: drawn.reverse() }], key: series.map((_, i) => [0, i]) };
}

function comparisonPlot(chart, panel) {
  const { x } = chart.panels[0], frame = { width: 370, height: 18 * (x.high - x.low) + 36, left: 164, right: 12, top: 8, bottom: 24 };
  return make("figure", {}, make("figcaption", { title: panel.title }, panel.name),
    plot(chart, chart.panels[0], frame, { class: "plot", "aria-label": "Regret of each selector in " + panel.name }).svg);
}

function groupsOf(rows) { return [false, true].map(share => rows.filter(row => row.share === share)).filter(group => group.length > 0); }
function groupName(group) { return group[0].share ? "Every learner learns from every play" : "Each learner learns from its own plays"; }

function downloads(name, table, pictures) {
  const files = [table, ...(pictures ? ["svg", "png", "pdf"].map(suffix => name + "." + suffix) : [])];
  return make("p", { class: "note" }, "Beside this page: ", ...files.flatMap(file => [make("a", { href: file }, file), " "]));
}

function buildComparison() {
  if (!data.comparison) { at("comparison").remove(); return; }
  const panels = data.comparison.experiments, groups = groupsOf(data.comparison.rows);
  const charts = panels.map((panel, e) => comparisonChart(panel, e, groups)), fullest = charts.reduce((a, b) => b.key.length > a.key.length ? b : a);
  at("comparison").append(...groups.flatMap(group => [groups.length > 1 ? make("h3", {}, groupName(group)) : null,
    make("div", { class: "wide" }, comparisonTable(group, panels))].filter(Boolean)),
  make("h3", {}, "Regret, experiment by experiment"), keyOf(fullest),
  make("div", { class: "panels" }, ...charts.map((chart, e) => comparisonPlot(chart, panels[e]))),
  downloads("comparison", "comparison.csv", data.comparison.pictures));
}
