"use strict";
/* The page over several experiments: a card each, with a small picture, verdicts and the numbers that matter most. */

function thumbnail(card) {
  const chart = card.thumbnail, [panel] = chart.panels, frame = { width: 320, height: 185, left: 8, right: 8, top: 8, bottom: 22, bare: true };
  const { svg, left, right, top } = plot(chart, panel, frame, { class: "thumbnail", "aria-label": chart.note });
  svg.append(draw("text", { x: left + 4, y: top + 8 }, card.measure + ", to " + number(Math.max(...panel.series.flatMap(one => one.mean)), 3)),
    draw("text", { x: right, y: frame.height - 6, "text-anchor": "end" }, "round " + panel.at.at(-1)));
  return svg;
}

/*
 * The selectors (if they are many, the three with the least regret or, on a log, the largest value), the best learner,
 * and the oracle or the policy that made the log.
 */
function headlines(card) {
  const onLog = card.measure === "value", sign = onLog ? -1 : 1;
  const of = role => card.competitors.filter(c => c.role === role), least = list => [...list].sort((a, b) => sign * (a.regret - b.regret));
  const selectors = of("selector"), best = least(of("learner"))[0];
  const shown = [...(selectors.length > 6 ? least(selectors).slice(0, 3) : selectors), best, ...of("oracle"), ...of("log")];
  const rows = card.competitors.filter(c => shown.includes(c));
  return make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, ""), make("th", { scope: "col", class: "number" }, onLog ? "value" : "regret"),
    make("th", { scope: "col", class: "number" }, onLog ? "effective rounds" : "optimal"))), make("tbody", {}, ...rows.map(c => make("tr", { class: c.role },
    make("td", { class: "name" }, swatch(c.style), c.name + (c === best ? " (best learner)" : "")),
    make("td", { class: "number" }, interval(c.regret, c.regret_ci95)), make("td", { class: "number" }, onLog ? String(Math.round(c.effective)) : percent(c.optimal))))));
}

function claimList(card) {
  if (card.claims.length === 0) return make("p", { class: "note" }, "No claims.");
  return make("details", {}, make("summary", {}, ...verdictBadges(countVerdicts(card.claims))),
    make("ul", {}, ...card.claims.map(c => make("li", {}, badge(c.verdict), " ", c.says))));
}

/* An experiment whose own page was not made has nothing to link to. */
function cardOf(card) {
  const link = child => card.page ? make("a", { href: encodeURIComponent(card.folder) + "/index.html" }, child) : child;
  return make("article", { class: "card" }, make("h2", {}, link(card.title)), card.about ? make("p", { class: "about" }, card.about) : null,
    make("p", { class: "note" }, card.name + ": T = " + card.rounds + ", R = " + card.runs + ", seed " + card.seed),
    thumbnail(card), claimList(card), headlines(card));
}

/* The cards of a family are folded, because they are many and similar. */
function familyCards(family) {
  const cards = data.cards.filter(card => card.family === family.stem);
  return make("details", { class: "family" }, make("summary", {}, family.stem + "-N: " + plural(cards.length, "experiment")),
    make("div", { class: "cards" }, ...cards.map(cardOf)));
}

applyTheme();
const claims = data.cards.flatMap(card => card.claims);
at("summary").textContent = plural(data.cards.length, "experiment") + ", " + plural(claims.length, "claim") +
  (data.cards.length && data.cards[0].version ? ", posse " + data.cards[0].version : "");
at("verdicts").append(make("p", {}, ...verdictBadges(countVerdicts(claims))));
buildComparison();
buildScaling();
at("cards").append(...data.cards.filter(card => !card.family).map(cardOf));
at("families").append(...data.families.map(familyCards));
at("notes").append(...data.notes.map(noteOf));
