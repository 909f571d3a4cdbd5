"use strict";
/* The page of a fitted prior: scatter plots of two arms, the distribution of each arm, and the score of each candidate. */

const dataStyle = { ...data.dataStyle, width: 2, dash: [] }, drawStyle = { ...data.drawStyle, width: 2, dash: [] };
const MARGINALS_MAX = 12, BINS = 30;

function column(rows, arm) { return rows.map(row => row[arm]).filter(x => x !== null); }

/* From the lowest to the highest of all values, with a margin. */
function extent(...lists) {
  const all = lists.flat(), low = all.reduce((a, b) => Math.min(a, b)), high = all.reduce((a, b) => Math.max(a, b));
  const air = (high - low || 1) * .04;
  return { low: low - air, high: high + air };
}

function between(axis, from, to) { return value => from + (to - from) * (value - axis.low) / (axis.high - axis.low); }

/* Round numbers, about four of them. */
function roundTicks(axis) {
  const rough = (axis.high - axis.low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough), ticks = [];
  for (let i = Math.ceil(axis.low / step); i * step <= axis.high; i++) ticks.push(+(i * step).toPrecision(12));
  return ticks;
}

function tickText(value) { return String(value).replace("-", "−"); }

const frame = { width: 460, height: 380, left: 56, right: 448, top: 10, bottom: 332 };

