"use strict";
/*
 * The charts of the board, described as the report describes its own. The server puts the palette, elements.js and
 * plot.js, which draws them, before this script.
 */

function whole(x) { return x === null || x === undefined ? "–" : Math.round(x).toLocaleString("en").replaceAll(",", "\u202f"); }

/* A style of the palette, as style.c makes it. */
function styleOf(role, rank = 0) {
  const { colours, width, band } = palette[role], [light, dark] = colours[rank % colours.length];
  const dash = role === "oracle" ? palette.oracle_dash : role === "rest" ? [] : palette.dashes[rank % palette.dashes.length];
  return { light, dark, width, band, dash };
}

/*
 * How learners look. Of more than a reader can tell apart, those that are played most have colours, and the others are
 * grey.
 */
function looksOf(learners) {
  const places = learners.map((_, i) => i), most = [...places].sort((a, b) => learners[b].plays - learners[a].plays);
  const shown = learners.length > palette.shown_learners ? places.filter(i => most.indexOf(i) < palette.coloured_areas) : places;
  return places.map(i => shown.includes(i) ? { shown: true, style: styleOf("learner", shown.indexOf(i)) } : { shown: false, style: styleOf("rest") });
}

/* A chart over the seconds before now. */
function overTime(note, span, rows, y, series) {
  const x = { low: -span, high: 0, ticks: [-span, -span / 2, 0], labels: [ago(span), ago(span / 2), "now"] };
  return { note, y, panels: [{ x, at: rows.map(row => row.t), series, drawn: series.map((_, i) => i) }], rest: styleOf("rest") };
}

/* rows: {t, shares} with a share for each learner, or null where nothing was decided. */
function shareChart(span, rows, learners) {
  const looks = looksOf(learners), share = i => row => row.shares === null ? null : row.shares[i] ?? 0;
  const series = learners.map((one, i) => ({ name: one.name, ...looks[i], mean: rows.map(share(i)) }));
  return { stacked: true, ...overTime("Shares of decisions over time", span, rows, { low: 0, high: 1, percent: true }, series) };
}

const LINE = { ...styleOf("selector"), width: 2 }; /* of what the selector earned */

function rewardChart(span, rows) {
  return overTime("Mean reward over time", span, rows, {}, [{ name: "best arm", style: styleOf("oracle"), shown: true, mean: rows.map(row => row.best) },
    { name: "mean reward", style: LINE, shown: true, mean: rows.map(row => row.mean) }]);
}

function regretChart(span, rows) {
  const negative = rows.some(row => row.regret < 0), series = [{ name: "regret", style: LINE, shown: true, mean: rows.map(row => row.regret) }];
  return overTime("Regret over time", span, rows, { low: negative ? null : 0 }, series);
}

/* Draws a chart into a box of the page, as wide as it is, so that letters keep their size. `empty`: a text over it. */
function putChart(box, chart, empty) {
  const frame = { width: box.clientWidth || 560, height: 190, left: 52, right: 8, top: 8, bottom: 24 };
  const { svg, left, right } = plot(chart, chart.panels[0], frame, { "aria-label": chart.note });
  if (empty) svg.append(draw("text", { x: (left + right) / 2, y: frame.height / 2, class: "empty" }, empty));
  box.replaceChildren(svg);
}

/* The position of a mean and its band between the lowest and the highest of all. */
function bandPicture(mean, deviation, low, most) {
  const at_ = v => 100 * Math.min(1, Math.max(0, (v - low) / (most - low || 1)));
  const svg = draw("svg", { viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("line", { class: "ground", x1: 0, x2: 100, y1: 10, y2: 10 }));
  if (deviation !== null) {
    const from = at_(mean - 2 * deviation), to = at_(mean + 2 * deviation);
    svg.append(draw("rect", { class: "band", x: from, y: 4, width: Math.max(.5, to - from), height: 12 }));
  }
  svg.append(draw("rect", { class: "mean", x: Math.min(98.8, at_(mean)), y: 2, width: 1.2, height: 16 }));
  return svg;
}

function barPicture(part, style) {
  return draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    coloured(draw("rect", { x: 0, y: 0, width: Math.max(0, Math.min(100, 100 * part)), height: 10 }), "fill", style));
}
