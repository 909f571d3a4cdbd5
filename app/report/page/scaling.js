"use strict";
/* How regret grows with the size of an experiment: per family a plot for each group of selectors, and the exponents. */

function scalingLine(line, x, y) {
  const points = line.points.filter(point => point[1] > 0), pair = point => x(point[0]).toFixed(1) + "," + y(point[1]).toFixed(1);
  const bars = points.map(([size, regret, half]) => draw("line", { x1: x(size), x2: x(size), y1: y(regret - (half || 0)), y2: y(regret + (half || 0)), "stroke-width": 1.2 }));
  const dots = points.map(([size, regret, half]) => draw("circle", { cx: x(size), cy: y(regret), r: 3 },
    draw("title", {}, line.name + ", N = " + size + ": " + interval(regret, half))));
  const path = draw("polyline", { points: points.map(pair).join(" "), fill: "none", "stroke-width": Math.min(line.style.width, 2.4),
    "stroke-dasharray": line.style.dash.join(" ") || null }, draw("title", {}, line.name));
  return coloured(coloured(draw("g", {}, path, ...bars, ...dots), "stroke", line.style), "fill", line.style);
}

/* A reference line of this slope, from the lower left corner to the edge of the plot. */
function reference(family, slope, name, x, y) {
  const { size, regret } = family, length = Math.min(Math.log(size.high / size.low), Math.log(regret.high / regret.low) / slope);
  const point = part => [x(size.low * Math.exp(length * part)), y(regret.low * Math.exp(slope * length * part))];
  const [start, end, label] = [point(0), point(1), point(.92)];
  return [draw("line", { class: "diagonal", x1: start[0], y1: start[1], x2: end[0], y2: end[1] }),
    draw("text", { x: label[0] - 6, y: label[1] - 4, "text-anchor": "end" }, name)];
}

function scalingPlot(family, group) {
  const width = 520, height = 330, left = 52, right = width - 12, top = 10, bottom = height - 44;
  const x = scale(family.size, left, right), y = scale(family.regret, bottom, top);
  const ticks = [...family.size.ticks.flatMap(v => [draw("line", { class: "axis", x1: x(v), x2: x(v), y1: top, y2: bottom }),
    draw("text", { x: x(v), y: bottom + 16, "text-anchor": "middle" }, tickText(v))]),
  ...family.regret.ticks.flatMap(v => [draw("line", { class: "axis", x1: left, x2: right, y1: y(v), y2: y(v) }),
    draw("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, tickText(v))])];
  return draw("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Regret over N, on logarithmic axes" }, ...ticks,
    ...reference(family, .5, "slope 1/2", x, y), ...reference(family, 1, "slope 1", x, y), ...group.map(line => scalingLine(line, x, y)).reverse(),
    draw("text", { x: (left + right) / 2, y: height - 8, "text-anchor": "middle" }, "N"));
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
