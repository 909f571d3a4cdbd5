"use strict";
/*
 * The drawer: a panel of a described chart as SVG, for every page and for the board. A description is what chart.h has,
 * as JSON. It may leave the ends and the ticks of an axis open; they are set here and nowhere else. Only here there are:
 *
 *   axis.labels      words for the ticks, which then have no grid lines
 *   panel.texts      what the pointer shows of each row
 *   an interval      in ci95 is half its width, or a list of both its ends
 */

/* ---- colours ---- */

/* Gives a property the colour of a style in the theme of the page, whose style sheet sets --tone. */
function coloured(element, property, style) {
  element.classList.add("toned");
  element.style.setProperty("--light", style.light);
  element.style.setProperty("--dark", style.dark);
  element.setAttribute(property, "var(--tone)");
  return element;
}

function dashes(style) { return style.dash.join(" ") || null; }

function swatch(style, area) {
  const mark = area ? draw("rect", { x: 1, y: 2, width: 22, height: 10, rx: 2 })
    : draw("line", { x1: 1, y1: 7, x2: 33, y2: 7, "stroke-width": style.width + .4, "stroke-dasharray": dashes(style) });
  coloured(mark, area ? "fill" : "stroke", style);
  return draw("svg", { class: "swatch", width: area ? 24 : 34, height: 14, "aria-hidden": "true" }, mark);
}

/* The mark of a value: a point, hollow or filled. */
function dot(style, hollow, cx, cy, r, ...children) {
  return coloured(coloured(draw("circle", { class: hollow ? "hollow" : null, "stroke-width": 1.5, cx, cy, r }, ...children), "stroke", style), "fill", style);
}

/* Draws a list of names with their styles, and one for all that are grey. */
function keyOf(chart) {
  const picture = one => chart.lying ? draw("svg", { class: "swatch", width: 14, height: 14, "aria-hidden": "true" }, dot(one.style, one.hollow, 7, 7, 4))
    : swatch(one.style, chart.stacked);
  const entry = (shown, name) => make("span", { class: "entry", title: name }, shown, make("span", { class: "name" }, name));
  return make("div", { class: "legend narrow" }, ...chart.key.map(([p, s]) => chart.panels[p].series[s]).map(one => entry(picture(one), one.name)),
    ...(chart.lying ? chart.panels[0].lines : []).map(line => entry(swatch(line.style), line.name)),
    chart.others ? entry(swatch(chart.rest, chart.stacked), chart.others) : null);
}

/* ---- axes ---- */

const FACTORS = [1, 2, 5, 1.5, 3, 7]; /* of a power of ten, on a logarithmic axis; the first three are preferred */

/* Round numbers at even steps, about `most` of them. */
function evenTicks(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough)), ticks = [];
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough);
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) ticks.push(+(i * step).toPrecision(12));
  return ticks;
}

/* Round numbers of a logarithmic axis, in order. */
function logNumbers(low, high) {
  const numbers = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) numbers.push(...FACTORS.map(f => +(f * 10 ** power).toPrecision(12)));
  return numbers.filter(v => v >= low && v <= high).sort((a, b) => a - b);
}

/* Those whose labels do not touch. */
function logTicks(axis, apart) {
  const preferred = v => FACTORS.indexOf(+v.toExponential().split("e")[0]) < 3, numbers = logNumbers(axis.low, axis.high), chosen = [];
  for (const tick of [...numbers.filter(preferred), ...numbers.filter(v => !preferred(v))])
    if (chosen.every(other => Math.abs(axis.place(tick) - axis.place(other)) > apart)) chosen.push(tick);
  return chosen;
}

/* The ends of an axis: those of the description or else, with some air, those of the values. */
function endsOf(axis, values) {
  const known = values.filter(v => v !== null && isFinite(v) && !(axis.log && v <= 0));
  const least = known.reduce((a, b) => Math.min(a, b), known[0]), most = known.reduce((a, b) => Math.max(a, b), known[0]);
  const set = end => end !== null && end !== undefined;
  if (known.length === 0) return { low: axis.low ?? (axis.log ? .1 : 0), high: axis.high ?? 1 };
  if (axis.log) {
    const low = set(axis.low) ? axis.low : logNumbers(least / 10, least).at(-1);
    return { low, high: set(axis.high) ? axis.high : logNumbers(most, 20 * most).find(v => v > low) };
  }
  const air = .05 * (most - least) || .1 * Math.abs(most) || .1;
  return { low: set(axis.low) ? axis.low : least - air, high: set(axis.high) ? axis.high : most + air };
}

