/* All there is to see of one question: the answer, what it cites, the hits, the evidence, figures. */

function details(one) {
  const [references, hits] = [referencePart(one), hitsPart(one)];
  const answer = answerPart(one);
  const left = [answer, references, answer ? evidencePart("Evidence of the answer", one.answer_evidence) : hits];
  const right = [figuresPart(one), answer && hits, evidencePart("Evidence", one.evidence, one)];
  return element("div", { class: "details" },
    element("p", { class: "tags" },
      one.databases.map((name) => tag(`in ${name}`)), one.kind && tag(one.kind),
      one.generated && tag(`generated: ${one.generated}`, "made"),
      !one.answerable && tag("no answer in the documents", "made"),
      one.without.length > 0 && tag(`without ${one.without.join(", ")}`)),
    one.faults.length > 0 && element("ul", { class: "faults" },
      one.faults.map((line) => element("li", {}, foreign(line)))),
    element("div", { class: "columns" }, element("div", {}, left), element("div", {}, right)));
}

function part(title, ...inside) {
  return element("section", { class: "part" }, element("h4", {}, title), inside);
}

function answerPart(one) {
  if (one.outcome === undefined) return null;
  const cited = one.citations.length ? one.citations : one.refusal?.citations || [];
  const box = element("div");
  const said = !one.refusal && element("div", { class: "said", dir: "auto" }, sentencesOf(one, box));
  const parts = [
    element("p", { class: "tags" }, tag(one.outcome, one.outcome),
      one.confidence && tag(`confidence ${one.confidence} of 10`), one.model && tag(one.model),
      one.fallback && tag(one.fallback, "made")),
    one.stopped && element("p", { class: "warned" }, "Broke off: ", foreign(one.stopped)),
    said, said && supportLegend(one), refusalPart(one),
    one.draft && element("details", {}, element("summary", {}, "What the model had written"),
      element("div", { class: "said", dir: "auto" }, marked(one.draft, cited, box))),
    ...(one.objections || []).map((line) => element("p", { class: "warned" }, foreign(line))),
    ...(one.disagreements || []).map(disagreement),
    judged(one.judgement),
    cited.length > 0 && element("ol", { class: "quotes", "aria-label": "Cited quotes" },
      cited.map(citation)),
    one.covered && element("p", { class: "note" }, foreign(one.covered)),
  ];
  box.append(...parts.filter(Boolean));
  return part("Answer", box);
}

const SIGNS = {
  supported: ["✓", "borne out by the quotes it cites"],
  computed: ["=", "computed from numbers that were read"],
  in_entry: ["≈", "borne out by other words that were read"],
  unconfirmed: ["?", "not confirmed word for word"],
  contradicted: ["≠", "the source says otherwise"],
  nowhere: ["!", "stands in nothing that was read"],
};

/* Sentences are looked up one after the other, as offsets count characters otherwise than here. */
function sentencesOf(one, box) {
  const pieces = [];
  let at = 0;
  for (const sentence of one.sentences || []) {
    const start = one.answer.indexOf(sentence.text, at);
    if (start < 0 || !sentence.text) continue;
    pieces.push(...marked(one.answer.slice(at, start), one.citations, box));
    at = start + sentence.text.length;
    const [sign, words] = SIGNS[sentence.support] || ["", ""];
    const inside = marked(sentence.text, one.citations, box);
    pieces.push(sign ? element("span", { class: `sentence ${sentence.support}`, title: words }, inside,
      element("sup", { role: "img", "aria-label": words }, sign)) : element("span", {}, inside));
  }
  return [...pieces, ...marked(one.answer.slice(at), one.citations, box)];
}

function supportLegend(one) {
  const there = Object.keys(SIGNS).filter((name) => (one.sentences || []).some((s) => s.support === name));
  if (!there.length) return null;
  return element("p", { class: "note" }, there.map((name) => `${SIGNS[name][0]} ${SIGNS[name][1]}`).join("; "));
}

