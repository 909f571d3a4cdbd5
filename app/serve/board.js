"use strict";
/* The board: all posses, or one of them live. The token is in this tab's session storage and in no address. */

const SPANS = [30, 60, 120], WINDOW = 10; /* seconds that are shown, and over which rates are taken */
const REPORT_EVERY = 5;        /* seconds between two reports */
const LIMIT = 200;             /* posses in the list, arms in the picture */

/* ---- asking ---- */

let token = sessionStorage.getItem("posse-token") || "";

function headers() { return token ? { Authorization: "Bearer " + token } : {}; }

class Refused extends Error {
  constructor(status, answer) {
    const all = answer.problems || [answer];
    super(all.map(p => (p.path ? p.path + ": " : "") + p.error).join("\n"));
    this.status = status;
  }
}

async function ask(method, path, body) {
  const sent = { method, headers: headers(), cache: "no-store" };
  if (body !== undefined) sent.body = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(path, sent);
  const said = await answer.json().catch(() => ({ error: "the answer of the server is not JSON" }));
  if (!answer.ok) throw new Refused(answer.status, said);
  return said;
}

function pathOf(name, ...more) { return ["v1/posses", encodeURIComponent(name), ...more.map(encodeURIComponent)].join("/"); }

let toldBy = null; /* "act": an action of the user failed; "link": the server did not answer */

/* A message stays until the same kind of request succeeds: frames that arrive do not hide why an action failed. */
function tell(error, by = "act") {
  if (!error && toldBy !== by) return;
  toldBy = error ? by : null;
  at("trouble").hidden = !error;
  if (!error) return;
  at("trouble").textContent = error instanceof Refused ? error.message : "The server does not answer.";
  if (error.status === 401 && !document.querySelector("dialog[open]")) openToken();
}

function hush() { tell(null, toldBy); }

/* The listener of a button. A problem is shown until the next action. */
function act(work) {
  return async () => {
    hush();
    try { await work(); } catch (error) { tell(error); }
  };
}

function pulse(live, text) {
  at("pulse").classList.toggle("live", live);
  at("pulse").textContent = text;
}

/* ---- dialogs ---- */

function openToken() {
  at("token").value = token;
  at("token-dialog").showModal();
}

at("token-open").addEventListener("click", openToken);
at("token-dialog").addEventListener("close", () => {
  if (at("token-dialog").returnValue !== "yes") return;
  token = at("token").value.trim();
  sessionStorage.setItem("posse-token", token);
  at("token").value = "";
  hush();
  show();
});

/* Resolves to true if the user has confirmed; typed: the name that must be typed for this. */
function sure(title, text, yes, typed) {
  at("sure-title").textContent = title;
  at("sure-text").textContent = text;
  at("sure-yes").textContent = yes;
  at("sure-label").hidden = !typed;
  at("sure-name").value = "";
  at("sure-yes").disabled = Boolean(typed);
  at("sure-name").oninput = () => { at("sure-yes").disabled = at("sure-name").value !== typed; };
  at("sure-dialog").returnValue = "";
  at("sure-dialog").showModal();
  return new Promise(done => at("sure-dialog").addEventListener("close",
    () => done(at("sure-dialog").returnValue === "yes"), { once: true }));
}

function describeNew() {
  at("new-text").value = `{
  "name": ${JSON.stringify(at("new-name").value)},
  "arms": ${Number(at("new-arms").value) || 5},
  "prior": "${at("new-prior").value}",
  "learners": [
    {"kind": "ucb", "name": "bold", "width": 0.1},
    {"kind": "ucb", "name": "careful", "width": 1},
    "thompson",
    "epsilon-greedy"
  ],
  "expire_after": 100000
}`;
}

/* A dialog with a text that is sent. Problems with the text are shown in the dialog. */
function sends(button, dialog, wrong, work) {
  at(button).addEventListener("click", async () => {
    try {
      await work();
      at(wrong).hidden = true;
      at(dialog).close("yes");
    } catch (error) {
      at(wrong).hidden = false;
      at(wrong).textContent = error instanceof Refused ? error.message : String(error.message);
    }
  });
}

