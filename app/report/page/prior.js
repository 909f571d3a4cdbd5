"use strict";
/* The page of a fitted prior: scatter plots of two arms, the distribution of each arm, and the score of each candidate. */

const dataStyle = { ...data.dataStyle, width: 2, dash: [] }, drawStyle = { ...data.drawStyle, width: 2, dash: [] };
const MARGINALS_MAX = 12, BINS = 30;

function column(rows, arm) { return rows.map(row => row[arm]).filter(x => x !== null); }

const FRAME = { width: 460, height: 380, left: 56, right: 12, top: 10, bottom: 48 };

/* ---- pairs ---- */

function scatter(rows, style, name, a, b, xEnds, yEnds) {
  const { svg, x, y } = plotAxes({ label: data.arms[a], ...xEnds }, { label: data.arms[b], ...yEnds }, FRAME,
    { class: "plot", "aria-label": name + ": " + data.arms[a] + " and " + data.arms[b] });
  const points = rows.filter(row => row[a] !== null && row[b] !== null)
    .map(row => draw("circle", { cx: x.place(row[a]).toFixed(1), cy: y.place(row[b]).toFixed(1), r: 2 }));
  svg.append(coloured(draw("g", { "fill-opacity": .5 }, ...points), "fill", style));
  return make("div", {}, make("p", { class: "quiet" }, name), svg);
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
  const [xEnds, yEnds] = pair.map(arm => endsOf({}, [...column(data.data, arm), ...column(draws, arm)]));
  at("pair-plots").replaceChildren(scatter(data.data, dataStyle, "data", a, b, xEnds, yEnds),
    scatter(draws, drawStyle, "draws from the prior", a, b, xEnds, yEnds));
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
  const ofData = column(data.data, arm), ofDraws = column(data.draws, arm), across = endsOf({}, [...ofData, ...ofDraws]);
  const bars = histogram(ofData, across), line = histogram(ofDraws, across), up = { low: 0, high: 1.05 * Math.max(...bars, ...line) };
  const { svg, y: { place: y }, left, right, bottom } = plotAxes({ label: data.arms[arm], ...across }, up, FRAME,
    { class: "plot", "aria-label": "Distribution of " + data.arms[arm] });
  const width = (right - left) / BINS, edge = i => left + i * width;
  const boxes = bars.map((height, i) => draw("rect", { x: edge(i), y: y(height), width: width - 1, height: bottom - y(height) }));
  svg.append(coloured(draw("g", { "fill-opacity": .35 }, ...boxes), "fill", dataStyle),
    coloured(draw("path", { fill: "none", "stroke-width": 2, d: pathThrough(line.flatMap((height, i) => [[edge(i), y(height)], [edge(i + 1), y(height)]])) }), "stroke", drawStyle));
  return svg;
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
  const scores = data.candidates.map(c => c.score);
  const floor = Math.max(...scores) - 3 * Math.abs(Math.max(...scores) - scores[0]) - .1; /* too narrow kernels have very low scores */
  const shown = data.candidates.filter(c => c.score >= floor), at_ = c => Math.log2(c.size);
  const named = data.candidates.filter((c, i) => data.candidates.length < 9 || i % 2 === 0);
  const across = { label: data.sizeName, ...endsOf({}, data.candidates.map(at_)), ticks: named.map(at_), labels: named.map(c => sizeText(c.size, 2)) };
  const { svg, x, y } = plotAxes(across, endsOf({}, shown.map(c => c.score)), FRAME, { class: "plot", "aria-label": "Score by " + data.sizeName });
  const place = c => [x.place(at_(c)), y.place(c.score)];
  svg.append(coloured(draw("path", { fill: "none", "stroke-width": 1.5, d: pathThrough(shown.map(place)) }), "stroke", dataStyle),
    ...shown.map(c => dot(dataStyle, false, ...place(c), c.size === data.chosen ? 7 : 3.5, draw("title", {}, sizeText(c.size) + " " + data.sizeName + ": " + number(c.score, 6)))));
  at("choice-plot").append(make("div", { class: "split" },
    make("div", { style: "width: 30rem" }, svg),
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
