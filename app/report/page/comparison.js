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

function comparisonPlot({ chart }, e, rows) {
  const [panel] = chart.panels, texts = rows.map(({ name, cells }) =>
    name + ": " + (cells[e] ? interval(cells[e].regret, cells[e].ci95) + ", " + verdictText(cells[e]) : "not in this experiment"));
  const frame = { width: 370, height: 18 * (panel.at.at(-1) + 1) + 32, left: 164, right: 12, top: 8, bottom: 24 };
  return make("figure", {}, make("figcaption", { title: chart.title }, panel.title),
    plot(chart, { ...panel, texts }, frame, { class: "plot", "aria-label": "Regret of each selector in " + panel.title }).svg);
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
  const { chart } = panels.find(panel => panel.learner_regret > 0) || panels[0];
  at("comparison").append(...groups.flatMap(group => [groups.length > 1 ? make("h3", {}, groupName(group)) : null,
    make("div", { class: "wide" }, comparisonTable(group, panels))].filter(Boolean)),
  make("h3", {}, "Regret, experiment by experiment"), keyOf(chart),
  make("div", { class: "panels" }, ...panels.map((panel, e) => comparisonPlot(panel, e, data.comparison.rows))),
  downloads("comparison", "comparison.csv", data.comparison.pictures));
}