for (const id of ["new-name", "new-arms", "new-prior"]) at(id).addEventListener("input", describeNew);
at("create-open").addEventListener("click", () => { describeNew(); at("new-wrong").hidden = true; at("create-dialog").showModal(); });
sends("new-make", "create-dialog", "new-wrong", async () => {
  const made = await ask("POST", "v1/posses", at("new-text").value);
  location.hash = "#/" + encodeURIComponent(made.name);
});
at("learner-open").addEventListener("click", () => { at("learner-wrong").hidden = true; at("learner-dialog").showModal(); });
sends("learner-make", "learner-dialog", "learner-wrong", () => ask("POST", pathOf(watched.name, "learners"), at("learner-text").value));
at("arm-add").addEventListener("click", act(async () => {
  if (watched.last.arms.every(a => a.name === undefined)) return ask("POST", pathOf(watched.name, "arms"), {});
  at("arm-name").value = "";
  at("arm-wrong").hidden = true;
  at("arm-dialog").showModal();
}));
sends("arm-make", "arm-dialog", "arm-wrong", () => ask("POST", pathOf(watched.name, "arms"), { name: at("arm-name").value }));
at("drop-open").addEventListener("click", act(async () => {
  const name = watched.name;
  if (!await sure("Delete " + name, "Everything that it has learned will be lost. Its history stays in the database, for the audit.", "Delete it", name)) return;
  await ask("DELETE", pathOf(name) + "?confirm=" + encodeURIComponent(name));
  location.hash = "#/";
}));

/* ---- all posses ---- */

let listing = null, before = new Map();

/* What each alarm of the server means. The surprise has a line of its own. */
const ALARMS = {
  "rewards-stopped": "Rewards stopped coming: far more decisions were made since the last one than ever between two, or thousands since the start of the server and not one has come. Look at the pipeline of rewards.",
  "share-collapsed": "A learner that made most decisions makes hardly any now. Its model, its features or the world may have changed.",
  "surprise": "The rewards contradict the prior of this posse",
  "propensities-small": "More than 1 % of the decisions had a probability below 0.001: an evaluation from this log would hang on few of them. Raise the floor, or retire arms.",
  "arms-named-once": "Most arms that joined lately were named once and never again. Names may be misspelt, or have ids of requests in them.",
  "rewards-refused": "More than 1 % of the rewards are refused: they come after their decision has expired, are out of range, or have a foreign token.",
};

/* A mark in the list. */
function doubt(p) {
  return p.alarms.map(a => make("span", { class: "doubt", title: ALARMS[a] }, a === "surprise" ? "doubtful prior" : a.replaceAll("-", " ")));
}

/* Marks of the modes in which a posse decides or learns otherwise than it would. */
function modeMarks(p) {
  const mark = (text, title) => make("span", { class: "doubt", title }, text);
  return [
    ...p.paused ? [mark("paused", "All decisions play the control, and no reward is learned.")] : [],
    ...p.shadow ? [mark("shadow mode", "Decisions are suggestions, and another rule acts.")] : [],
    ...p.holdback > 0 ? [mark(`holdback ${Number((100 * p.holdback).toPrecision(3))} %`, "This share of the decisions always plays the control.")] : [],
  ];
}

function showAlarms(state) {
  const shown = state.alarms.filter(a => a !== "surprise");
  at("alarms").hidden = shown.length === 0;
  at("alarms").replaceChildren(...shown.map(a => make("li", {}, ALARMS[a])));
}

function showPosses(answer) {
  const now = performance.now() / 1000, rows = [];
  at("total").textContent = answer.count > answer.posses.length ? `${whole(answer.posses.length)} of ${whole(answer.count)}` : "";
  at("none").hidden = answer.count > 0 || at("filter").value !== "";
  const seen = new Map();
  for (const p of answer.posses) {
    const old = before.get(p.name);
    const rate = old && now > old.now ? Math.max(0, (p.decisions - old.decisions) / (now - old.now)) : null;
    seen.set(p.name, { now, decisions: p.decisions });
    rows.push(make("tr", {}, make("td", {}, make("a", { href: "#/" + encodeURIComponent(p.name) }, p.name), ...modeMarks(p), ...doubt(p)),
      make("td", { class: "number" }, whole(p.decisions)), make("td", { class: "number" }, rate === null ? "" : number(rate, 3)),
      make("td", { class: "number" }, whole(p.pending))));
  }
  before = seen;
  const focused = document.activeElement?.getAttribute("href");
  at("posses").tBodies[0].replaceChildren(...rows);
  if (focused) [...at("posses").querySelectorAll("a")].find(a => a.getAttribute("href") === focused)?.focus();
}

