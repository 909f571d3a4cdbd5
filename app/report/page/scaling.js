"use strict";
/* How regret grows with the size of an experiment: per family a plot for each group of selectors, and the exponents. */

/* A reference line of this slope, from the lower left corner to the edge of the plot. */
function reference(family, slope, name, x, y) {
  const { size, regret } = family, length = Math.min(Math.log(size.high / size.low), Math.log(regret.high / regret.low) / slope);
  const point = part => [x(size.low * Math.exp(length * part)), y(regret.low * Math.exp(slope * length * part))];
  const [start, end, label] = [point(0), point(1), point(.92)];
  return [draw("line", { class: "diagonal", x1: start[0], y1: start[1], x2: end[0], y2: end[1] }),
    draw("text", { x: label[0] - 6, y: label[1] - 4, "text-anchor": "end" }, name)];
}

/* The lines of a group over the sizes that any of them has. */
function scalingPanel(family, group) {
  const at = [...new Set(group.flatMap(line => line.points.map(point => point[0])))].sort((a, b) => a - b);
  const series = group.map(line => {
    const known = new Map(line.points.map(([size, ...regret]) => [size, regret])), column = which => at.map(size => known.get(size)?.[which] ?? null);
    return { name: line.name, style: { ...line.style, width: Math.min(line.style.width, 2.4) }, shown: true, marked: true, mean: column(0), ci95: column(1) };
  });
  return { x: { ...family.size, label: "N" }, at, series, drawn: series.map((_, i) => i).reverse() };
}

function scalingPlot(family, group) {
  const frame = { width: 520, height: 330, left: 52, right: 12, top: 10, bottom: 44 };
  const { svg, x, y } = plot({ y: family.regret }, scalingPanel(family, group), frame, { class: "plot", "aria-label": "Regret over N, on logarithmic axes" });
  svg.prepend(...reference(family, .5, "slope 1/2", x.place, y.place), ...reference(family, 1, "slope 1", x.place, y.place));
  return svg;
}

function exponents(group) {
  return table("Exponents", [
    { title: "selector", cell: line => make("span", {}, swatch(line.style), line.name), value: line => line.name, class: "name" },
    { title: "exponent", cell: line => interval(line.exponent, line.exponent_ci95), value: line => line.exponent, number: true },
    { title: "sizes", cell: line => String(line.points.length), number: true },
  ], group);
}

/* Two groups are side by side. A single group has its plot beside its exponents. */
function familyColumns(family) {
  const groups = groupsOf(family.lines);
  if (groups.length === 1) return [scalingPlot(family, groups[0]), exponents(groups[0])];
  return groups.map(group => make("div", {}, make("p", { class: "quiet" }, groupName(group)), scalingPlot(family, group), exponents(group)));
}

function buildScaling() {
  if (data.families.length === 0) { at("scaling").remove(); return; }
  for (const family of data.families) {
    at("scaling").append(make("h3", {}, family.stem + "-N: regret over N"), make("div", { class: "columns" }, ...familyColumns(family)),
      downloads(family.picture, "scaling.csv", family.pictures));
  }
}
