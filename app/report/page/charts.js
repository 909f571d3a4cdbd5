"use strict";
/*
 * Curves and selection shares, drawn by dygraphs. Series are called c0, c1, ..., because the names of competitors may
 * be any text.
 */
const competitors = data.competitors;
const shown = competitors.map(() => true);
const last = data.rounds.length - 1;
const charts = [];  /* of curves: {graph, curves, write} */
const state = { logY: false, logX: false, bands: true };
const key = (_, i) => "c" + i;

/*
 * Quantities that jump from round to round are averaged over windows, as in the pictures. The interval that is drawn is
 * the mean of the intervals in a window; the interval of the mean of the window is no wider.
 */
const span = Math.ceil(data.rounds.length / 100);
const windows = data.rounds.filter((_, p) => p % span === 0).map((_, w) => [w * span, Math.min(w * span + span, last + 1) - 1]);
const middles = windows.map(([from, to]) => (data.rounds[from] + data.rounds[to]) / 2);
const windowName = ([from, to]) => from === to ? "round " + data.rounds[from] : "rounds " + data.rounds[from] + " to " + data.rounds[to];
function average(values) {
  return windows.map(([from, to]) => {
    let sum = 0;
    for (let p = from; p <= to; p++) sum += values[p] || 0;
    return sum / (to - from + 1);
  });
}

/* The mouse zooms; a finger scrolls the page, and a tap shows values. */
const interaction = Object.assign({}, Dygraph.defaultInteractionModel);
for (const touch of ["touchstart", "touchmove", "touchend"]) delete interaction[touch];

function inks() {
  const style = getComputedStyle(root);
  return { axisLineColor: style.getPropertyValue("--quiet").trim(), gridLineColor: style.getPropertyValue("--rule").trim() };
}

function seriesLooks(styles) {
  const series = {};
  styles.forEach((style, i) => {
    series["c" + i] = { color: colour(style), strokeWidth: style.width, strokePattern: style.dash.length ? style.dash : null };
  });
  return series;
}

function chartBox(name, description) {
  return make("div", { class: "chart", role: "img", "aria-label": description, "data-chart": name });
}

/* Selectors are drawn on top. The first selector, a line without gaps, is below the dashes of the others. */
const places = competitors.map((_, i) => i), selects = i => competitors[i].role === "selector";
const order = [...places.filter(i => !selects(i)).reverse(), ...places.filter(selects)];

function curveRows(chart, log) {
  return chart.x.map((round, p) => [round, ...order.map(c => {
    const mean = chart.curves[c][0][p], half = chart.curves[c][1][p] || 0;
    if (mean === null || (log && mean <= 0)) return [null, null, null];
    return state.bands ? [log ? Math.max(mean - half, mean / 50) : mean - half, mean, mean + half] : [mean, mean, mean];
  })]);
}

/* Tasks are whole numbers, so ticks are, too. */
function wholeTicks(...axis) { return Dygraph.numericTicks(...axis).filter(tick => Math.abs(tick.v - Math.round(tick.v)) < 1e-6); }

function curveOptions(chart) {
  const log = state.logY && chart.canLog;
  return {
    ...inks(), file: curveRows(chart, log), logscale: log, series: seriesLooks(order.map(c => competitors[c].style)),
    axes: { x: { logscale: state.logX, ...(chart.over ? { ticker: wholeTicks } : {}) }, y: { axisLabelWidth: 58 } }, fillAlpha: state.bands ? 0.13 : 0,
    dateWindow: chart.graph && chart.graph.isZoomed("x") ? chart.graph.xAxisRange() : null, valueRange: log ? null : chart.range,
  };
}

/* chart: {name, label, unit, x, curves, range, canLog, when(row), write(mean, half)}, and `over` if x is not rounds */
function addCurves(chart, section, description) {
  const box = chartBox(chart.name, description);
  section.append(make("h3", {}, chart.label), box);
  chart.graph = new Dygraph(box, curveRows(chart, false), {
    ...curveOptions(chart), labels: ["round", ...order.map(key)], customBars: true, legend: "never", xlabel: chart.over || "round",
    ylabel: chart.unit, interactionModel: interaction, highlightCircleSize: 4,
    labelsKMB: false, digitsAfterDecimal: 3, xRangePad: 2, axisLabelFontSize: 13,
    highlightCallback: (event, x, points, row) => writeValues(chart, row), unhighlightCallback: () => writeValues(chart, chart.x.length - 1),
  });
  charts.push(chart);
}

function redrawVisibility() {
  for (const chart of charts) chart.graph.updateOptions({ visibility: order.map(c => shown[c]) });
}

function redrawCurves() {
  for (const chart of charts) chart.graph.updateOptions(curveOptions(chart));
}

/* ---- the legend, which also switches curves and shows values ---- */

const outputs = competitors.map(() => make("output"));

function writeValues(chart, row) {
  competitors.forEach((c, i) => { outputs[i].textContent = chart.write(chart.curves[i][0][row], chart.curves[i][1][row]); });
  at("round-shown").textContent = chart.unit + ", " + chart.when(row);
}

/* Beyond this number of learners, a page begins with those that a reader can tell apart. */
const MANY = 12;
const crowded = competitors.filter(c => c.role === "learner").length > MANY;

function isProminent(c, i) { return c.role === "selector" || i === bestLearner(); }

function show(which) {
  competitors.forEach((c, i) => { shown[i] = which(c, i); });
  at("legend").querySelectorAll("input").forEach((box, i) => { box.checked = shown[i]; });
  redrawVisibility();
}

