"use strict";
/*
 * Guarantees beside the measured regret (docs/theory.md, section 6), with c = sigma sqrt(2). With endless patience
 *     d* M sqrt(t) (2 + log(t / M)) + 6 c sqrt(M t log(2 M t^2)) + S (M + 2),
 * and with less, as B-MS+ has it,
 *     d* (3 sqrt(M t) (1 + k L / 2) + M sqrt(B) log(B / 2)) + 6 c sqrt(M t log(2 M t^2)) + S (M + 2),
 * with B = min(b, t), L = min(log(t / B), log(e + t / (M B))), k the commitment and b the plays that a learner is allowed.
 * S is the range of the means; for means without bounds it is 2 zeta, and the second logarithm is log(2 M t^3).
 * d* is the smallest learner coefficient of a run; of all runs, the largest or the 0.95 quantile is taken.
 */
function firstTerm(s, t) {
  if (s.allowance === null) return s.M * Math.sqrt(t) * (2 + Math.log(t / s.M));
  const most = Math.min(s.allowance, t), rest = t / most;
  const logs = Math.min(Math.log(rest), Math.log(Math.E + rest / s.M));
  return 3 * Math.sqrt(s.M * t) * (1 + s.commitment * logs / 2) + s.M * Math.sqrt(most) * Math.log(Math.max(most / 2, 1));
}

/* The theorem is about rounds after every learner's first. */
function guarantee(s, t) {
  if (t < s.M) return null;
  const world = s.world, power = world.bounded ? 2 : 3;
  return s.d[terms.which] * firstTerm(s, t) + 6 * world.c * Math.sqrt(s.M * t * Math.log(2 * s.M * t ** power)) + world.scale * (s.M + 2);
}

function list(value) { return Array.isArray(value) ? value : [value]; }

/* 2 zeta of Theorem 11 for normal means: half their spread, and sd sqrt(2 log(2 K) + 2). */
function normalScale(prior, arms) {
  const means = list(prior.mean), sd = Math.hypot(Math.max(...list(prior.sd)), Math.max(...list(prior["mean-sd"] || 0)));
  return Math.max(...means) - Math.min(...means) + 2 * sd * Math.sqrt(2 * Math.log(2 * arms) + 2);
}

/* The longest arm: those of sets are in the unit ball. */
function longest(arms) {
  return arms && arms.points ? Math.max(...arms.points.map(point => Math.hypot(...point))) : 1;
}

/*
 * The environments that the theorems are about, with the constants of their rewards: means that stay, and rewards
 * that are bounded or have normal noise.
 */
const WORLDS = {
  "bernoulli": () => ({ bounded: true, scale: 1, c: Math.SQRT1_2 }),
  "information-lock": e => ({ bounded: true, scale: 2, c: Math.SQRT2 * e.noise }),
  "gaussian": e => ({ bounded: false, scale: normalScale(e.prior, e.arms), c: Math.SQRT2 * e.noise }),
  "linear": e => ({ bounded: false, scale: 2 * longest(e.arms) * Math.sqrt(e.dim / e.prior.precision), c: Math.SQRT2 * e.noise }),
};

function bringsFeatures(environment) { return ["contextual", "table"].includes(environment.kind); }

/* Why no guarantee is drawn for a selector of an experiment: the first condition that fails. null: a theorem applies. */
function failingCondition(environment, options) {
  const kind = environment.kind;
  if (!THEOREMS_OF.includes(options.kind)) return "it is neither B-MS nor B-MS+";
  if (bringsFeatures(environment)) return "rounds have features";
  if (["drifting", "drifting-coins", "shifting"].includes(kind)) return "mean rewards change from round to round";
  if (kind === "logistic") return "its posterior is an approximation";
  if (!(kind in WORLDS)) return "rewards of the environment " + kind + " need not be bounded, nor normal with known noise";
  if (environment.means !== undefined || environment.theta !== undefined) return "the instance is fixed, not drawn from the prior";
  if (options.belief !== "environment") return "its belief is not the environment\u2019s own";
  if (options.forgetting) return "it forgets";
  if (options.discount < 1) return "it discounts earlier plays";
  if (options.batch > 1) return "it chooses for batches of rounds, which have other constants (Theorem 17)";
  if (options.floor > 0) return "its floor draws arms evenly";
  if (options.budget > 0 && options.patience !== "endless") return "its budget adds a constant (Theorem 22) that no result measures";
  return null;
}

/*
 * The number of coordinates of the environment's own prior: those of theta, or one for each arm. An information lock
 * adds log2(K) magic arms to the K arms of its option.
 */
function coordinates(environment) {
  if (environment.kind === "linear") return environment.dim;
  return environment.kind === "information-lock" ? environment.arms + Math.log2(environment.arms) : environment.arms;
}

/* The plays that a learner is allowed by the patience of its selector. null: patience is endless. */
function allowanceOf(options, learners) {
  if (options.patience === "endless" || options.patience === undefined) return null;
  return coordinates(data.manifest.environment) * Math.max(2, options.patience / learners);
}

const THEOREMS_OF = ["bms", "bms-plus"]; // kinds
const coefficients = Object.fromEntries((data.manifest.guarantee || []).map(row => [row.selector, row]));
const selectorOptions = Object.fromEntries((data.manifest.selectors || []).map(row => [row.name, row]));
/* M is the number of learners that the selector plays, which may be fewer than the file has. */
const ofBms = competitors.map((c, i) => ({ ...c, index: i, d: coefficients[c.name], options: selectorOptions[c.name] || {} }))
  .filter(c => c.role === "selector" && THEOREMS_OF.includes(c.kind) && c.d)
  .map(c => ({ ...c, M: c.d.learners, commitment: c.options.commitment, fails: failingCondition(data.manifest.environment, c.options) }));
const bounded = ofBms.filter(c => c.fails === null).map(c => ({ ...c, allowance: allowanceOf(c.options, c.M),
  world: WORLDS[data.manifest.environment.kind](data.manifest.environment) }));
const terms = { which: "d_star_largest" };

function theoryRows() {
  return rounds.map((t, p) => [t, ...bounded.map(s => course.series[s.index].mean[p] || null),
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
    read.textContent = "Round " + rounds[row] + ": " + bounded.map(s => s.name + " measured " + number(course.series[s.index].mean[row]) +
      ", guaranteed " + number(guarantee(s, rounds[row]))).join("; ");
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
  return make("div", { class: "controls" }, make("label", {}, "d* ", which));
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
  const holder = make("div"), T = rounds[last];
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

function groupsOfFailures() {
  const groups = new Map();
  for (const c of ofBms) if (c.fails !== null) groups.set(c.fails, [...(groups.get(c.fails) || []), c.name]);
  return groups;
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
  if (ofBms.length === 0) return;
  section.append(make("h3", {}, "The bounds of B-MS and B-MS+"));
  for (const [why, names] of groupsOfFailures()) section.append(make("p", { class: "note" }, "No guarantee is drawn for " + names.join(", ") + ": " + why + "."));
  if (bounded.length === 0) return;
  section.append(make("p", { class: "note" },
    "Drawn dotted in the colour of the measured regret: the theorems of docs/theory.md, in expectation over the environment\u2019s prior. With endless " +
    "patience, as B-MS has it, the bound grows like d* M √t log t; with less, as B-MS+ has it, like d* √(M t). M is the number of the selector\u2019s " +
    "learners, and d* is the smallest learner coefficient of a run. The bounds hold for this d*; that it was measured costs terms that are not drawn."),
  theoryControls(refresh), boundTable(refresh));
  theoryChart(refresh);
}
