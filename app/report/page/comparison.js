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

/* A row of a panel: its name, the interval, and a mark, which is hollow if learners learn only from their own plays. */
function dotRow(row, cell, y, x, width) {
  const look = cell && wins(cell) ? "wins" : "loses", parts = [];
  if (cell && cell.regret > 0) {
    const half = cell.ci95 || 0;
    parts.push(draw("line", { class: "whisker", x1: x(cell.regret - half), x2: x(cell.regret + half), y1: y, y2: y }),
      draw("circle", { class: row.share ? "filled" : "hollow", cx: x(cell.regret), cy: y, r: 4 }));
  }
  return draw("g", { class: "dots " + look }, draw("title", {}, row.name + (cell ? ": " + interval(cell.regret, cell.ci95) + ", " + verdictText(cell) : ": not in this experiment")),
    draw("rect", { x: 0, y: y - 9, width: width, height: 18, fill: "transparent" }),
    draw("text", { x: 158, y: y + 4, "text-anchor": "end" }, cut(row.name, 21)), ...parts);
}

function dotPlot(panel, e, groups) {
  const width = 370, left = 168, step = 18, top = 8, right = width - 12, x = scale(panel.axis, left, right);
  let y = top - 9;
  const rows = groups.flatMap((group, g) => { y += g ? step / 2 : 0; return group.map(row => dotRow(row, row.cells[e], y += step, x, width)); });
  const bottom = y + 14;
  const ticks = panel.axis.ticks.flatMap(tick => [draw("line", { class: "axis", x1: x(tick), x2: x(tick), y1: top, y2: bottom }),
    draw("text", { x: x(tick), y: bottom + 16, "text-anchor": "middle" }, tickText(tick))]);
  const learner = panel.learner_regret > 0 ? [draw("line", { class: "alone", x1: x(panel.learner_regret), x2: x(panel.learner_regret), y1: top, y2: bottom },
    draw("title", {}, panel.learner + " alone: " + number(panel.learner_regret)))] : [];
  return make("figure", {}, make("figcaption", { title: panel.title }, panel.name),
    draw("svg", { class: "plot", viewBox: `0 0 ${width} ${bottom + 24}`, role: "img", "aria-label": "Regret of each selector in " + panel.name },
      ...ticks, draw("path", { class: "axis", d: `M${left} ${bottom}H${right}` }), ...learner, ...rows));
}

function dotKey(groups, panels) {
  const entry = (shape, text) => make("span", { class: "entry" }, draw("svg", { class: "swatch dots wins", width: 16, height: 16, "aria-hidden": "true" }, shape), text);
  const marks = groups.length > 1 ? [entry(draw("circle", { class: "hollow", cx: 8, cy: 8, r: 4 }), "learns from own plays"),
    entry(draw("circle", { class: "filled", cx: 8, cy: 8, r: 4 }), "learns from every play")] : [];
  return make("div", { class: "key" }, ...marks, make("span", { class: "entry" }, make("span", { class: "mark best" }, "blue"), "best or tied"),
    panels.some(panel => panel.learner) ? entry(draw("line", { class: "alone", x1: 8, x2: 8, y1: 0, y2: 16 }), "the best learner alone") : null);
}

function buildComparison() {
  if (!data.comparison) { at("comparison").remove(); return; }
  const panels = data.comparison.experiments, groups = groupsOf(data.comparison.rows);
  at("comparison").append(...groups.flatMap(group => [groups.length > 1 ? make("h3", {}, groupName(group)) : null,
    make("div", { class: "wide" }, comparisonTable(group, panels))].filter(Boolean)),
  make("h3", {}, "Regret, experiment by experiment"), dotKey(groups, panels),
  make("div", { class: "panels" }, ...panels.map((panel, e) => dotPlot(panel, e, groups))),
  downloads("comparison", "comparison.csv", data.comparison.pictures));
}
