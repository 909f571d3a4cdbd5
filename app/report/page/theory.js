"use strict";
/*
 * Guarantees beside the measured regret (docs/theory.md, section 5). The guarantee of the paper, for Algorithm 1, is
 *     2 d* M sqrt(t) + 4 c sqrt(3 M t log(M t)),
 * and that of the rule with less than endless patience, which B-MS+ uses, is
 *     d* (3 sqrt(M t) (1 + k L / 2) + M sqrt(B) log(B / 2)) + 6 c sqrt(M t log(2 M t^2)) + M + 2,
 * with B = min(b, t), L = min(log(t / B), log(e + t / (M B))), k the commitment and b the plays that a learner is allowed.
 * d* is the smallest learner coefficient of a run; of all runs, the largest or the 0.95 quantile is taken. The paper
 * does not give the constant c.
 */
function paperBound(d, s, c, t) {
  return 2 * d * s.M * Math.sqrt(t) + 4 * c * Math.sqrt(s.M * t * 3 * Math.log(s.M * t));
}

function patientBound(d, s, c, t) {
  const most = Math.min(s.allowance, t), rest = t / most;
  const logs = Math.min(Math.log(rest), Math.log(Math.E + rest / s.M));
  const first = 3 * Math.sqrt(s.M * t) * (1 + s.commitment * logs / 2) + s.M * Math.sqrt(most) * Math.log(Math.max(most / 2, 1));
  return d * first + 6 * c * Math.sqrt(s.M * t * Math.log(2 * s.M * t * t)) + s.M + 2;
}

function guarantee(s, t) {
  return (s.allowance === null ? paperBound : patientBound)(s.d[terms.which], s, terms.c, t);
}

/*
 * The number of coordinates of the environment's own prior: those of theta, or one for each arm. An information lock
 * adds log2(K) magic arms to the K arms of its option.
 */
function coordinates(environment) {
  if (environment.kind === "linear") return environment.dim;
  return environment.kind === "information-lock" ? environment.arms + Math.log2(environment.arms) : environment.arms;
}

/*
 * The plays that a learner is allowed by the patience of its selector. null: patience is endless. undefined: there is
 * no theorem for this selector.
 */
function allowanceOf(options, learners) {
  if (options.patience === "endless" || options.patience === undefined) return null;
  const known = options.belief === "environment" && !options.forgetting;
  return known ? coordinates(data.manifest.environment) * Math.max(2, options.patience / learners) : undefined;
}

const THEOREMS_OF = ["bms", "bms-plus"]; // kinds
const coefficients = Object.fromEntries((data.manifest.guarantee || []).map(row => [row.selector, row]));
const selectorOptions = Object.fromEntries((data.manifest.selectors || []).map(row => [row.name, row]));
/* M is the number of learners that the selector plays, which may be fewer than the file has. */
const bounded = competitors.map((c, i) => {
  const d = coefficients[c.name], options = selectorOptions[c.name] || {};
  return { ...c, index: i, d, M: d?.learners, allowance: d && allowanceOf(options, d.learners), commitment: options.commitment };
}).filter(c => c.role === "selector" && THEOREMS_OF.includes(c.kind) && c.d && c.allowance !== undefined);
const terms = { which: "d_star_largest", c: 1 };

function theoryRows() {
  return data.rounds.map((t, p) => [t, ...bounded.map(s => data.regret[s.index][0][p] || null),
    ...bounded.map(s => guarantee(s, t))]);
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
      ", guaranteed " + number(guarantee(s, data.rounds[row]))).join("; ");
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
    { title: "guaranteed at T", cell: s => number(guarantee(s, T)), number: true },
    { title: "measured at T", cell: s => interval(s.regret, s.regret_ci95), number: true },
    { title: "ratio", cell: s => number(guarantee(s, T) / s.regret, 2), number: true },
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
  section.append(make("h3", {}, "The guarantees of B-MS and B-MS+"), make("p", { class: "note" },
    "Drawn dotted in the colour of the measured regret: with endless patience, as B-MS has it, the paper\u2019s, 2 d* M √t + 4 c √(3 M t log(M t)); " +
    "with less, as B-MS+ has it, the one with √M that docs/theory.md proves. M is the number of the selector\u2019s learners, d* is the smallest learner coefficient of a " +
    "run; the paper leaves its constant c open. These are theorems of B-MS and B-MS+, in expectation over a prior that they know; other " +
    "selectors have guarantees of their own, which are not drawn."), theoryControls(refresh), boundTable(refresh));
  theoryChart(refresh);
}
