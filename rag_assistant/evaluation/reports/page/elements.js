"use strict";

/* What everything on the page is made of. Texts of documents, models and question files go in as
   text nodes only: nothing here parses HTML. */

const SVG = "http://www.w3.org/2000/svg";

function element(name, given = {}, ...inside) {
  return filled(document.createElement(name), given, inside);
}

function drawn(name, given = {}, ...inside) {
  return filled(document.createElementNS(SVG, name), given, inside);
}

function filled(made, given, inside) {
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
  }
  const there = inside.flat(Infinity).filter((each) => ![null, undefined, false, ""].includes(each));
  made.append(...there);
  return made;
}

/* A text whose own direction must not turn round what stands beside it. */
function foreign(text, given = {}) {
  return element("bdi", given, String(text));
}

function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

function tag(text, kind = "") {
  return element("span", { class: `tag ${kind}` }, foreign(text));
}

function section(id, title, lede, ...inside) {
  const heading = element("h2", { id: `${id}-title`, tabindex: "-1" }, title);
  const said = lede && element("p", { class: "lede" }, lede);
  return element("section", { id, "aria-labelledby": `${id}-title` }, heading, said, inside);
}

function definitions(pairs, given = {}) {
  const rows = pairs.map(([word, value]) =>
    element("div", {}, element("dt", {}, foreign(word)), element("dd", {}, foreign(value))));
  return element("dl", given, rows);
}

function number(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function milliseconds(value) {
  if (value === null || value === undefined) return "–";
  if (value >= 10000) return `${number(value / 1000, 1)} s`;
  return `${number(value, value < 10 ? 1 : 0)} ms`;
}

function counted(many, what) {
  return `${number(many)} ${what}${many === 1 ? "" : "s"}`;
}

/* A measure of a question, or another figure of it that questions can be chosen by. */
function valueOf(one, name) {
  const value = Object.hasOwn(one.metrics, name) ? one.metrics[name] : one[name];
  return typeof value === "number" ? value : null;
}

const OTHER_FIGURES = ["confidence", "search_ms", "retrieve_ms", "answer_ms"];

function figuresOf(report) {
  const known = new Set();
  for (const one of report.per_question) Object.keys(one.metrics).forEach((name) => known.add(name));
  const others = OTHER_FIGURES.filter((name) =>
    report.per_question.some((one) => valueOf(one, name) !== null));
  return [...known, ...others];
}

function shownValue(name, value) {
  if (value === null) return "–";
  if (name.endsWith("_ms")) return milliseconds(value);
  return name === "confidence" ? String(value) : value.toFixed(2);
}
