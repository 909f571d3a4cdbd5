"use strict";
/* Small plots drawn as SVG. An axis is {low, high, log, ticks}, as the pictures have it. */

/* Maps a value on the axis to a place between `from` and `to`; values beyond the axis are put at its end. */
function scale(axis, from, to) {
  const part = axis.log ? value => Math.log(Math.max(value, axis.low) / axis.low) / Math.log(axis.high / axis.low)
    : value => (value - axis.low) / (axis.high - axis.low);
  return value => from + (to - from) * Math.min(1, Math.max(0, part(value)));
}

function tickText(value) { return value >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(0) : String(+value.toPrecision(6)); }

/* The part of a text that a plot has room for; a tooltip shows all of it. */
function cut(text, most) { return [...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text; }

function groupsOf(rows) { return [false, true].map(share => rows.filter(row => row.share === share)).filter(group => group.length > 0); }
function groupName(group) { return group[0].share ? "Every learner learns from every play" : "Each learner learns from its own plays"; }

function downloads(name, table, pictures) {
  const files = [table, ...(pictures ? ["svg", "png", "pdf"].map(suffix => name + "." + suffix) : [])];
  return make("p", { class: "note" }, "Beside this page: ", ...files.flatMap(file => [make("a", { href: file }, file), " "]));
}
