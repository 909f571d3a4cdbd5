"use strict";
/* Small charts. The server puts the palette and elements.js of the report before this script. */

function whole(x) { return x === null || x === undefined ? "–" : Math.round(x).toLocaleString("en").replaceAll(",", "\u202f"); }

/*
 * The colours of learners, from the palette of the report. Of more learners than a reader can tell apart, those that
 * are played most have the colours, and the others are grey.
 */
const night = matchMedia("(prefers-color-scheme: dark)");

function coloursOf(learners) {
  const { learner, rest, shown_learners, coloured_areas } = palette, crowded = learners.length > shown_learners;
  const places = learners.map((_, i) => i), most = [...places].sort((a, b) => learners[b].plays - learners[a].plays);
  const coloured = crowded ? places.filter(i => most.indexOf(i) < coloured_areas) : places;
  return places.map(i => {
    const place = coloured.indexOf(i), pairs = place < 0 ? rest.colours : learner.colours;
    return pairs[Math.max(0, place) % pairs.length][night.matches ? 1 : 0];
  });
}

const high = 190, left = 52, right = 8, top_ = 8, bottom = 24;
let wide = 560; /* the width in pixels, so that letters keep their size */

function clear(svg) {
  wide = svg.clientWidth || 560;
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  svg.replaceChildren();
}

/* Steps of 1, 2 or 5 times a power of ten. */
function ticks(low, most, count) {
  const rough = (most - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(m => m * power >= rough);
  const list = [];
  for (let x = Math.ceil(low / step - 1e-9) * step; x <= most + 1e-9 * step; x += step) list.push(Math.abs(x) < step / 1e6 ? 0 : x);
  return list;
}

function axes(svg, span, low, most, label) {
  const x = t => left + (wide - left - right) * (1 + t / span), y = v => high - bottom - (high - bottom - top_) * (v - low) / (most - low);
  for (const v of ticks(low, most, 4)) {
    svg.append(draw("line", { class: "axis", x1: left, x2: wide - right, y1: y(v), y2: y(v) }),
      draw("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, label(v)));
  }
  for (const t of [-span, -span / 2, 0]) {
    const anchor = t === 0 ? "end" : t === -span ? "start" : "middle";
    svg.append(draw("text", { x: x(t), y: high - 6, "text-anchor": anchor }, t === 0 ? "now" : ago(-t)));
  }
  return { x, y };
}

function empty(svg, why) { svg.append(draw("text", { class: "empty", x: (wide + left) / 2, y: high / 2 }, why)); }

/* points: [seconds, value or null]; a null is a gap. */
function path(points, x, y) {
  let text = "", open = false;
  for (const [t, v] of points) {
    if (v === null) { open = false; continue; }
    text += `${open ? "L" : "M"}${x(t).toFixed(1)} ${y(v).toFixed(1)}`;
    open = true;
  }
  return text;
}

/* lines: {points, class}; seconds are before now, so negative. */
function lineChart(svg, span, lines, zero) {
  clear(svg);
  const values = lines.flatMap(line => line.points.map(p => p[1])).filter(v => v !== null && isFinite(v));
  if (values.length === 0) { axes(svg, span, 0, 1, v => number(v, 2)); empty(svg, "nothing yet"); return; }
  let low = Math.min(...values), most = Math.max(...values);
  if (zero) low = Math.min(0, low);
  const slack = (most - low) * .08 || Math.abs(most) * .1 || .1;
  if (!zero || low < 0) low -= slack;
  most += slack;
  const { x, y } = axes(svg, span, low, most, v => number(v, 3).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""));
  for (const line of lines) svg.append(draw("path", { class: line.class, d: path(line.points, x, y) }));
}

/*
 * rows: {t, shares} with a share for each learner, or null where nothing was decided; none: the text if all are null.
 */
function shareChart(svg, span, rows, learners, none) {
  clear(svg);
  const { x, y } = axes(svg, span, 0, 1, v => `${Math.round(100 * v)} %`);
  const known = rows.filter(row => row.shares !== null), colours = coloursOf(learners);
  if (known.length < 2) { empty(svg, known.length ? "gathering …" : none); return; }
  /* A run of rows without a gap is an area. */
  const runs = [];
  for (const row of rows) {
    if (row.shares === null) runs.push([]);
    else (runs.at(-1) || runs[runs.push([]) - 1]).push(row);
  }
  for (const run of runs.filter(r => r.length > 1)) {
    let floor = run.map(() => 0);
    for (let i = 0; i < learners.length; i++) {
      const ceiling = run.map((row, k) => floor[k] + (row.shares[i] || 0));
      const over = run.map((row, k) => `${x(row.t).toFixed(1)} ${y(ceiling[k]).toFixed(1)}`);
      const under = run.map((row, k) => `${x(row.t).toFixed(1)} ${y(floor[k]).toFixed(1)}`).reverse();
      const area = draw("path", { fill: colours[i], d: `M${over.join("L")}L${under.join("L")}Z` });
      area.append(draw("title", {}, learners[i].name));
      svg.append(area);
      floor = ceiling;
    }
  }
}

/* The position of a mean and its band between the lowest and the highest of all. */
function bandPicture(mean, deviation, low, most) {
  const at_ = v => 100 * Math.min(1, Math.max(0, (v - low) / (most - low || 1)));
  const svg = draw("svg", { viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("line", { class: "ground", x1: 0, x2: 100, y1: 10, y2: 10 }));
  if (deviation !== null) {
    const from = at_(mean - 2 * deviation), to = at_(mean + 2 * deviation);
    svg.append(draw("rect", { class: "band", x: from, y: 4, width: Math.max(.5, to - from), height: 12 }));
  }
  svg.append(draw("rect", { class: "mean", x: Math.min(98.8, at_(mean)), y: 2, width: 1.2, height: 16 }));
  return svg;
}

function barPicture(part, fill_) {
  return draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { x: 0, y: 0, width: Math.max(0, Math.min(100, 100 * part)), height: 10, fill: fill_ }));
}
