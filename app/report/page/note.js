"use strict";
/* A note that lies beside the page: headings, paragraphs, tables with bars, and text whose columns are kept as they are. */

function noteTable(lines) {
  const cells = line => line.split("|").slice(1, -1).map(cell => cell.trim());
  const row = (tag, line) => make("tr", {}, ...cells(line).map(cell => make(tag, { class: /^[-−–\d.]/.test(cell) ? "number" : null }, cell)));
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, row("th", lines[0])),
    make("tbody", {}, ...lines.slice(1).filter(line => !/^[|\s:-]+$/.test(line)).map(line => row("td", line)))));
}

function notePart(text) {
  const lines = text.split("\n");
  if (lines.every(line => line.startsWith("|"))) return noteTable(lines);
  if (/^#+ /.test(text)) return make("h3", {}, text.replace(/^#+ /, ""));
  return / {2}/.test(text) ? make("pre", {}, text) : make("p", { class: "note" }, text);
}

/* The first line, if it is a heading, names the note. */
function noteOf(note) {
  const text = note.text.replace(/\r\n?/g, "\n").trim(), title = /^# (.*)\n*/.exec(text);
  return make("article", {}, make("h2", {}, title ? title[1] : note.file), ...text.slice(title ? title[0].length : 0).split(/\n{2,}/).map(notePart),
    make("p", { class: "note" }, "Beside this page: ", make("a", { href: encodeURIComponent(note.file) }, note.file)));
}
