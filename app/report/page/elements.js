"use strict";
/* Elements and numbers, for pages and for the board. Text always goes in as text, never as markup. */

function at(id) { return document.getElementById(id); }

/* make("td", {class: "number"}, child, "text"): an element. A function as a value is a listener. */
function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

function number(x, digits = 4) {
  if (x === null || x === undefined || !isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size >= 1e7 || (size > 0 && size < 1e-4)) return x.toExponential(2);
  const places = size === 0 ? 0 : Math.max(0, Math.min(6, digits - 1 - Math.floor(Math.log10(size))));
  return x.toFixed(places).replace("-", "−");
}

/* The interval decides how many digits of the mean are shown. */
function interval(x, half) {
  if (x === null || x === undefined) return "–";
  if (!half) return number(x);
  const places = Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(half))));
  return x.toFixed(places).replace("-", "−") + " ± " + half.toFixed(places);
}