async function list() {
  if (document.hidden) return;
  try {
    showPosses(await ask("GET", `v1/posses?limit=${LIMIT}&contains=${encodeURIComponent(at("filter").value)}`));
    tell(null, "link");
    pulse(true, "live");
  } catch (error) {
    pulse(false, "not connected");
    tell(error, "link");
  }
}

at("filter").addEventListener("input", list);

/* ---- one posse ---- */

/* {name, stop, frames, last, report, past}; report: the latest, null until it is known; past: what the charts show, null for live, undefined until that is known */
let watched = null;

/* Server-sent events by fetch, since EventSource sends no token. */
async function* events(name, stop) {
  const answer = await fetch(pathOf(name, "events"), { headers: headers(), signal: stop.signal, cache: "no-store" });
  if (!answer.ok) throw new Refused(answer.status, await answer.json());
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map(line => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      if (fields.event) yield fields;
    }
  }
}

/* A lost connection is opened again, after delays that grow. */
async function watch(name) {
  const own = watched = { name, stop: new AbortController(), frames: [], last: null, report: null };
  for (let wait = 500; watched === own; wait = Math.min(15000, 2 * wait)) {
    try {
      for await (const event of events(name, own.stop)) {
        if (event.event === "gone") { tell(new Refused(404, { error: `the posse "${name}" was deleted` })); location.hash = "#/"; return; }
        wait = 500;
        take(own, Number(event.id) / 1000, JSON.parse(event.data));
        pulse(true, "live");
      }
    } catch (error) {
      if (watched !== own) return;
      tell(error, "link");
      if (error.status === 401 || error.status === 403 || error.status === 404) { pulse(false, "not connected"); return; }
    }
    if (watched !== own) return;
    pulse(false, "connecting …");
    await new Promise(done => setTimeout(done, wait));
  }
}

function take(own, seconds, state) {
  if (own.last && own.last.epoch !== state.epoch) own.frames = []; /* a restart: decisions that were not answered are gone */
  own.frames.push({ seconds, state });
  while (own.frames.length > 1 && own.frames[0].seconds < seconds - SPANS.at(-1) - WINDOW) own.frames.shift();
  const first = own.last === null;
  own.last = state;
  own.came = performance.now() / 1000;
  tell(null, "link");
  paint(own);
  refreshVerdict(own);
  if (first) openPast(own).then(() => { if (watched === own) paint(own); }).catch(() => {});
  refreshPast(own);
  if (first || own.arms !== state.arms.length) offerDrive(own, state);
}

/* The latest frame that is at least WINDOW seconds older than frame i, or the oldest. */
function earlier(frames, i) {
  let k = i;
  while (k > 0 && frames[i].seconds - frames[k].seconds < WINDOW) k--;
  return frames[k];
}

function history(own) {
  const now = own.frames.at(-1).seconds + performance.now() / 1000 - own.came, rows = [];
  own.frames.forEach((frame, i) => {
    const old = earlier(own.frames, i).state, state = frame.state;
    const decided = state.decisions - old.decisions, rewarded = state.rewards - old.rewards;
    rows.push({
      t: frame.seconds - now, best: state.best_mean, regret: state.regret,
      shares: decided > 0 ? state.learners.map((l, k) => (l.plays - (old.learners[k]?.plays || 0)) / decided) : null,
      mean: rewarded > 0 ? (state.reward_sum - old.reward_sum) / rewarded : null,
    });
  });
  return rows;
}

/* The rows of the last `span` seconds. The last row before them is moved to the left end, so that lines begin there. */
function within(rows, span) {
  const older = rows.filter(row => row.t < -span).at(-1);
  const shown = rows.filter(row => row.t >= -span);
  return older && shown.length ? [{ ...older, t: -span }, ...shown] : shown;
}

function figure(name, value, title) { return make("div", { title }, make("dt", {}, name), make("dd", {}, value)); }

