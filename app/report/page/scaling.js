"use strict";
/* How regret grows with the size of an experiment: per family a plot for each group of selectors, and the exponents. */

function scalingPlot({ chart }, place) {
  const frame = { width: 520, height: 330, left: 70, right: 12, top: 10, bottom: 44 };
  return plot(chart, chart.panels[place], frame, { class: "plot", "aria-label": "Regret over N, on logarithmic axes" }).svg;
}

function exponents(group) {
  return table("Exponents", [
    { title: "selector", cell: line => make("span", {}, swatch(line.style), line.name), value: line => line.name, class: "name" },
    { title: "exponent", cell: line => interval(line.exponent, line.exponent_ci95), value: line => line.exponent, number: true },
    { title: "sizes", cell: line => String(line.sizes), number: true },
  ], group);
}

/* Two groups are side by side. A single group has its plot beside its exponents. */
function familyColumns(family) {
  const groups = groupsOf(family.lines);
  if (groups.length === 1) return [scalingPlot(family, 0), exponents(groups[0])];
  return groups.map((group, place) => make("div", {}, make("p", { class: "quiet" }, groupName(group)), scalingPlot(family, place), exponents(group)));
}

function buildScaling() {
  if (data.families.length === 0) { at("scaling").remove(); return; }
  for (const family of data.families) {
    at("scaling").append(make("h3", {}, family.stem + "-N: regret over N"), make("div", { class: "columns" }, ...familyColumns(family)),
      downloads(family.picture, "scaling.csv", family.pictures));
  }
}