function buildLegend() {
  at("legend").append(...competitors.map((c, i) => make("label", { title: c.name },
    make("input", { type: "checkbox", checked: true, "data-competitor": i, change: event => {
      shown[i] = event.target.checked;
      redrawVisibility();
    } }), swatch(c.style), make("span", { class: "name" }, c.name), outputs[i])));
}

function toggleButton(text, name) {
  return make("button", { type: "button", "aria-pressed": String(state[name]), "data-toggle": name, click: event => {
    state[name] = !state[name];
    event.target.setAttribute("aria-pressed", String(state[name]));
    redrawCurves();
  } }, text);
}

/* On a log there is value instead of regret, and a larger value is better. */
const onLog = data.manifest.measure === "value", measure = onLog ? "value" : "regret";

function buildControls() {
  const plain = (text, action) => make("button", { type: "button", click: action }, text);
  at("controls").append(...(onLog ? [] : [toggleButton("log regret", "logY")]), toggleButton("log rounds", "logX"), toggleButton("95% bands", "bands"),
    plain("whole range", () => charts.forEach(chart => chart.graph.resetZoom())), plain("all", () => show(() => true)),
    plain("selectors and best learner", () => show(isProminent)),
    make("span", { id: "round-shown", class: "quiet" }));
}

function bestLearner() {
  let best = -1;
  competitors.forEach((c, i) => { if (c.role === "learner" && (best < 0 || (onLog ? c.regret > competitors[best].regret : c.regret < competitors[best].regret))) best = i; });
  return best;
}

/* The first rows of a log leave wide intervals, so only the last nine tenths set the scale. */
function valueRange() {
  let low = Infinity, high = -Infinity;
  for (const [means, halves] of data.regret) {
    means.forEach((mean, p) => {
      if (mean === null || p < means.length / 10) return;
      low = Math.min(low, mean - (halves[p] || 0));
      high = Math.max(high, mean + (halves[p] || 0));
    });
  }
  return low < high ? [low, high] : [null, null];
}

function buildCurves() {
  const ends = competitors.map(c => c.name + " " + number(c.regret)).join(", ");
  buildControls();
  buildLegend();
  const label = onLog ? "Value on the log so far" : "Cumulative regret";
  addCurves({ name: "regret", label, unit: onLog ? "value" : "cumulative regret", x: data.rounds, curves: data.regret,
    range: onLog ? valueRange() : [0, null], canLog: !onLog, when: row => "round " + data.rounds[row], write: interval }, at("curves"), label + " over rounds; at the end: " + ends);
  if (data.optimal) {
    addCurves({ name: "optimal", label: "Optimal arm played" + (span > 1 ? ", mean of " + span + " recorded rounds" : ""),
      unit: "share of runs", x: middles, curves: data.optimal.map(rows => rows.map(average)), range: [0, 1.02], canLog: false,
      when: row => windowName(windows[row]), write: percent },
    at("curves"), "Share of runs that play an optimal arm, over rounds");
  } else {
    at("curves").append(make("p", { class: "note" }, onLog ? "The optimal arm of a log is not known." : "A continuous set of arms has no optimal rate."));
  }
  if (data.tasks) {
    const tasks = data.tasks[0][0].map((_, task) => task + 1);
    addCurves({ name: "tasks", label: "Regret of each task", unit: "regret of the task", over: "task", x: tasks, curves: data.tasks,
      range: [0, null], canLog: true, when: row => "task " + tasks[row], write: interval }, at("curves"), "Regret of each task, task by task");
  }
  writeValues(charts[0], last);
  onTheme.push(redrawCurves);
}

/* ---- selection ---- */

/* dygraphs stacks the first series on top; the first learner lies lowest, as in the pictures. */
function addShares(selector, learners) {
  const up = learners.map((_, m) => learners.length - 1 - m), shares = data.share[selector].map(average);
  const read = make("p", { class: "note" });
  const write = row => {
    const parts = learners.map((l, m) => [shares[m][row], l.name]).filter(part => part[0] > 0).sort((a, b) => b[0] - a[0]);
    read.textContent = windowName(windows[row]) + ": " + parts.slice(0, 4).map(part => part[1] + " " + percent(part[0])).join(", ");
  };
  const box = chartBox("share" + selector, "Shares of learners chosen by " + competitors[selector].name);
  at("selection-charts").append(make("div", {}, make("h3", {}, competitors[selector].name), box, read));
  const looks = () => ({ ...inks(), series: Object.fromEntries(up.map((m, i) => ["c" + i, { color: colour(learners[m].style) }])) });
  const graph = new Dygraph(box, middles.map((round, w) => [round, ...up.map(m => shares[m][w])]), {
    ...looks(), labels: ["round", ...up.map(key)], stackedGraph: true, fillAlpha: 0.8, strokeWidth: 0.8, legend: "never", xlabel: "round",
    ylabel: "share of runs", valueRange: [0, 1.0001], interactionModel: interaction, highlightCircleSize: 0, axisLabelFontSize: 13,
    highlightCallback: (event, x, points, row) => write(row), unhighlightCallback: () => write(windows.length - 1),
    axes: { y: { drawGrid: false }, x: { drawGrid: false } },
  });
  write(windows.length - 1);
  onTheme.push(() => graph.updateOptions(looks()));
}

function buildSelection() {
  if (data.share.length === 0) { at("selection").remove(); return; }
  at("selection-legend").append(...data.names.map(l => make("span", { class: "entry", title: l.name }, swatch(l.style, true),
    make("span", { class: "name" }, l.name))));
  data.share.forEach((_, s) => addShares(s, data.names));
}