/* Of the last ten seconds or, without rewards in them, of all. */
function meanFigure(state, old) {
  const recent = state.rewards - old.rewards;
  if (recent > 0) return figure("Mean reward", number((state.reward_sum - old.reward_sum) / recent, 3), "In the last ten seconds");
  if (state.rewards > 0) return figure("Mean reward so far", number(state.reward_sum / state.rewards, 3), `Of ${whole(state.rewards)} rewards`);
  return figure("Mean reward", "–", "No reward has arrived so far");
}

/* An arm as people know it. */
function armName(a) { return a.name ?? "arm " + a.arm; }

/* The arm that is believed best, if it is in the frame. */
function bestArm(state) { return state.arms.find(a => a.active && a.mean !== null && a.mean === state.best_mean); }

function showFigures(own, state) {
  const best = bestArm(state);
  const frames = own.frames, old = earlier(frames, frames.length - 1), now = frames.at(-1);
  const seconds = now.seconds - old.seconds;
  at("figures").replaceChildren(
    figure("Decisions", whole(state.decisions)),
    figure("Per second", seconds > 0 ? number((state.decisions - old.state.decisions) / seconds, 3) : "–"),
    figure("Pending", whole(state.pending), `Decisions that wait for their reward; ${whole(state.deferred)} of them are deferred and not shown yet`),
    meanFigure(state, old.state),
    ...state.arm_count === 0 ? [] : [figure(best ? `Best: ${armName(best)}` : "Best arm", number(state.best_mean, 3), "The expected reward of the arm that is believed to be the best"),
    figure("Regret", number(state.regret, 4), "Of all plays, compared with the arm that is believed to be the best now")]);
}

/*
 * Whether it is decided which arm is best, and why. The report costs the server more than a frame does, so it is read
 * every few seconds at most, and once more after the last change. Where it fails, the line stays as it was.
 */
async function refreshVerdict(own) {
  own.changed = true;
  if (own.reporting) return;
  own.reporting = true;
  while (own.changed && watched === own) {
    own.changed = false;
    try {
      own.report = await ask("GET", pathOf(own.name, "report"));
      if (watched !== own) break;
      showVerdict(own.report);
      paint(own);
    } catch { /* the stream of events reports a lost connection */ }
    await new Promise(done => setTimeout(done, 1000 * REPORT_EVERY));
  }
  own.reporting = false;
}

function showVerdict(report) {
  const more = report.verdict === "not yet" && report.more ? `; about ${whole(report.more)} more rewards would decide it` : "";
  at("verdict").hidden = false;
  at("verdict").replaceChildren(make("strong", {}, report.verdict), `: ${report.reason}${more}`);
  const lines = [...regretLine(report), ...holdbackLine(report.holdback), ...shadowLine(report.shadow)];
  at("found").hidden = lines.length === 0;
  at("found").replaceChildren(...lines.map(line => make("li", {}, line)));
}

/* An interval that is open on one side is not shown. */
function between(low, high) { return low === null || high === null ? null : `${number(low, 3)} to ${number(high, 3)}`; }
function always(low, high) { return between(low, high) === null ? "" : `, at all times ${between(low, high)}`; }

function regretLine(report) {
  const what = report.arms.length > 0 ? "arm" : "learner";
  return report.regret === null ? [] : [`To stop now and play the ${what} with the largest expected reward costs ${number(report.regret, 3)} in each round, by the belief.`];
}

function holdbackLine(found) {
  return found === undefined ? [] : [`Holdback: the posse earns ${number(found.posse.mean, 3)} and the control ${number(found.control.mean, 3)}; ` +
    `lift ${number(found.posse.lift, 3)}${always(found.posse.lift_low, found.posse.lift_high)}.`];
}

function shadowLine(found) {
  if (found === undefined) return [];
  const earned = found.estimate === null ? between(found.low, found.high) ?? "–" : number(found.estimate, 3) + always(found.low, found.high);
  return [`Shadow mode: both agreed in ${whole(found.agreed)} of ${whole(found.rounds)} rounds; the rule earns ` +
    `${number(found.rule.mean, 3)}, the suggestions would have earned ${earned}.`];
}

