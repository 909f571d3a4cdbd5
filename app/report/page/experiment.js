"use strict";
/* The rest of an experiment's page: facts, tables, claims, differences, the matching check, how to rerun it. */
const manifest = data.manifest;

/* A part of the experiment as the file would write it: {kind: gaussian, arms: 5}. */
function flow(value) {
  if (Array.isArray(value)) return "[" + (value.length > 12 ? [...value.slice(0, 10).map(flow), "… " + value.length + " in all"] : value.map(flow)).join(", ") + "]";
  if (value && typeof value === "object") return "{" + Object.entries(value).map(([k, v]) => k + ": " + flow(v)).join(", ") + "}";
  return String(value);
}

function parts(list) {
  return make("span", {}, ...list.flatMap((part, i) => [i ? make("br") : "", make("code", {}, flow(part))]));
}

/* Tasks are all of the same length. */
function lengthOfRun() { return (manifest.tasks > 1 ? manifest.tasks + " tasks of " : "") + manifest.rounds; }

function buildFacts() {
  const machine = manifest.machine || {};
  const facts = [
    ["environment", make("code", {}, flow(manifest.environment))], ["selectors", parts(manifest.selectors || [])],
    ["learners", parts(manifest.learners || [])], ["rounds T", lengthOfRun()], ["runs R", String(manifest.runs)],
    ["seed", String(manifest.seed)],
    ["took", number(manifest.seconds, 3) + " s on " + plural(manifest.threads, "thread") + [machine.cpu, machine.os].filter(Boolean).map(text => ", " + text).join("")],
  ];
  at("facts-box").open = competitors.length <= 12;
  at("facts").append(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  at("summary").append("T = " + lengthOfRun() + ", R = " + manifest.runs + ", seed " + manifest.seed + "  ",
    ...(data.claims.length ? verdictBadges(countVerdicts(data.claims)) : []));
}

function buildResults() {
  at("results").append(table("Results", [
    { title: "competitor", cell: c => make("span", {}, swatch(c.style), c.name), value: c => c.name, class: "name" },
    { title: measure, cell: c => interval(c.regret, c.regret_ci95), value: c => c.regret, number: true },
    onLog ? { title: "effective rounds", cell: c => String(Math.round(c.effective)), value: c => c.effective, number: true }
      : { title: "optimal rate", cell: c => percent(c.optimal, c.optimal_ci95), value: c => c.optimal, number: true },
    { title: "role", cell: c => c.role, value: c => c.role }, { title: "kind", cell: c => c.kind, value: c => c.kind, class: "short" },
  ], competitors, c => c.role));
}

/*
 * A selector with a range clips the rewards outside it, and so learns from other rewards than those that were paid. One
 * with a wrong belief judges its learners wrongly.
 */
function buildWarnings() {
  for (const { selector, clipped, rewards } of manifest.clipped || []) {
    if (!(clipped / rewards > 0.01)) continue;
    at("results").append(make("p", { class: "warning" }, selector + " clipped " + percent(clipped / rewards) + " of the rewards to its range; give it a wider ",
      make("code", {}, "range"), "."));
  }
  /* Without a limit the belief is robust, or the results are of an older version. */
  for (const { selector, surprise, runs, limit } of manifest.surprise || []) {
    if (!limit || !(surprise * runs > limit)) continue;
    at("results").append(make("p", { class: "warning" }, "The rewards contradict the belief of " + selector + ": the log Bayes factor is " +
      number(surprise * runs) + " in " + plural(runs, "run") + ", where chance alone exceeds " + number(limit, 2) +
      " at most once in 20. Correct the belief, or give it ", make("code", {}, "robust: true"), "."));
  }
}

/* An interval around its estimate, on a scale from -span to span with zero marked. */
function whisker(x, half, span) {
  const w = 180, scale = value => w / 2 + value / span * (w / 2 - 8);
  return draw("svg", { width: w, height: 18, role: "img", "aria-label": interval(x, half) },
    draw("line", { class: "zero", x1: w / 2, x2: w / 2, y1: 0, y2: 18 }),
    draw("line", { class: "interval", x1: scale(x - half), x2: scale(x + half), y1: 9, y2: 9 }),
    draw("circle", { class: "point", cx: scale(x), cy: 9, r: 4 }));
}

function spanOf(rows) { return Math.max(1e-12, ...rows.map(([x, half]) => Math.abs(x) + (half || 0))); }

function buildClaims() {
  if (data.claims.length === 0) { at("claims").append(make("p", {}, "The experiment makes no claim.")); return; }
  at("claims").append(make("p", {}, ...verdictBadges(countVerdicts(data.claims))), table("Claims", [
    { title: "verdict", cell: c => badge(c.verdict), value: c => c.verdict },
    { title: "claim", cell: c => make("span", {}, c.says, make("br"), make("code", { class: "quiet" }, c.holds)), class: "name" },
    { title: "margin", cell: c => interval(c.margin, c.ci95), value: c => c.margin, number: true },
    { title: "against zero", cell: c => c.margin === null ? "" : whisker(c.margin, c.ci95 || 0, spanOf([[c.margin, c.ci95]])) },
  ], data.claims));
}

/* Differences of every competitor from a chosen one; the file has each pair once. */
function differences(name) {
  return data.pairs.filter(p => p.a === name || p.b === name).map(p => p.b === name
    ? { name: p.a, x: p.difference, half: p.ci95 || 0 } : { name: p.b, x: -p.difference, half: p.ci95 || 0 })
    .sort((a, b) => a.x - b.x);
}

function buildPairs() {
  const holder = make("div");
  const put = name => {
    const rows = differences(name), span = spanOf(rows.map(r => [r.x, r.half]));
    holder.replaceChildren(table("Differences from " + name, [
      { title: "competitor", cell: r => r.name, value: r => r.name, class: "name" },
      { title: measure + " minus that of " + name, cell: r => interval(r.x, r.half), value: r => r.x, number: true },
      { title: "", cell: r => whisker(r.x, r.half, span) },
      { title: "result", cell: r => r.x + r.half < 0 ? "lower" : r.x - r.half > 0 ? "higher" : "no significant difference", class: "short" },
    ], rows));
  };
  const choice = make("select", { change: event => put(competitors[event.target.value].name) },
    ...competitors.map((c, i) => make("option", { value: i }, c.name)));
  at("pairs").append(make("label", {}, "Compared with ", choice), holder);
  put(competitors[0].name);
}

/* ---- the matching check ---- */

/* Points of learners that are grey elsewhere are grey, and below the others. */
function matchingPlot(rows, looks) {
  const isShown = row => Boolean(looks[row.learner]?.shown);
  const share = label => ({ label, low: 0, high: 1, ticks: [0, .5, 1] }), frame = { width: 300, height: 300, left: 46, right: 10, top: 10, bottom: 44 };
  const { svg, x: { place: x }, y: { place: y } } = plotAxes(share("share of runs in which it was best"), share("share of runs that chose it"), frame,
    { width: frame.width, height: frame.height, "aria-label": "Share chosen against share best" });
  svg.append(draw("path", { class: "diagonal", d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}` }),
    ...[...rows].sort((a, b) => isShown(a) - isShown(b)).map(row => coloured(draw("circle", { cx: x(row.best), cy: y(row.chosen), r: 4.5, "fill-opacity": .75 },
      draw("title", {}, row.learner + ", round " + row.round + ": best " + number(row.best, 3) + ", chosen " + number(row.chosen, 3))),
    "fill", isShown(row) ? looks[row.learner].style : data.charts[0].rest)));
  return svg;
}

function zClass(z) { return z === null ? null : Math.abs(z) >= 4.5 ? "fails" : Math.abs(z) >= 3 ? "undecided" : null; }

function matchingTable(name, rows) {
  const rounds = [...new Set(rows.map(row => row.round))], learners = [...new Set(rows.map(row => row.learner))];
  const cell = (learner, round) => rows.find(row => row.learner === learner && row.round === round);
  return table("z of " + name, [{ title: "z at round", cell: l => l, class: "name" }, ...rounds.map(round => ({
    title: String(round), number: true, cell: l => {
      const found = cell(l, round), z = found ? found.z : null;
      return make("span", { class: zClass(z), title: found ? "chosen " + number(found.chosen, 3) + ", best " + number(found.best, 3) : "" },
        z === null ? "–" : z.toFixed(1).replace(/^-0\.0$/, "0.0").replace("-", "−"));
    } }))], learners);
}

/* With features the lemma is about charges that are sums over the whole history, in a world drawn for this choice. */
/* At least 50 runs, so that z is a standard score. */
function matchingBadge(largest) {
  if (manifest.runs < 50) return badge("undecided", "too few runs to tell");
  const text = "largest |z| " + largest.toFixed(1);
  return largest < 4.5 ? badge("holds", text + ": the shares agree") : badge("fails", text + ": the shares differ");
}

function buildMatching() {
  const looks = Object.fromEntries(data.names.map(l => [l.name, l])), names = [...new Set(data.matching.map(row => row.name))];
  const without = (manifest.selectors || []).filter(s => s.belief !== undefined && !names.includes(s.name)).map(s => s.name);
  if (without.length && bringsFeatures(manifest.environment)) at("matching").append(make("p", { class: "note" }, "Not checked: " + without.join(", ") +
    ". With features the check holds for the whole history only (memory: all, hold: 0, without consider); other charges are estimates."));
  if (names.length === 0) { at("matching").append(make("p", {}, "Nothing to check: no selector has a belief and exact charges, or no rounds are left after each learner was tried once.")); return; }
  at("matching").append(keyOf(described.selection));
  if (described.tasks) at("matching").append(make("p", { class: "note" }, "Rounds and regret are those of the last task."));
  for (const name of names) {
    const rows = data.matching.filter(row => row.name === name), largest = Math.max(0, ...rows.map(row => Math.abs(row.z || 0)));
    at("matching").append(make("h3", {}, name, " ", matchingBadge(largest)),
    make("div", { class: "split" }, matchingPlot(rows, looks), matchingTable(name, rows)));
  }
}

function dropSection(id) {
  at(id).remove();
  document.querySelector("nav a[href='#" + id + "']").remove();
}

/* On a log, neither regret nor the truly best learner is known. */
function describeLog() {
  for (const id of ["matching", "theory"]) dropSection(id);
  at("results").querySelector(".note").textContent = "Value is the mean reward that the competitor would have earned in a round, estimated from the log (" +
    manifest.environment.estimate + ") and averaged over runs. The 95% interval has two parts: the uncertainty of this log, which more runs do not reduce, and that of the runs. " +
    "Effective rounds are the number of rows that the estimate is based on.";
  at("pairs").querySelector(".note").textContent = "All competitors are judged on the same rows. So the differences of value are more precise than the bands suggest.";
}

function buildRerun() {
  const file = data.name + ".yaml";
  const command = "posse run " + file + " --rounds " + manifest.rounds + " --runs " + manifest.runs + " --seed " + manifest.seed;
  at("rerun").append(
    make("p", {}, "Save the text below as ", make("code", {}, file), ", then:"), make("pre", {}, make("code", {}, command)),
    make("p", { class: "note" }, "With posse " + manifest.version + " this gives the same numbers, on any machine and with any number of threads. Their hash is ",
      make("code", {}, String(manifest.hash)), "."),
    make("h3", {}, "The experiment file"), make("pre", { tabindex: "0" }, make("code", {}, manifest.source || "")),
    make("p", { class: "note" }, "Files beside this page: ", ...["summary", "curves", "selection", "learners", "matching", "pairs", "claims", ...(described.tasks ? ["tasks"] : [])]
      .flatMap(name => [make("a", { href: name + ".csv" }, name + ".csv"), " "]), make("a", { href: "results.h5" }, "results.h5"), " ",
    make("a", { href: "manifest.json" }, "manifest.json")));
}

applyTheme();
buildFacts();
buildResults();
buildWarnings();
buildCurves();
buildSelection();
buildSweep();
buildClaims();
buildPairs();
if (onLog) describeLog();
else {
  buildMatching();
  if (described.tasks) dropSection("theory"); /* guarantees hold for one task, but the curves are those of a whole run */
  else buildTheory();
}
buildRerun();