/* A text with its [1] as buttons that lead to what they cite. */
function marked(text, citations, box) {
  const known = new Set(citations.map((each) => String(each.marker)));
  return text.split(/(\[\d+\])/).filter(Boolean).map((piece) => {
    const marker = piece.slice(1, -1);
    if (!/^\[\d+\]$/.test(piece) || !known.has(marker)) return document.createTextNode(piece);
    const follow = (event) => {
      event.stopPropagation();
      leadTo(box.querySelector(`.quotes > li[data-marker="${marker}"]`));
    };
    return element("button", { type: "button", class: "marker", "aria-label": `Citation ${marker}`,
      click: follow }, marker);
  });
}

function leadTo(target) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
  target.classList.remove("led-to");
  requestAnimationFrame(() => target.classList.add("led-to"));
}

function citation(cited) {
  return element("li", { "data-marker": cited.marker, tabindex: "-1", value: cited.marker }, quoted(cited));
}

function quoted(item) {
  const state = item.verified ? (item.match === "aligned" ? "close" : "found") : "missing";
  const words = { found: "✓ quote found", close: "~ close match", missing: "! not found" }[state];
  return [element("blockquote", { dir: "auto" }, item.quote),
    element("p", { class: "source" }, element("span", { class: `state ${state}` }, words), " ", place(item)),
    item.match === "aligned" && item.written && item.written !== item.quote
      ? element("p", { class: "note" }, "written as: ", foreign(item.written)) : null];
}

function place(item) {
  const at = item.location || {};
  const parts = [at.page && `page ${at.page}`, at.heading, at.line && `line ${at.line}`].filter(Boolean);
  return element("span", { class: "place" }, foreign(item.title || ""), " ",
    foreign(item.path, { class: "path" }),
    item.document && item.document !== item.path && [" ", foreign(item.document, { class: "path" })],
    parts.length > 0 && [" · ", foreign(parts.join(" · "))]);
}

function refusalPart(one) {
  if (!one.refusal) return null;
  const { reason, searched, nearest, widen } = one.refusal;
  return element("div", { class: "refusal" },
    element("p", {}, element("b", {}, "Refused: "), foreign(reason)),
    searched.length > 0 && element("p", { class: "note" }, "Looked for ", foreign(searched.join(", "))),
    nearest.length > 0 && element("details", {}, element("summary", {}, "What comes nearest"),
      element("ul", { class: "quotes" }, nearest.map((item) => element("li", {}, quoted(item))))),
    widen.length > 0 && element("ul", { class: "note" }, widen.map((line) => element("li", {}, foreign(line)))));
}

function disagreement(said) {
  const sides = said.sides.map((side) => `${side.value} (${side.path})`).join(" or ");
  return element("p", { class: "warned" }, "The sources disagree on “", foreign(said.about), "”: ", foreign(sides));
}

function judged(judgement) {
  if (!judgement) return null;
  const verdict = judgement.verdict || "no verdict";
  return element("p", { class: "judged" }, tag(`judged ${verdict}`, verdict), " ",
    foreign(judgement.failure || judgement.reason), " ", foreign(`(${judgement.model})`, { class: "note" }));
}

function referencePart(one) {
  const wanted = Object.entries(one.relevant || {}).filter(([, grade]) => grade > 0);
  const ranks = new Map((one.ranking || []).map((each, place) => [each.document, place + 1]));
  const standing = (name) => (one.ranking ? (ranks.has(name) ? `rank ${ranks.get(name)}` : `not among the first ${one.ranking.length}`) : "");
  if (!wanted.length && !one.answers.length && !one.quotes.length) return null;
  return part("What is right",
    one.answers.length > 0 && element("p", {}, "Answer: ", one.answers.map((text, n) => [n ? " or " : "", foreign(text, { class: "right-answer" })]).flat()),
    one.quotes.length > 0 && element("ul", { class: "quotes" }, one.quotes.map((quote) => element("li", {},
      element("blockquote", { dir: "auto" }, quote),
      (one.unplaced || []).includes(quote) ? element("p", { class: "source" }, element("span", { class: "state missing" }, "! stands in no document that was searched")) : null))),
    wanted.length > 0 && element("ul", { class: "wanted" }, wanted.map(([name, grade]) => element("li", {},
      foreign(name, { class: "path" }), " ", tag(`grade ${grade}`, "good"), " ", element("span", { class: "note" }, standing(name))))));
}

