/* The table of questions: rows are made as they come into sight, so that thousands stay light. */

const AT_ONCE = 60;

/* What the columns hold: a heading, the value to sort by (null goes last), and what is shown. */
function columnsOf(report, view) {
  const has = (test) => report.per_question.some(test);
  const total = (one) => Object.values(one.traffic).reduce((sum, each) => sum + each.elapsed_ms, 0);
  const metric = view.now.metric;
  return [
    { key: "id", title: "id", value: (one) => one.id },
    { key: "question", title: "question", value: (one) => one.question },
    has((one) => one.outcome) && { key: "outcome", title: "outcome", value: (one) => one.outcome ?? null,
      show: (one) => (one.outcome ? tag(one.outcome, one.outcome) : "–") },
    has((one) => one.rank !== null) && { key: "rank", title: "rank", figure: true,
      hint: "rank of the first relevant document",
      value: (one) => (one.rank === 0 ? Infinity : one.rank),
      show: (one) => (one.rank === null ? "–" : one.rank || "none") },
    has((one) => one.confidence) && { key: "confidence", title: "conf.", figure: true,
      hint: "confidence of the answer, of 10", value: (one) => one.confidence ?? null,
      show: (one) => one.confidence ?? "–" },
    metric && { key: `=${metric}`, title: metric, figure: true, value: (one) => valueOf(one, metric),
      show: (one) => shownValue(metric, valueOf(one, metric)) },
    { key: "ms", title: "time", figure: true, value: total, show: (one) => milliseconds(total(one)) },
  ].filter(Boolean);
}

function inOrder(questions, columns, now) {
  const column = columns.find((each) => each.key === now.sort);
  if (!column) return questions;
  const turn = now.down ? -1 : 1;
  return questions.map((one) => [column.value(one), one]).sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number") return a === b ? 0 : turn * (a < b ? -1 : 1);
    return turn * a.localeCompare(b, "en", { numeric: true });
  }).map(([, one]) => one);
}

class Questions {
  constructor(report, view) {
    [this.report, this.view] = [report, view];
    this.count = element("p", { class: "count", role: "status" });
    this.head = element("tr");
    this.body = element("tbody", { keydown: (event) => this.onKey(event), click: (event) => this.onClick(event) });
    this.more = element("button", { type: "button", class: "more", click: () => this.show(AT_ONCE) }, "Show more");
    this.earlier = element("button", { type: "button", class: "more", click: () => this.showBefore(AT_ONCE) }, "Show earlier ones");
    this.table = element("table", { class: "questions" },
      element("caption", { class: "unseen" }, "Questions. Enter opens one, the arrow keys move."),
      element("thead", {}, this.head), this.body);
    this.whole = section("questions", "Questions", "", filterBar(report, view),
      element("p", { class: "count keys", "aria-hidden": "true" }, "↑ ↓ move, Enter opens, Esc closes"), this.count, this.earlier, this.table, this.more);
    new IntersectionObserver((seen) => {
      if (seen.some((each) => each.isIntersecting)) this.show(AT_ONCE);
    }, { rootMargin: "600px" }).observe(this.more);
    view.watch((before) => this.follow(before));
    addEventListener("beforeprint", () => {
      this.showBefore(Infinity);
      this.show(Infinity);
    });
    this.arrange();
  }

  follow(before) {
    if (!this.view.sameRows(before)) this.arrange();
    else if (before.open !== this.view.now.open) this.open();
  }

  arrange() {
    const now = this.view.now;
    this.columns = columnsOf(this.report, this.view);
    this.rows = inOrder(chosen(this.report.per_question, now), this.columns, now);
    [this.from, this.to] = [0, 0];
    this.head.replaceChildren(...this.columns.map((column) => this.heading(column)));
    this.body.replaceChildren();
    const all = this.report.per_question.length;
    this.count.textContent = this.rows.length === all ? counted(all, "question")
      : `${number(this.rows.length)} of ${counted(all, "question")}`;
    this.opened = -1;
    this.show(AT_ONCE);
    this.open();
  }

  heading(column) {
    const now = this.view.now;
    const sorted = now.sort === column.key;
    const next = !sorted ? { sort: column.key, down: "" } : now.down ? { sort: "", down: "" } : { down: "yes" };
    const press = () => {
      this.view.change(next);
      this.head.querySelector(`[data-column="${CSS.escape(column.key)}"]`).focus();
    };
    return element("th", { scope: "col", class: `${column.figure ? "num" : ""} of-${column.key.replace(/\W.*/, "metric")}`,
      "aria-sort": sorted ? (now.down ? "descending" : "ascending") : "none" },
      element("button", { type: "button", "data-column": column.key, title: column.hint, click: press },
        foreign(column.title), element("span", { class: "arrow", "aria-hidden": "true" }, sorted ? (now.down ? "↓" : "↑") : "")));
  }

