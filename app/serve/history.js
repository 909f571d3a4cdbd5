"use strict";
/*
 * What the server remembers of a posse, as rows for the charts. A point has sums since the beginning, so what happened
 * between two points is their difference.
 */
const PAST = { hour: 3600, day: 86400, week: 604800, all: null }; /* seconds; null: from the beginning */
const PAST_EVERY = 60; /* seconds between two readings */

/* The plays of each learner between two points; null: unknown. After the start of a task plays count from 0 again. */
function playsBetween(a, b) {
  if (a.plays.length === 0 && a.decisions > 0) return null;
  const again = b.plays.some((n, i) => n < (a.plays[i] || 0));
  return b.plays.map((n, i) => n - (again ? 0 : a.plays[i] || 0));
}

/* Two rows for each pair of points, so that lines are level between them: a mean holds for the whole time. */
function pastRows(points, now) {
  const rows = [];
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1], b = points[i];
    const decided = b.decisions - a.decisions, rewarded = b.rewards - a.rewards, plays = decided > 0 ? playsBetween(a, b) : null;
    const shares = plays && plays.map(n => n / decided), mean = rewarded > 0 ? (b.reward_sum - a.reward_sum) / rewarded : null;
    rows.push({ t: a.at - now, best: a.best_mean, regret: a.regret, shares, mean }, { t: b.at - now, best: b.best_mean, regret: b.regret, shares, mean });
  }
  return rows;
}

/* The state of a frame as a point. */
function presentPoint(state, seconds) {
  return { at: seconds, decisions: state.decisions, rewards: state.rewards, reward_sum: state.reward_sum, regret: state.regret,
    best_mean: state.best_mean, plays: state.learners.map(l => l.plays) };
}

/* The last point is the present one, and is replaced by newer frames. */
async function readPast(own, view) {
  const { points } = await ask("GET", pathOf(own.name, "history") + "?span=" + view);
  const now = points.at(-1).at, span = PAST[view] ?? Math.max(60, now - points[0].at);
  return { view, points: points.slice(0, -1), last: points.at(-1), now, span, read: performance.now() / 1000 };
}

function hasDecided(past) { return past.points.length > 0 && past.last.decisions > past.points[0].decisions; }

/* A page opens with the shortest time in which something happened, or, if nothing ever did, with what happens now. */
async function openPast(own) {
  for (const view of Object.keys(PAST)) {
    const past = await readPast(own, view);
    if (own.past !== undefined) return; /* the reader has chosen */
    if (hasDecided(past)) { own.past = past; return; }
  }
  own.past = null;
}

/* view "live": the last two minutes, from frames alone. */
async function choosePast(own, view) {
  own.past = null;
  if (view !== "live") own.past = await readPast(own, view);
}

async function refreshPast(own) {
  const past = own.past;
  if (!past || performance.now() / 1000 - past.read < PAST_EVERY || own.refreshing) return;
  own.refreshing = true;
  try {
    const again = await readPast(own, past.view);
    if (own.past === past) own.past = again;
  } catch { /* the stream of events reports a lost connection */ }
  own.refreshing = false;
}

/* The rows of the chosen time until now. */
function rowsOfPast(own) {
  const { points, now, span, read } = own.past, present = now + performance.now() / 1000 - read;
  return within(pastRows([...points, presentPoint(own.last, present)], present), span);
}

/* A time before now, in words. */
function ago(seconds) {
  const [size, unit] = [[86400, "days"], [3600, "h"], [60, "min"], [1, "s"]].find(([s]) => seconds >= 2 * s) || [1, "s"];
  return `${number(seconds / size, 2).replace(/\.0+$/, "")} ${unit} ago`;
}
