"use strict";
/*
 * The charts of an experiment as their description has them (docs/results.md): series, order, styles, axes and titles.
 * Curves and areas are drawn by dygraphs, the others as SVG. dygraphs calls series c0, c1, ..., because names may be any
 * text.
 */
const competitors = data.competitors;
const shown = competitors.map(c => c.shown);
const described = Object.fromEntries(data.charts.map(chart => [chart.name, chart]));
const course = data.charts[0].panels[0]; /* of regret or value, over the recorded rounds */
const rounds = course.at, last = rounds.length - 1;
const charts = [];  /* of curves: a description, its graph, and what the legend shows of it */
const state = { logY: false, logX: false, bands: true, grey: competitors.some(c => !c.shown) };
const key = (_, i) => "c" + i;

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

/* Where a value is: a round, a task, or the window over which it is a mean. */
function placeName(panel, i) {
  const [from, to] = panel.windows ? panel.windows[i] : [panel.at[i], panel.at[i]];
  return from === to ? panel.x.label + " " + from : panel.x.label + "s " + from + " to " + to;
}

/* ---- curves ---- */

function curveRows({ panel }, log) {
  return panel.at.map((x, i) => [x, ...panel.drawn.map(c => {
    const mean = panel.series[c].mean[i], half = state.bands && shown[c] ? panel.series[c].ci95[i] || 0 : 0;
    if (mean === null || (log && mean <= 0)) return [null, null, null];
    return [log ? Math.max(mean - half, mean / 50) : mean - half, mean, mean + half];
  })]);
}

/* Tasks are whole numbers, so ticks are, too. */
function wholeTicks(...axis) { return Dygraph.numericTicks(...axis).filter(tick => Math.abs(tick.v - Math.round(tick.v)) < 1e-6); }

function yLabels(chart) {
  return { axisLabelWidth: 58, ...(chart.y.percent ? { axisLabelFormatter: y => percent(y).replace(".0", "") } : {}) };
}

/* What the reader has not chosen is grey or hidden. */
function curveOptions(chart) {
  const log = state.logY && chart.canLog, { panel } = chart;
  return {
    ...inks(), file: curveRows(chart, log), logscale: log, series: seriesLooks(panel.drawn.map(c => shown[c] ? panel.series[c].style : chart.rest)),
    visibility: panel.drawn.map(c => shown[c] || (state.grey && competitors[c].role === "learner")),
    axes: { x: { logscale: state.logX, ticker: wholeTicks }, y: yLabels(chart) },
    fillAlpha: state.bands ? 0.13 : 0, dateWindow: chart.graph && chart.graph.isZoomed("x") ? chart.graph.xAxisRange() : null,
    valueRange: log ? null : [chart.y.low, chart.y.percent ? 1.02 : chart.y.high],
  };
}

function addCurves(described) {
  const chart = { ...described, panel: described.panels[0], canLog: described.y.low === 0 && !described.y.percent };
  const ends = chart.panel.series.map(one => one.name + " " + number(one.mean.at(-1))).join(", ");
  const box = chartBox(chart.name, chart.note + ", over " + chart.panel.x.label + "s; at the end: " + ends);
  at("curves").append(make("h3", {}, chart.note), box);
  chart.graph = new Dygraph(box, curveRows(chart, false), {
    ...curveOptions(chart), labels: ["x", ...chart.panel.drawn.map(key)], customBars: true, legend: "never", xlabel: chart.panel.x.label,
    ylabel: chart.y.label, interactionModel: interaction, highlightCircleSize: 4,
    labelsKMB: false, digitsAfterDecimal: 3, xRangePad: 2, axisLabelFontSize: 13,
    highlightCallback: (event, x, points, row) => writeValues(chart, row), unhighlightCallback: () => writeValues(chart, chart.panel.at.length - 1),
  });
  charts.push(chart);
}

function redrawCurves() {
  for (const chart of charts) chart.graph.updateOptions(curveOptions(chart));
}

/* ---- the legend, which also switches curves and shows values ---- */

const outputs = competitors.map(() => make("output"));

function writeValues(chart, row) {
  const write = chart.y.percent ? percent : interval;
  chart.panel.series.forEach((one, i) => { outputs[i].textContent = write(one.mean[row], one.ci95[row]); });
  at("round-shown").textContent = chart.y.label + ", " + placeName(chart.panel, row);
}