/* An axis with its ends and ticks, and place(value), between the pixels `from` and `to`. Values beyond its ends are put there. */
function settle(axis, values, from, to, apart) {
  const out = { ...axis, ...endsOf(axis, values) }, { low, high, log } = out;
  const part = log ? value => Math.log(Math.max(value, low) / low) / Math.log(high / low) : value => (value - low) / (high - low);
  out.place = value => from + (to - from) * Math.min(1, Math.max(0, part(value)));
  if (!axis.ticks?.length) out.ticks = log ? logTicks(out, apart) : evenTicks(low, high, Math.max(2, Math.abs(to - from) / apart));
  return out;
}

function tickText(value) {
  const size = Math.abs(value);
  return (size >= 1e6 || (size > 0 && size < 1e-3) ? value.toExponential(0) : String(+value.toPrecision(6))).replace("-", "−");
}

function tickLabel(axis, i) {
  return axis.labels ? axis.labels[i] : axis.percent ? Math.round(100 * axis.ticks[i]) + " %" : tickText(axis.ticks[i]);
}

/* The words at the ends of an axis stay within it. */
function anchor(axis, tick) { return !axis.labels || (tick > axis.low && tick < axis.high) ? "middle" : tick > axis.low ? "end" : "start"; }

function axisParts(x, y, { left, right, top, bottom, height, bare }) {
  if (bare) return [draw("path", { class: "axis", d: `M${left} ${top}V${bottom}H${right}` })];
  return [...x.ticks.flatMap((v, i) => [x.labels ? null : draw("line", { class: "axis", x1: x.place(v), x2: x.place(v), y1: top, y2: bottom }),
    draw("text", { x: x.place(v), y: bottom + 17, "text-anchor": anchor(x, v) }, tickLabel(x, i))]),
  ...y.ticks.flatMap((v, i) => [y.labels ? null : draw("line", { class: "axis", x1: left, x2: right, y1: y.place(v), y2: y.place(v) }),
    draw("text", { x: left - 6, y: y.place(v) + 4, "text-anchor": "end" }, tickLabel(y, i))]),
  x.label ? draw("text", { x: (left + right) / 2, y: height - 8, "text-anchor": "middle" }, x.label) : null,
  y.label ? draw("text", { x: -(top + bottom) / 2, y: 14, transform: "rotate(-90)", "text-anchor": "middle" }, y.label) : null].filter(Boolean);
}

/* ---- series ---- */

function ends(one, i) {
  const mean = one.mean[i], interval = one.ci95?.[i];
  return Array.isArray(interval) ? interval : [mean - (interval || 0), mean + (interval || 0)];
}

function pathThrough(points) { return "M" + points.map(([x, y]) => x.toFixed(1) + " " + y.toFixed(1)).join("L"); }

/* The places of the values of a series, in runs without a gap. Where there are marks, the line passes over gaps. */
function runsOf(one, log) {
  const runs = [[]];
  one.mean.forEach((mean, i) => {
    if (mean !== null && !(log && mean <= 0)) runs.at(-1).push(i);
    else if (!one.marked) runs.push([]);
  });
  return runs.filter(run => run.length > 0);
}

function lineParts(one, style, runs, panel, point) {
  const line = coloured(draw("path", { class: "line", fill: "none", "stroke-width": style.width, "stroke-dasharray": dashes(style),
    d: runs.map(run => pathThrough(run.map(i => point(panel.at[i], one.mean[i])))).join("") }, draw("title", {}, one.name)), "stroke", style);
  if (one.marked || !one.shown || !style.band || !one.ci95?.some(half => half)) return [line];
  const band = run => pathThrough([...run.map(i => point(panel.at[i], ends(one, i)[1])), ...run.map(i => point(panel.at[i], ends(one, i)[0])).reverse()]) + "Z";
  return [coloured(draw("path", { "fill-opacity": style.band, d: runs.map(band).join("") }), "fill", style), line];
}

function markParts(one, style, run, panel, point, r) {
  return run.flatMap(i => {
    const [[x1, y1], [x2, y2]] = ends(one, i).map(end => point(panel.at[i], end)), [x, y] = point(panel.at[i], one.mean[i]);
    const text = panel.rows ? null : draw("title", {}, one.name + ", " + panel.x.label + " " + panel.at[i] + ": " + interval(one.mean[i], one.ci95[i]));
    return [coloured(draw("line", { x1, x2, y1, y2, "stroke-width": 1.4 }), "stroke", style), dot(style, one.hollow, x, y, r, text)];
  });
}

