/* What is chosen of the questions; the address keeps it, so that a link shows the same. */

const NOTHING = { text: "", outcome: "", kind: "", made: "", wrong: "", metric: "", low: "", high: "",
  sort: "", down: "", open: "" };

class View {
  constructor() {
    this.now = { ...NOTHING, ...View.addressed() };
    this.watchers = [];
    addEventListener("popstate", () => {
      if (!location.hash || location.hash.includes("=")) this.set(View.addressed());
    });
  }

  static addressed() {
    const given = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    return Object.fromEntries([...given].filter(([key]) => Object.hasOwn(NOTHING, key)));
  }

  /* Choose otherwise. What a person opens is a step that the browser can go back from. */
  change(part) {
    const given = Object.entries({ ...this.now, ...part }).filter(([, value]) => value !== "");
    const step = "open" in part && part.open && part.open !== this.now.open;
    history[step ? "pushState" : "replaceState"](null, "", `#${new URLSearchParams(given)}`);
    this.set(Object.fromEntries(given));
  }

  set(given) {
    const before = this.now;
    this.now = { ...NOTHING, ...given };
    this.watchers.forEach((watcher) => watcher(before));
  }

  watch(watcher) {
    this.watchers.push(watcher);
  }

  get narrowed() {
    return ["text", "outcome", "kind", "made", "wrong", "low", "high"].some((key) => this.now[key] !== "");
  }

  /* Whether two states show the same questions in the same order. */
  sameRows(before) {
    return Object.keys(NOTHING).every((key) => key === "open" || before[key] === this.now[key]);
  }
}

function chosen(questions, now) {
  const words = now.text.toLowerCase().split(/\s+/).filter(Boolean);
  const [low, high] = [now.low === "" ? -Infinity : Number(now.low), now.high === "" ? Infinity : Number(now.high)];
  const inRange = (one) => {
    if (!now.metric || (now.low === "" && now.high === "")) return true;
    const value = valueOf(one, now.metric);
    return value !== null && value >= low && value <= high;
  };
  return questions.filter((one) =>
    (!now.outcome || one.outcome === now.outcome) && (!now.kind || one.kind === now.kind)
    && (!now.made || Boolean(one.generated) === (now.made === "yes"))
    && (!now.wrong || one.faults.length > 0) && inRange(one)
    && words.every((word) => searchable(one).includes(word)));
}

const SEARCHABLE = new WeakMap();

function searchable(one) {
  if (!SEARCHABLE.has(one)) {
    const parts = [one.id, one.question, one.answer, ...one.answers, ...Object.keys(one.relevant || {})];
    SEARCHABLE.set(one, parts.filter(Boolean).join("\n").toLowerCase());
  }
  return SEARCHABLE.get(one);
}

function filterBar(report, view) {
  const distinct = (key) => [...new Set(report.per_question.map((one) => one[key]).filter(Boolean))].sort();
  const all = (name, words, values) => values.length > 0 && selection(view, name, words,
    [["", "all"], ...values.map((value) => [value, value])]);
  const made = report.per_question.some((one) => one.generated) && selection(view, "made", "made by",
    [["", "all"], ["no", "people"], ["yes", "generated"]]);
  const figures = figuresOf(report);
  const clear = element("button", { type: "button", class: "clear", click: () => view.change(
    { ...NOTHING, sort: view.now.sort, down: view.now.down, open: view.now.open }) }, "Show all");
  view.watch(() => { clear.hidden = !view.narrowed; });
  clear.hidden = !view.narrowed;
  return element("form", { class: "filters", role: "search", "aria-label": "Filter the questions",
    submit: (event) => event.preventDefault() },
    typed(view, "text", "words", { type: "search", placeholder: "in id, question, answer, documents" }),
    all("outcome", "outcome", distinct("outcome")), all("kind", "kind", distinct("kind")), made,
    element("fieldset", { class: "range" }, element("legend", { class: "unseen" }, "Measure"),
      selection(view, "metric", "measure", [["", "–"], ...figures.map((name) => [name, name])]),
      typed(view, "low", "from", { type: "number", step: "any" }),
      typed(view, "high", "to", { type: "number", step: "any" })),
    wrongOnly(view), clear);
}

function selection(view, name, words, options) {
  const box = element("select", { name, change: () => view.change(
    name === "metric" ? { metric: box.value, low: "", high: "" } : { [name]: box.value }) },
    options.map(([value, shown]) => element("option", { value }, shown)));
  const show = () => { box.value = view.now[name]; };
  view.watch(show);
  show();
  return element("label", {}, element("span", {}, words), box);
}

function typed(view, name, words, given) {
  let waiting = 0;
  const take = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => view.change({ [name]: box.value }), 120);
  };
  const box = element("input", { name, ...given, autocomplete: "off", input: take });
  const show = () => {
    if (document.activeElement !== box) box.value = view.now[name];
    if (given.type === "number") box.disabled = !view.now.metric;
  };
  view.watch(show);
  show();
  return element("label", {}, element("span", {}, words), box);
}

function wrongOnly(view) {
  const box = element("input", { type: "checkbox", name: "wrong",
    change: () => view.change({ wrong: box.checked ? "yes" : "" }) });
  const show = () => { box.checked = view.now.wrong !== ""; };
  view.watch(show);
  show();
  return element("label", { class: "check" }, box, element("span", {}, "wrong only"));
}