function axes(x, y, xAxis, yAxis, xName, yName) {
  const { width, left, right, top, bottom, height } = frame;
  return [...roundTicks(xAxis).flatMap(v => [draw("line", { class: "axis", x1: x(v), x2: x(v), y1: top, y2: bottom }),
    draw("text", { x: x(v), y: bottom + 16, "text-anchor": "middle" }, tickText(v))]),
  ...roundTicks(yAxis).flatMap(v => [draw("line", { class: "axis", x1: left, x2: right, y1: y(v), y2: y(v) }),
    draw("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, tickText(v))]),
  draw("text", { x: (left + right) / 2, y: height - 10, "text-anchor": "middle" }, xName),
  yName && draw("text", { x: 14, y: (top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + bottom) / 2})` }, yName)];
}

function plot(label, ...children) {
  return draw("svg", { class: "plot", viewBox: `0 0 ${frame.width} ${frame.height}`, role: "img", "aria-label": label }, ...children);
}

/* ---- pairs ---- */

function scatter(rows, style, name, a, b, xAxis, yAxis) {
  const x = between(xAxis, frame.left, frame.right), y = between(yAxis, frame.bottom, frame.top);
  const points = rows.filter(row => row[a] !== null && row[b] !== null)
    .map(row => draw("circle", { cx: x(row[a]).toFixed(1), cy: y(row[b]).toFixed(1), r: 2 }));
  const group = coloured(draw("g", { "fill-opacity": .5 }, ...points), "fill", style);
  return make("div", {}, make("p", { class: "quiet" }, name),
    plot(name + ": " + data.arms[a] + " and " + data.arms[b], ...axes(x, y, xAxis, yAxis, data.arms[a], data.arms[b]), group));
}

let pair = [0, 1];

/* Rows without a value of one of the two arms cannot be drawn. */
function writePairCount() {
  const placed = data.data.filter(row => pair.every(arm => row[arm] !== null)).length, left = data.data.length - placed;
  at("pair-count").textContent = (data.rowCount > data.data.length ? data.data.length + " of " + plural(data.rowCount, "row") + ", evenly spread. " : "")
    + (left > 0 ? "Left out: " + plural(left, "row") + " without a value of one of these arms. Every draw has a value for each arm." : "");
}

function drawPair() {
  writePairCount();
  const [a, b] = pair, draws = data.draws.slice(0, data.data.length); /* as many draws as rows of data */
  const xAxis = extent(column(data.data, a), column(draws, a)), yAxis = extent(column(data.data, b), column(draws, b));
  at("pair-plots").replaceChildren(scatter(data.data, dataStyle, "data", a, b, xAxis, yAxis),
    scatter(draws, drawStyle, "draws from the prior", a, b, xAxis, yAxis));
}

function chooser(which, label) {
  const id = "pair-" + which;
  const select = make("select", { id, change: event => { pair[which] = +event.target.value; drawPair(); } },
    ...data.arms.map((name, i) => make("option", { value: i, selected: pair[which] === i }, name)));
  return make("span", {}, make("label", { for: id }, label + " "), select);
}

/* ---- each arm ---- */

function histogram(values, axis) {
  const counts = new Array(BINS).fill(0), width = (axis.high - axis.low) / BINS;
  for (const v of values) counts[Math.min(BINS - 1, Math.max(0, Math.floor((v - axis.low) / width)))]++;
  return counts.map(count => count / values.length / width);
}

function marginal(arm) {
  const ofData = column(data.data, arm), ofDraws = column(data.draws, arm), axis = extent(ofData, ofDraws);
  const bars = histogram(ofData, axis), line = histogram(ofDraws, axis), most = { low: 0, high: 1.05 * Math.max(...bars, ...line) };
  const x = between(axis, frame.left, frame.right), y = between(most, frame.bottom, frame.top), width = (frame.right - frame.left) / BINS;
  const boxes = bars.map((height, i) => draw("rect", { x: frame.left + i * width, y: y(height), width: width - 1, height: frame.bottom - y(height) }));
  const steps = line.flatMap((height, i) => [[frame.left + i * width, y(height)], [frame.left + (i + 1) * width, y(height)]]);
  return plot("Distribution of " + data.arms[arm], ...axes(x, y, axis, most, data.arms[arm], null),
    coloured(draw("g", { "fill-opacity": .35 }, ...boxes), "fill", dataStyle),
    coloured(draw("polyline", { points: steps.map(p => p.map(v => v.toFixed(1)).join(",")).join(" "), fill: "none", "stroke-width": 2 }), "stroke", drawStyle));
}

function moments(values) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return { mean, sd: Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length) };
}

function buildMoments() {
  const rows = data.arms.map((name, arm) => ({ name, known: column(data.data, arm).length, ofData: moments(column(data.data, arm)), ofDraws: moments(column(data.draws, arm)) }));
  at("moments").append(make("p", { class: "note" }, "Means and standard deviations of the data and of " + data.draws.length + " draws from the prior." + (data.noisy ? " Those of the data include the noise of averages." : "")), table("Moments", [
    { title: "arm", cell: row => row.name, class: "name" },
    { title: "mean, data", cell: row => number(row.ofData.mean), value: row => row.ofData.mean, number: true },
    { title: "mean, prior", cell: row => number(row.ofDraws.mean), value: row => row.ofDraws.mean, number: true },
    { title: "sd, data", cell: row => number(row.ofData.sd), value: row => row.ofData.sd, number: true },
    { title: "sd, prior", cell: row => number(row.ofDraws.sd), value: row => row.ofDraws.sd, number: true },
  ], rows));
}

/* ---- the choice ---- */

/* The number of components is whole, the width of a kernel is not. */
function sizeText(size, digits) { return data.sizeName === "kernel" ? number(size, digits) : String(size); }

function buildChoice() {
  if (data.candidates.length < 2) {
    at("choice").remove();
    document.querySelector('nav a[href="#choice"]').remove();
    return;
  }
  at("choice-note").textContent = data.sizeName === "kernel"
    ? "The log-likelihood of each row given the others, in nats a row. Higher is better, and the best kernel is taken. A kernel is a share of each arm's standard deviation."
    : "The log-likelihood of rows that were held out, in nats a row. Higher is better. More components are taken only if they gain enough.";
  const logs = data.candidates.map(c => Math.log2(c.size)), scores = data.candidates.map(c => c.score);
  const floor = Math.max(...scores) - 3 * Math.abs(Math.max(...scores) - scores[0]) - .1; /* too narrow kernels have very low scores */
  const xAxis = extent(logs), yAxis = extent(scores.filter(s => s >= floor));
  const x = between(xAxis, frame.left, frame.right), y = between(yAxis, frame.bottom, frame.top);
  const shown = data.candidates.filter(c => c.score >= yAxis.low);
  const dots = shown.map(c => draw("circle", { cx: x(Math.log2(c.size)), cy: y(c.score), r: c.size === data.chosen ? 7 : 3.5 },
    draw("title", {}, sizeText(c.size) + " " + data.sizeName + ": " + number(c.score, 6))));
  const names = data.candidates.filter((c, i) => data.candidates.length < 9 || i % 2 === 0)
    .map(c => draw("text", { x: x(Math.log2(c.size)), y: frame.bottom + 16, "text-anchor": "middle" }, sizeText(c.size, 2)));
  const ticks = roundTicks(yAxis).flatMap(v => [draw("line", { class: "axis", x1: frame.left, x2: frame.right, y1: y(v), y2: y(v) }),
    draw("text", { x: frame.left - 6, y: y(v) + 4, "text-anchor": "end" }, tickText(v))]);
  const line = draw("polyline", { points: shown.map(c => x(Math.log2(c.size)).toFixed(1) + "," + y(c.score).toFixed(1)).join(" "), fill: "none", "stroke-width": 1.5 });
  const group = coloured(coloured(draw("g", {}, line, ...dots), "stroke", dataStyle), "fill", dataStyle);
  line.setAttribute("fill", "none");
  at("choice-plot").append(make("div", { class: "split" },
    make("div", { style: "width: 30rem" }, plot("Score by " + data.sizeName, ...ticks, ...names, group,
      draw("text", { x: (frame.left + frame.right) / 2, y: frame.height - 10, "text-anchor": "middle" }, data.sizeName))),
    table("Candidates", [
      { title: data.sizeName, cell: c => sizeText(c.size), value: c => c.size, number: true },
      { title: "held out, nats a row", cell: c => number(c.score, 5), value: c => c.score, number: true },
      { title: "", cell: c => c.size === data.chosen ? badge("holds", "chosen") : "" },
    ], data.candidates)));
}

applyTheme();
at("summary").textContent = data.facts;
at("pair-controls").append(chooser(0, "across"), chooser(1, "up"));
at("pair-note").textContent = data.noisy
  ? "The data are on the left, and an equal number of draws from the prior on the right. A point is a task, at the average rewards of two arms. The prior is about means without noise. Averages of few rewards have noise, so the data are wider than the draws."
  : "The data are on the left, and an equal number of draws from the prior on the right. They should look alike. A point is an instance, at the mean rewards of two arms.";
drawPair();
at("legend").append(make("span", { class: "entry" }, swatch(dataStyle, true), "data"), make("span", { class: "entry" }, swatch(drawStyle), "prior"));
at("marginal-plots").append(...data.arms.slice(0, MARGINALS_MAX).map((name, arm) => marginal(arm)));
if (data.armCount > MARGINALS_MAX) at("marginals").append(make("p", { class: "note" }, "The first " + MARGINALS_MAX + " of " + data.armCount + " arms."));
buildMoments();
buildChoice();