/* What the report has of an arm, as far as it is known. */
function foundOfArm(report, arm) {
  const f = report.arms[arm];
  if (!f || f.rewards === 0) return "no reward so far";
  return [
    between(f.low, f.high) === null ? null : `${between(f.low, f.high)} at all times`,
    f.best === null ? null : `best with ${number(100 * f.best, 3)} %`,
    report.control === arm ? "the control" : f.lift === null ? null : `lift ${number(f.lift, 3)}` + (between(f.lift_low, f.lift_high) === null ? "" : ` (${between(f.lift_low, f.lift_high)})`),
  ].filter(part => part !== null).join(" · ");
}

/* The surprise, or null if the posse reports none. The server writes infinity as null. */
function surpriseOf(state) { return state.surprise === undefined ? null : state.surprise ?? Infinity; }

/*
 * Hides the line for a posse that reports no surprise: its selector does not watch its belief, and that is not robust.
 */
function showSurprise(state) {
  const surprise = surpriseOf(state), high = state.alarms.includes("surprise");
  at("surprise").hidden = surprise === null;
  at("surprise").classList.toggle("high", high);
  if (surprise === null) return;
  const times = Math.exp(surprise) < 1e6 ? `${number(Math.exp(surprise), 3)} times` : "more than a million times";
  const says = high ? `The rewards contradict the prior: they are ${times} as probable under a robust one, which allows for ` +
    "other means and other noise. If the prior were right, this would happen to at most one posse in 20. Create the posse again " +
    "with a prior that fits, or with \"robust\": true. If the prior is robust already, it has adapted."
    : `The rewards ${surprise > 0 ? "do not contradict" : "fit"} the prior. A surprise above 3 would be a warning.`;
  at("surprise").textContent = `Surprise ${number(surprise, 3)}. ${says}`;
}

function retire(what, path) {
  return act(async () => {
    if (await sure(`Retire ${what}?`, "It will not be played again. Rewards of its earlier plays are still learned.", "Retire it")) await ask("DELETE", path);
  });
}

function showLearners(own, state, shares) {
  const known = state.learners.filter(l => l.active && l.potential !== null).map(l => l.potential);
  const most = Math.max(...known, 1e-300);
  const active = state.learners.filter(l => l.active).length, looks = looksOf(state.learners);
  const rows = state.learners.map((l, i) => {
    return make("tr", { class: l.active ? null : "retired" }, make("td", {}, swatch(looks[i].style, true), l.name),
      make("td", { class: "number" }, whole(l.plays)),
      ...cellsOfReport(own.report?.learners[i]),
      make("td", { class: "number" }, shares ? `${Math.round(100 * shares[i])} %` : "–"),
      make("td", { class: "number of-arms" }, number(l.potential, 4)),
      make("td", { class: "bar of-arms" }, l.active && l.potential !== null ? barPicture(l.potential / most, looks[i].style) : null),
      make("td", { class: "number" }, l.active && active > 1
        ? make("button", { type: "button", class: "small", "data-key": "learner " + i, click: retire(l.name, pathOf(own.name, "learners", l.name)) }, "Retire") : l.active ? null : "Retired"));
  });
  if (state.learner_count > rows.length) rows.push(make("tr", {}, make("td", { colspan: 8, class: "quiet" }, `and ${whole(state.learner_count - rows.length)} more`)));
  replace(at("learners").tBodies[0], rows);
}

/* The mean reward of a learner, and the interval that holds at all times, where rewards have a range. */
function cellsOfReport(f) {
  return [f ? number(f.mean, 3) : "–", f ? between(f.low, f.high) ?? "–" : "–"].map(text => make("td", { class: "number" }, text));
}

/* The element with the focus keeps it when rows are drawn anew. */
function replace(element, children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  element.replaceChildren(...children);
  if (key) element.querySelector(`[data-key="${key}"]`)?.focus();
}