  show(many) {
    this.body.append(...this.made(this.to, this.to + many));
    this.to = Math.min(this.rows.length, this.to + many);
    this.more.hidden = this.to >= this.rows.length;
    this.earlier.hidden = this.from === 0;
    this.unfold();
  }

  showBefore(many) {
    const start = Math.max(0, this.from - many);
    this.body.prepend(...this.made(start, this.from));
    this.from = start;
    this.earlier.hidden = start === 0;
    this.unfold();
  }

  made(start, end) {
    return this.rows.slice(start, end).map((one, place) => this.row(one, start + place));
  }

  /* Have a row in the table: with those between, or, where these are many, with its neighbours. */
  bring(place) {
    if (place >= this.from && place < this.to) return;
    if (place >= this.to && place < this.to + 2 * AT_ONCE) this.show(place - this.to + AT_ONCE);
    else if (place < this.from && place >= this.from - 2 * AT_ONCE) this.showBefore(AT_ONCE * 2);
    else {
      this.from = this.to = Math.max(0, place - AT_ONCE / 2);
      this.body.replaceChildren();
      this.show(AT_ONCE);
    }
  }

  row(one, place) {
    const cells = this.columns.map((column) => {
      const kind = `${column.figure ? "num" : ""} of-${column.key.replace(/\W.*/, "metric")}`;
      if (column.key === "id") return element("td", { class: kind }, this.opener(one, place));
      if (column.key === "question") {
        return element("td", { class: kind }, foreign(one.question), " ", one.kind && tag(one.kind), " ",
          one.generated && tag("generated", "made"));
      }
      return element("td", { class: kind }, column.show(one));
    });
    return element("tr", { class: "row", "data-place": place }, cells);
  }

  opener(one, place) {
    const wrong = one.faults.length > 0;
    return element("button", { type: "button", class: "open", "aria-expanded": "false",
      tabindex: place === this.from ? "0" : "-1" },
      element("span", { class: wrong ? "mark wrong" : "mark", title: one.faults.join("; "), "aria-hidden": "true" }, wrong ? "✗" : "·"),
      foreign(one.id), wrong ? unseen(`, wrong: ${one.faults.join("; ")}`) : null);
  }

  /* Show the question that is chosen, and no other. */
  open() {
    this.body.querySelector("tr.opened")?.remove();
    this.body.querySelectorAll('[aria-expanded="true"]').forEach((each) => each.setAttribute("aria-expanded", "false"));
    this.opened = this.view.now.open ? this.rows.findIndex((one) => one.id === this.view.now.open) : -1;
    if (this.opened >= 0) this.bring(this.opened);
    this.unfold();
  }

  /* Put the details of the open question under its row, once that is in the table. */
  unfold() {
    const button = this.opened >= 0 && this.buttonAt(this.opened);
    if (!button || this.body.querySelector("tr.opened")) return;
    button.setAttribute("aria-expanded", "true");
    button.closest("tr").after(element("tr", { class: "opened" },
      element("td", { colspan: this.columns.length }, details(this.rows[this.opened]))));
  }

  buttonAt(place) {
    return this.body.querySelector(`tr[data-place="${place}"] .open`);
  }

  toggle(place) {
    const id = this.rows[place].id;
    const row = this.buttonAt(place).closest("tr");
    const before = row.getBoundingClientRect().top;
    this.view.change({ open: this.view.now.open === id ? "" : id });
    scrollBy(0, row.getBoundingClientRect().top - before);
    this.step(place);
  }

  step(to) {
    const place = Math.max(0, Math.min(this.rows.length - 1, to));
    this.bring(place);
    this.body.querySelector('.open[tabindex="0"]')?.setAttribute("tabindex", "-1");
    const button = this.buttonAt(place);
    button.setAttribute("tabindex", "0");
    button.focus();
  }

  onClick(event) {
    const row = event.target.closest("tr.row");
    if (row && !getSelection().toString()) this.toggle(Number(row.dataset.place));
  }

  onKey(event) {
    const opened = event.target.closest("tr.opened");
    if (opened && event.key === "Escape") return this.toggle(Number(opened.previousElementSibling.dataset.place));
    const row = event.target.closest("tr.row");
    if (!row) return null;
    const place = Number(row.dataset.place);
    const steps = { ArrowDown: place + 1, ArrowUp: place - 1, PageDown: place + 10, PageUp: place - 10,
      Home: 0, End: this.rows.length - 1 };
    if (event.key === "Escape" && this.view.now.open === this.rows[place].id) return this.toggle(place);
    if (!(event.key in steps)) return null;
    event.preventDefault();
    return this.step(steps[event.key]);
  }
}

function toQuestions() {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.getElementById("questions").scrollIntoView({ behavior: still ? "auto" : "smooth" });
}