function hitsPart(one) {
  if (!one.hits) return null;
  const words = wordsOf(one.question);
  const listed = one.hits.map((hit, n) => element("li", {},
    element("p", { class: "source" }, hit.grade > 0 ? tag(`grade ${hit.grade}`, "good") : null,
      hit.grade > 0 ? " " : null, place(hit)),
    element("p", { class: "snippet", dir: "auto" }, highlighted(hit.snippet, words))));
  return part("Hits", one.hits.length ? element("ol", { class: "hits" }, listed)
    : element("p", { class: "note" }, "Nothing was found."));
}

const COMMON = new Set(("about been does from have into many much must only shall should than that their them then there "
  + "these they this what when where which with would your").split(" "));

/* Words that are long enough to mean something, as far as a plural apart. */
function wordsOf(text) {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];
  return new Set(found.filter((word) => (word.length > 3 && !COMMON.has(word)) || /\d/.test(word)).map(singular));
}

function singular(word) {
  return word.length > 4 ? word.replace(/e?s$/, "") : word;
}

function highlighted(text, words) {
  return text.split(/([\p{L}\p{N}]+)/u).filter(Boolean).map((piece) =>
    (words.has(singular(piece.toLowerCase())) ? element("mark", {}, piece) : piece));
}

function evidencePart(title, evidence, one = {}) {
  if (!evidence || (!evidence.length && !one.retrieve_stopped)) return null;
  const found = evidence.map((each) => element("div", { class: "evidence" },
    element("p", { class: "source" }, "for “", foreign(each.query), "” in ", foreign(each.database), " ",
      tag(`confidence ${each.confidence} of 10`)),
    element("ul", { class: "quotes" }, each.source.map((item, n) =>
      element("li", {}, quoted({ ...item, quote: each.relevant[n] })))),
    each.notes.map((line) => element("p", { class: "note" }, foreign(line)))));
  return part(title, one.retrieve_stopped
    && element("p", { class: "warned" }, "Broke off: ", foreign(one.retrieve_stopped)), found);
}

function figuresPart(one) {
  const stages = Object.keys(STAGES).filter((stage) => one.traffic[stage]);
  const columns = ["", "time", "first", "calls", "tokens in", "out", "cost"];
  const rows = stages.map((stage) => {
    const took = one.traffic[stage];
    const cells = [milliseconds(took.elapsed_ms), milliseconds(took.first_ms), number(took.tool_calls),
      number(took.tokens_in), number(took.tokens_out), number(took.cost, 5)];
    return element("tr", {}, element("th", { scope: "row" }, STAGES[stage]), cells.map((cell) => element("td", {}, cell)));
  });
  const tools = (one.tools || []).map((call) => element("li", {}, foreign(call.tool, { class: "path" }),
    ` ${milliseconds(call.seconds * 1000)}`, call.ok ? null : element("span", { class: "state missing" }, " ! failed")));
  return part("Figures",
    definitions(Object.entries(one.metrics).map(([name, value]) => [name, shownValue(name, value)]), { class: "measured" }),
    rows.length > 0 && element("div", { class: "wide" }, element("table", { class: "took" },
      element("thead", {}, element("tr", {}, columns.map((word) => element("th", { scope: "col" }, word)))),
      element("tbody", {}, rows))),
    tools.length > 0 && element("ol", { class: "tools", "aria-label": "Tools" }, tools));
}