function show(which) {
  competitors.forEach((c, i) => { shown[i] = which(c); });
  at("legend").querySelectorAll("input").forEach((box, i) => { box.checked = shown[i]; });
  redrawCurves();
}

function buildLegend() {
  at("legend").append(...competitors.map((c, i) => make("label", { title: c.name },
    make("input", { type: "checkbox", checked: shown[i], "data-competitor": i, change: event => {
      shown[i] = event.target.checked;
      redrawCurves();
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
    toggleButton("others in grey", "grey"), plain("whole range", () => charts.forEach(chart => chart.graph.resetZoom())), plain("all", () => show(() => true)),
    plain("selectors and best learner", () => show(c => c.role === "selector" || c === bestLearner())),
    make("span", { id: "round-shown", class: "quiet" }));
}

function bestLearner() {
  const sign = onLog ? -1 : 1;
  return competitors.filter(c => c.role === "learner").reduce((best, c) => best && sign * best.regret <= sign * c.regret ? best : c, null);
}

function buildCurves() {
  buildControls();
  buildLegend();
  for (const name of [measure, "optimal", "tasks"]) if (described[name]) addCurves(described[name]);
  if (!described.optimal) at("curves").append(make("p", { class: "note" }, onLog ? "The optimal arm of a log is not known." : "A continuous set of arms has no optimal rate."));
  writeValues(charts[0], last);
  onTheme.push(redrawCurves);
}

/* ---- areas ---- */

/* dygraphs stacks the first series on top; the first learner lies lowest. */
function addAreas(chart, panel, box) {
  const up = panel.series.map((_, m) => panel.series.length - 1 - m);
  const read = make("p", { class: "note" });
  const write = row => {
    const parts = panel.series.map(one => [one.mean[row], one.name]).filter(part => part[0] > 0).sort((a, b) => b[0] - a[0]);
    read.textContent = placeName(panel, row) + ": " + parts.slice(0, 4).map(part => part[1] + " " + percent(part[0])).join(", ");
  };
  box.after(read);
  const look = m => panel.series[m].shown ? panel.series[m].style : chart.rest;
  const looks = () => ({ ...inks(), series: Object.fromEntries(up.map((m, i) => ["c" + i, { color: colour(look(m)) }])) });
  const graph = new Dygraph(box, panel.at.map((x, i) => [x, ...up.map(m => panel.series[m].mean[i])]), {
    ...looks(), labels: ["x", ...up.map(key)], stackedGraph: true, fillAlpha: 0.8, strokeWidth: 0.8, legend: "never", xlabel: panel.x.label,
    ylabel: chart.y.label, valueRange: [0, 1.0001], interactionModel: interaction, highlightCircleSize: 0, axisLabelFontSize: 13,
    highlightCallback: (event, x, points, row) => write(row), unhighlightCallback: () => write(panel.at.length - 1),
    axes: { y: { drawGrid: false, ...yLabels(chart) }, x: { drawGrid: false } },
  });
  write(panel.at.length - 1);
  onTheme.push(() => graph.updateOptions(looks()));
}

function buildSelection() {
  const chart = described.selection;
  if (!chart) { dropSection("selection"); return; }
  const boxes = chart.panels.map((panel, place) => chartBox("share" + place, "Shares of learners chosen by " + panel.title));
  at("selection-charts").before(keyOf(chart));
  at("selection-charts").append(...chart.panels.map((panel, place) => make("div", {}, make("h3", {}, panel.title), boxes[place])));
  chart.panels.forEach((panel, place) => addAreas(chart, panel, boxes[place])); /* dygraphs takes the width that a box has now */
}

/* ---- sweeps ---- */

const SWEEP = { width: 560, height: 380, left: 70, right: 12, top: 10, bottom: 48 };

function sweepPlot(chart, panel) {
  const label = chart.y.label + " over " + panel.x.label + " of " + panel.title;
  return make("div", {}, make("h3", {}, panel.title), plot(chart, panel, SWEEP, { class: "plot", "data-plot": "sweep", "aria-label": label }).svg);
}

function buildSweep() {
  const chart = described.sweep;
  if (!chart) { dropSection("sweep"); return; }
  at("sweep").append(keyOf(chart), make("div", { class: "columns" }, ...chart.panels.map(panel => sweepPlot(chart, panel))));
}
