"use strict";
/*
 * The guarantee beside what was measured:
 *     2 d* M sqrt(t) + 4 c sqrt(M t log(M t / delta)),   delta = 1 / (M t)^2,   so that the logarithm is 3 log(M t).
 * d* is the smallest learner coefficient of a run, over runs its largest or its 0.95 quantile; the paper leaves c open.
 */
function guarantee(dStar, learners, c, t) {
  return 2 * dStar * learners * Math.sqrt(t) + 4 * c * Math.sqrt(learners * t * 3 * Math.log(learners * t));
}

const coefficients = Object.fromEntries((data.manifest.guarantee || []).map(row => [row.selector, row]));
/* The theorem is one of B-MS. M is the number of learners the selector plays, which may be some of the file's. */
const bounded = competitors.map((c, i) => ({ ...c, index: i, d: coefficients[c.name], M: coefficients[c.name]?.learners }))
  .filter(c => c.role === "selector" && c.kind === "bms" && c.d);
const terms = { which: "d_star_largest", c: 1 };

function theoryRows() {
  return data.rounds.map((t, p) => [t, ...bounded.map(s => data.regret[s.index][0][p] || null),
    ...bounded.map(s => guarantee(s.d[terms.which], s.M, terms.c, t))]);
}

function theoryLooks() {
  const measured = bounded.map(s => s.style), bound = bounded.map(s => ({ ...s.style, width: 1.4, dash: [3, 3] }));
  return { ...inks(), series: seriesLooks([...measured, ...bound]) };
}

function theoryChart(refresh) {
  const box = chartBox("theory", "Measured regret and the guarantee, on logarithmic axes");
  const read = make("p", { class: "note" });
  at("theory").append(box, read);
  const write = row => {
    read.textContent = "Round " + data.rounds[row] + ": " + bounded.map(s => s.name + " measured " + number(data.regret[s.index][0][row]) +
      ", guaranteed " + number(guarantee(s.d[terms.which], s.M, terms.c, data.rounds[row]))).join("; ");
  };
  const graph = new Dygraph(box, theoryRows(), {
    ...theoryLooks(), labels: ["round", ...bounded.map(key), ...bounded.map((_, i) => "c" + (bounded.length + i))], legend: "never",
    xlabel: "round", ylabel: "cumulative regret", logscale: true, axes: { x: { logscale: true }, y: { axisLabelWidth: 58 } }, interactionModel: interaction,
    axisLabelFontSize: 13, highlightCallback: (event, x, points, row) => write(row), unhighlightCallback: () => write(last),
  });
  const again = () => { graph.updateOptions({ ...theoryLooks(), file: theoryRows() }); write(last); };
  refresh.push(again);
  onTheme.push(again);
  write(last);
}

function theoryControls(refresh) {
  const tell = () => refresh.forEach(call => call());
  const which = make("select", { change: event => { terms.which = event.target.value; tell(); } },
    make("option", { value: "d_star_largest" }, "largest over runs"), make("option", { value: "d_star_95" }, "0.95 quantile"));
  const c = make("input", { type: "number", min: 0, step: "any", value: 1, input: event => {
    const value = Number(event.target.value);
    if (event.target.value !== "" && value >= 0 && isFinite(value)) { terms.c = value; tell(); }
  } });
  return make("div", { class: "controls" }, make("label", {}, "d* ", which), make("label", {}, "c ", c));
}

function coefficientTable() {
  const rows = data.learners.map(row => ({ ...row, style: (data.names.find(l => l.name === row.learner) || {}).style }));
  return table("Regret coefficients", [
    { title: "selector", cell: row => row.name, value: row => row.name, class: "name" },
    { title: "learner", cell: row => make("span", {}, row.style ? swatch(row.style) : "", row.learner), class: "name" },
    { title: "plays", cell: row => number(row.plays), value: row => row.plays, number: true },
    { title: "regret", cell: row => number(row.regret), value: row => row.regret, number: true },
    { title: "coefficient", cell: row => number(row.coefficient, 3), value: row => row.coefficient, number: true },
  ], rows);
}

function boundTable(refresh) {
  const holder = make("div"), T = data.rounds[last];
  const put = () => holder.replaceChildren(table("Guarantee and measurement", [
    { title: "selector", cell: s => make("span", {}, swatch(s.style), s.name), class: "name" },
    { title: "M", cell: s => String(s.M), number: true },
    { title: "d*, largest", cell: s => number(s.d.d_star_largest, 3), number: true },
    { title: "d*, 0.95 quantile", cell: s => number(s.d.d_star_95, 3), number: true },
    { title: "guaranteed at T", cell: s => number(guarantee(s.d[terms.which], s.M, terms.c, T)), number: true },
    { title: "measured at T", cell: s => interval(s.regret, s.regret_ci95), number: true },
    { title: "ratio", cell: s => number(guarantee(s.d[terms.which], s.M, terms.c, T) / s.regret, 2), number: true },
  ], bounded));
  put();
  refresh.push(put);
  return holder;
}

function buildTheory() {
  const refresh = [], section = at("theory");
  const growth = make("div", {}, make("h3", {}, "Growth"), make("p", { class: "note" },
    "Regret grows like round to the power of the exponent, fitted over the second half of the rounds by least squares on logarithmic axes: " +
    "1 is linear, 0.5 the rate of most guarantees, 0 has stopped growing."),
  table("Growth of regret", [
    { title: "competitor", cell: c => make("span", {}, swatch(c.style), c.name), class: "name" },
    { title: "exponent", cell: c => number(c.exponent, 3), value: c => c.exponent, number: true },
    { title: "regret at T", cell: c => interval(c.regret, c.regret_ci95), value: c => c.regret, number: true },
  ], competitors, c => c.role));
  const pieces = data.learners.length === 0 ? null : make("div", {}, make("h3", {}, "Empirical regret coefficients"), make("p", { class: "note" },
    "The 0.95 quantile over runs of the largest regret after a learner's l-th play, over the square root of l; plays and the regret in them " +
    "are means."), coefficientTable());
  section.append(make("div", { class: "columns" }, growth, pieces));
  if (bounded.length === 0) return;
  section.append(make("h3", {}, "The guarantee of B-MS"), make("p", { class: "note" },
    "2 d* M √t + 4 c √(M t log(M t / δ)) with δ = 1 / (M t)², drawn dotted in the colour of the measured " +
    "regret. M is the number of the selector\u2019s learners, d* is the smallest learner coefficient of a run; the paper leaves its constant c open. It is a theorem of B-MS, in expectation over a prior that it knows; other selectors have guarantees of their own, which are not drawn."), theoryControls(refresh), boundTable(refresh));
  theoryChart(refresh);
}
