/* What was run, what a reader must know of it, and the measures with their distributions. */

function head(report) {
  const run = report.run;
  return element("header", { class: "head" },
    element("div", { class: "over" },
      element("p", { class: "eyebrow" }, `rag-assistant evaluation · run ${run.number}`),
      schemeSwitch()),
    element("h1", {}, foreign(run.set_name)),
    definitions(report.facts, { class: "facts" }),
    remarkList(report.remarks),
    element("details", { class: "made-with" },
      element("summary", {}, "Settings, versions and index states"),
      definitions(report.made_with, { class: "facts long" })));
}

function remarkList(remarks) {
  if (!remarks.length) return null;
  const [first, more] = [remarks.slice(0, 6), remarks.slice(6)];
  const listed = (lines) => element("ul", {}, lines.map((line) => element("li", {}, foreign(line))));
  const rest = more.length &&
    element("details", {}, element("summary", {}, `${counted(more.length, "more line")}`), listed(more));
  return element("aside", { class: "remarks", "aria-label": "Notes" }, listed(first), rest || null);
}

const SCHEMES = ["auto", "light", "dark"];

function schemeSwitch() {
  const kept = keptScheme();
  document.documentElement.dataset.scheme = kept;
  const choice = (name) => {
    const take = () => {
      document.documentElement.dataset.scheme = name;
      keepScheme(name);
    };
    const box = element("input",
      { type: "radio", name: "scheme", value: name, checked: name === kept ? "" : null, change: take });
    return element("label", {}, box, element("span", {}, name));
  };
  return element("fieldset", { class: "scheme" },
    element("legend", { class: "unseen" }, "Colours"), SCHEMES.map(choice));
}

/* A browser may keep nothing for a page that is a file: the choice is then that of this visit. */
function keptScheme() {
  try {
    const kept = localStorage.getItem("rag-assistant-scheme");
    return SCHEMES.includes(kept) ? kept : "auto";
  } catch {
    return "auto";
  }
}

function keepScheme(name) {
  try {
    localStorage.setItem("rag-assistant-scheme", name);
  } catch {
    return;
  }
}

function measures(report, view) {
  const groups = report.groups.filter((group) => group.quality.length);
  const many = element("p", { class: "lede" },
    "Bars show the questions by their value. Choose one to see its questions below; the line under a figure is its 95 % interval.");
  const parts = groups.map((group) => {
    const [there, missing] = [true, false].map((measured) =>
      group.quality.filter((metric) => (report.metrics[metric.name] !== null) === measured));
    return element("div", { class: "group" },
      element("h3", {}, group.title, element("small", {}, foreign(group.over))),
      element("div", { class: "cards" }, there.map((metric) => card(report, metric, view))),
      missing.length > 0 && element("p", { class: "note" }, "No question allows to measure ",
        foreign(missing.map((metric) => metric.name).join(", ")), "."));
  });
  return section("measures", "Measures", "", many, parts);
}

function card(report, metric, view) {
  const values = report.per_question.map((one) => valueOf(one, metric.name)).filter((v) => v !== null);
  return element("article", { class: "card" },
    element("h4", {}, foreign(metric.name)),
    element("p", { class: "value" }, metric.shown,
      metric.interval && element("small", {}, metric.interval)),
    intervalBar(report, metric.name),
    values.length > 1 && Object.hasOwn(report.intervals, metric.name)
      ? histogram(metric.name, values, view) : null,
    element("p", { class: "explanation" }, foreign(report.explanations[metric.name] || "")));
}

/* Where the interval lies between 0 and 1; figures on other scales have none. */
function intervalBar(report, name) {
  const interval = report.intervals[name];
  const value = report.metrics[name];
  if (!interval || interval.low < 0 || interval.high > 1) return null;
  const place = (share) => `${(share * 100).toFixed(2)}%`;
  const width = place(Math.max(0.004, interval.high - interval.low));
  return drawn("svg", { class: "interval", "aria-hidden": "true" },
    drawn("line", { x1: "0", x2: "100%", y1: "5", y2: "5", class: "track" }),
    drawn("rect", { x: place(interval.low), width, y: "3.5", height: "3", class: "reach" }),
    drawn("circle", { cx: place(value), cy: "5", r: "3.5", class: "point" }));
}