function showArms(own, state) {
  const known = state.arms.filter(a => a.mean !== null && a.active);
  const low = Math.min(...known.map(a => a.mean - 2 * (a.deviation || 0))), most = Math.max(...known.map(a => a.mean + 2 * (a.deviation || 0)));
  const from = Math.max(state.reward_low, low), to = Math.min(state.reward_high, most);
  const active = state.arms.filter(a => a.active).length, best = bestArm(state);
  const rows = state.arms.slice(0, LIMIT).map(a => {
    return make("div", { class: "arm" + (a.active ? "" : " retired") + (best && a.mean === best.mean && a.active ? " best" : "") },
      make("span", { class: "label", title: armName(a) }, a.name ?? "Arm " + a.arm),
      a.active && a.mean !== null ? bandPicture(a.mean, a.deviation, from, to) : make("span"),
      make("span", { class: "value" }, a.mean === null ? "–" : number(a.mean, 3) + (a.deviation === null ? "" : " ± " + number(2 * a.deviation, 2))),
      a.active && active > 1 ? make("button", { type: "button", class: "small", "data-key": "arm " + a.arm, click: retire(armName(a), pathOf(own.name, "arms", a.name ?? String(a.arm))) }, "Retire") : make("span"),
      own.report ? make("span", { class: "found" }, foundOfArm(own.report, a.arm)) : null);
  });
  at("arms-note").hidden = state.features > 0;
  if (state.features > 0) rows.unshift(make("p", { class: "note" }, "Rounds have features, and the expected reward of an arm depends on them."));
  if (state.arm_count > rows.length && state.features === 0) rows.push(make("p", { class: "note" }, `and ${whole(state.arm_count - state.arms.length)} more`));
  replace(at("arms"), rows);
}

/* rows: of the chosen time; none: what the shares say if nothing was decided in it. */
function showCharts(state, span, rows, none) {
  const decided = rows.filter(row => row.shares !== null).length, known = (...names) => rows.some(row => names.some(name => row[name] !== null));
  putChart(at("shares"), shareChart(span, rows, state.learners), decided > 1 ? null : decided ? "gathering …" : state.decisions > 0 ? none : "no decisions so far");
  putChart(at("rewards"), rewardChart(span, rows), known("best", "mean") ? null : "nothing yet");
  putChart(at("regret"), regretChart(span, rows), known("regret") ? null : "nothing yet");
}

function showLive(all, state) {
  const span = SPANS.find(s => -all[0].t <= s) || SPANS.at(-1), seen = Math.max(1, Math.min(span, Math.round(-all[0].t)));
  showCharts(state, span, within(all, span), `none in the last ${seen} s`);
}

function showPast(own) {
  showCharts(own.last, own.past.span, rowsOfPast(own), "none in this time");
}

/* Which time the charts have, and what they say about it. */
function showSpan(own) {
  const view = own.past ? own.past.view : "live", over = own.past ? "between two points of this chart" : "of the last ten seconds";
  for (const button of at("spans").children) button.setAttribute("aria-pressed", String(button.value === view));
  at("shares-over").textContent = at("rewards-over").textContent = over;
}

for (const button of at("spans").children) {
  button.addEventListener("click", act(async () => {
    const own = watched;
    await choosePast(own, button.value);
    if (own.last && watched === own) paint(own);
  }));
}

function paint(own) {
  const all = history(own), state = own.last;
  at("name").textContent = state.name;
  document.title = state.name + " – posse";
  at("one").classList.toggle("armless", state.arm_count === 0);
  showFigures(own, state);
  at("modes").replaceChildren(...modeMarks(state));
  showAlarms(state);
  showSurprise(state);
  showLearners(own, state, all.at(-1).shares);
  showArms(own, state);
  showSpan(own);
  if (own.past) showPast(own);
  else showLive(all, state);
}

/* ---- the test-drive ---- */

let drive = null; /* {name, means, low, most, owed, rounds} while it runs */

/* The largest mean on the sliders: 10 for counts, 1 for all other rewards. */
function scaleOf(state) { return isCount(state.reward_low, state.reward_high) ? 10 : 1; }
function isCount(low, most) { return low >= 0 && most > 1; }

function offerDrive(own, state) {
  own.arms = state.arms.length;
  const can = state.features === 0 && state.arms.length > 0;
  at("drive").hidden = !can;
  if (!can) return;
  const old = own.means || [], scale = scaleOf(state);
  own.means = state.arms.map((a, i) => old[i] ?? scale * Math.round(100 * (.1 + .8 * Math.random())) / 100);
  at("means").replaceChildren(...own.means.slice(0, 24).map((mean, i) => {
    const shown = make("output", {}, mean.toFixed(2));
    const name = make("span", { class: "label", title: armName(state.arms[i]) }, state.arms[i].name ?? "Arm " + i);
    return make("label", {}, name, make("input", { type: "range", min: 0, max: scale, step: scale / 100, value: mean,
      input: event => { own.means[i] = Number(event.target.value); shown.textContent = own.means[i].toFixed(2); } }), shown);
  }));
}