function seriesParts(chart, panel, one, point) {
  const style = one.shown ? one.style : chart.rest, runs = runsOf(one, chart.y.log);
  if (runs.length === 0) return [];
  if (chart.lying) return runs.flatMap(run => markParts(one, style, run, panel, point, 4));
  return [...lineParts(one, style, runs, panel, point), ...(one.marked ? runs.flatMap(run => markParts(one, style, run, panel, point, 3.2)) : [])];
}

/* The first area is the lowest. */
function areaParts(chart, panel, point) {
  const runs = runsOf(panel.series[0]).filter(run => run.length > 1);
  let floor = panel.at.map(() => 0);
  return runs.length === 0 ? [] : panel.series.map(one => {
    const under = floor, over = floor = under.map((v, i) => v + (one.mean[i] || 0)), edge = (run, heights) => run.map(i => point(panel.at[i], heights[i]));
    return coloured(draw("path", { class: "area", d: runs.map(run => pathThrough([...edge(run, over), ...edge(run, under).reverse()]) + "Z").join("") },
      draw("title", {}, one.name)), "fill", one.shown ? one.style : chart.rest);
  });
}

/* Lines to compare with, below the series; a name is near the end. */
function referenceParts(panel, point) {
  return (panel.lines || []).flatMap(line => {
    const [[x1, y1], [x2, y2]] = [point(...line.from), point(...line.to)], name = draw("title", {}, line.name);
    return [coloured(draw("line", { x1, x2, y1, y2, "stroke-width": line.style.width, "stroke-dasharray": dashes(line.style) }, name), "stroke", line.style),
      line.labelled ? draw("text", { x: x1 + .92 * (x2 - x1) - 6, y: y1 + .92 * (y2 - y1) - 4, "text-anchor": "end" }, line.name) : null].filter(Boolean);
  });
}

/* Rows are an axis whose ticks are named; names have `room` pixels. */
function axisOfRows({ rows, at }, room) {
  return { low: at[0] - .5, high: at.at(-1) + .5, ticks: at, labels: rows.map(name => cut(name, room / 7.5)) };
}

/* The part of a text that a plot has room for. */
function cut(text, most) { return [...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text; }

/* Where the pointer finds the text of a row. */
function rowParts(panel, y, width) {
  return (panel.texts || []).map((text, i) => draw("rect", { x: 0, y: y.place(panel.at[i] - .5), width, height: y.place(panel.at[i] + .5) - y.place(panel.at[i] - .5),
    fill: "transparent" }, draw("title", {}, text)));
}

/* ---- a panel ---- */

/*
 * frame: the width and height, and the margins left, right, top and bottom; bare: without ticks. Returns {svg, x, y}, with
 * axes that have place(value).
 */
function plot(chart, panel, frame, attributes) {
  const edges = { ...frame, right: frame.width - frame.right, bottom: frame.height - frame.bottom }, { left, right, top, bottom } = edges;
  const ofLines = (panel.lines || []).flatMap(line => [line.from[1], line.to[1]]);
  const values = chart.stacked ? [] : ofLines.concat(...panel.series.map(one => one.mean.flatMap((mean, i) => mean === null ? [] : [mean, ...ends(one, i)])));
  const x = chart.lying ? settle(chart.y, values, left, right, 34) : settle(panel.x, panel.at, left, right, 60);
  const y = chart.lying ? settle(axisOfRows(panel, left), panel.at, top, bottom, 1) : settle(chart.y, values, bottom, top, 26);
  const point = chart.lying ? (at, value) => [x.place(value), y.place(at)] : (at, value) => [x.place(at), y.place(value)];
  const svg = draw("svg", { ...attributes, viewBox: `0 0 ${frame.width} ${frame.height}`, role: "img" }, ...axisParts(x, y, edges), ...referenceParts(panel, point),
    ...(chart.stacked ? areaParts(chart, panel, point) : panel.drawn.flatMap(s => seriesParts(chart, panel, panel.series[s], point))), ...rowParts(panel, y, frame.width));
  return { svg, x, y, ...edges };
}

/* Axes alone, to which a page adds marks of its own. */
function plotAxes(x, y, frame, attributes) { return plot({ y }, { x, at: [], series: [], drawn: [] }, frame, attributes); }