/* A Poisson variable: the number of arrivals in `mean` units of time, if they are one unit apart on average. */
function count(mean) {
  let n = 0;
  for (let at_ = -Math.log(1 - Math.random()); at_ < mean; at_ -= Math.log(1 - Math.random())) n++;
  return n;
}

/*
 * A random reward that the posse can learn: one of both ends if they are within 0 and 1, a count if rewards are not
 * below 0, otherwise a normal variable.
 */
function reward(mean, low, most) {
  if (low >= 0 && most <= 1) return Math.random() < mean ? most : low;
  const drawn = isCount(low, most) ? count(mean) : mean + .5 * Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return Math.min(most, Math.max(low, drawn));
}

/* Decisions of external learners have no arm that this page could play, so they are forgotten. */
async function driveOn(own) {
  const began = performance.now();
  while (drive === own) {
    const due = own.rounds + Math.max(1, Math.round(Number(at("speed").value) / 10));
    const answer = await ask("POST", pathOf(own.name, "turn"), { rewards: own.owed, n: due - own.rounds });
    const outside = answer.decisions.filter(d => d.arm === null);
    own.owed = answer.decisions.filter(d => d.arm !== null).map(d => ({ token: d.token, reward: reward(own.means[d.arm] ?? .5, own.low, own.most) }));
    if (outside.length) await ask("POST", pathOf(own.name, "forget"), { tokens: outside.map(d => d.token) });
    own.rounds = due;
    at("driven").textContent = `${whole(own.rounds)} rounds in ${number((performance.now() - began) / 1000, 3)} s`;
    await new Promise(done => setTimeout(done, 100));
  }
  if (own.owed.length) await ask("POST", pathOf(own.name, "learn"), { rewards: own.owed }); /* of the last decisions */
}

function stopDrive() {
  drive = null;
  at("drive-start").textContent = "Start";
}

/* Stops after an error, shows it, and forgets the decisions without a reward, so that none stays pending. */
async function breakOff(own, error) {
  if (drive === own) stopDrive();
  tell(error);
  if (own.owed.length) await ask("POST", pathOf(own.name, "forget"), { tokens: own.owed.map(d => d.token) }).catch(() => {});
}

at("drive-sure").addEventListener("change", () => { at("drive-start").disabled = !at("drive-sure").checked; });
at("drive-start").addEventListener("click", act(async () => {
  if (drive) return stopDrive();
  drive = { name: watched.name, means: watched.means, low: watched.last.reward_low, most: watched.last.reward_high, owed: [], rounds: 0 };
  at("drive-start").textContent = "Stop";
  watched.past = null; /* to watch it live */
  const own = drive;
  driveOn(own).catch(error => breakOff(own, error));
}));

/* ---- which of the two views ---- */

function leave() {
  clearInterval(listing);
  if (drive) stopDrive();
  watched?.stop.abort();
  watched = null;
  at("drive-sure").checked = false;
  at("drive-start").disabled = true;
  at("driven").textContent = "";
}

function show() {
  let name = "";
  try { name = decodeURIComponent(location.hash.replace(/^#\/?/, "")); } catch { /* it is no name: show the list */ }
  leave();
  at("all").hidden = name !== "";
  at("one").hidden = name === "";
  pulse(false, "connecting …");
  document.title = "posse";
  if (name === "") {
    list();
    listing = setInterval(list, 2000);
  } else {
    at("name").textContent = name;
    at("surprise").hidden = at("alarms").hidden = true;
    for (const id of ["figures", "arms"]) at(id).replaceChildren();
    at("verdict").hidden = at("found").hidden = true;
    at("modes").replaceChildren();
    at("learners").tBodies[0].replaceChildren();
    watch(name);
  }
}

addEventListener("resize", () => { if (watched?.last) paint(watched); });
addEventListener("hashchange", () => { hush(); show(); });
/* While nothing happens no frames arrive, but the time axis must move all the same. */
setInterval(() => { if (watched?.last && !document.hidden && performance.now() / 1000 - watched.came > 1.5) paint(watched); }, 1000);
show();
