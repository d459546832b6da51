/* How long questions took, what they cost, and how far the confidence of answers holds. */

const STAGES = { search: "Search", retrieve: "Evidence", answer: "Answer" };

function times(report) {
  const stages = Object.keys(STAGES).filter((stage) =>
    report.per_question.some((one) => one.traffic[stage]));
  const taken = (stage, key) => report.per_question
    .map((one) => one.traffic[stage]?.[key])
    .filter((value) => typeof value === "number");
  const curves = (key) => stages.filter((stage) => key !== "first_ms" || stage !== "search").map((stage) => ({ stage, values: taken(stage, key) }))
    .filter((curve) => curve.values.length);
  const charts = [["Until all is there", "elapsed_ms"], ["Until the first thing to read", "first_ms"]]
    .filter(([, key]) => curves(key).length)
    .map(([title, key]) => element("figure", {}, element("figcaption", {}, title),
      shares(title, curves(key))));
  const several = report.questions_at_once > 1
    ? ` ${report.questions_at_once} questions were asked at once, and had to share the machine.` : "";
  return section("times", "Time and cost",
    `The share of questions that took no longer; half and 95 of 100 are marked.${several}`,
    element("div", { class: "charts" }, charts), takenTable(report));
}

/* The metrics of time and cost by what they measure (rows) and of which stage (columns). */
function takenTable(report) {
  const metrics = report.groups.flatMap((group) => group.traffic);
  const [whose, what] = [(name) => name.split("_")[0], (name) => name.slice(name.indexOf("_") + 1)];
  const columns = [...new Set(metrics.map((metric) => whose(metric.name)))];
  const rows = [...new Set(metrics.map((metric) => what(metric.name)))].map((key) => {
    const there = metrics.filter((metric) => what(metric.name) === key);
    const cells = columns.map((column) => {
      const metric = there.find((each) => whose(each.name) === column);
      return element("td", { title: metric && metric.name }, metric ? metric.shown : "");
    });
    const [, share] = key.match(/^p(\d+)_ms$/) || [];
    const words = share ? `${share} of 100 questions took no longer, in milliseconds`
      : report.explanations[there.at(-1).name] || "";
    return element("tr", {}, element("th", { scope: "row" }, key), cells, element("td", { class: "words" }, foreign(words)));
  });
  const head = ["", ...columns].map((word) => element("th", { scope: "col" }, word));
  return element("div", { class: "wide" }, element("table", { class: "taken" },
    element("thead", {}, element("tr", {}, head, element("td"))), element("tbody", {}, rows)));
}

/* The share of values up to each: the empirical distribution, with its 50 and 95 % points. */
function shares(title, curves) {
  const all = curves.flatMap((curve) => curve.values);
  const [least, most] = all.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, 0]);
  const log = least > 0 && most / least > 30;
  const sorted = curves.map(({ stage, values }) =>
    ({ stage, values: [...values].sort((a, b) => a - b) }));
  const told = sorted.map(({ stage, values }) => `${STAGES[stage]}: half within ${
    milliseconds(reached(values, 0.5))}, 95 of 100 within ${milliseconds(reached(values, 0.95))}`);
  const chart = fitting(250, `${title}. ${told.join(". ")}.`, (width, height) => {
    const box = { left: 44, right: width - 26, top: 12, bottom: height - 30 };
    const across = scale(log ? least : 0, most, box.left, box.right, log);
    const up = scale(0, 1, box.bottom, box.top);
    const lines = sorted.map((curve) => stair(curve, across, up));
    return [grid(across, up, box, { across: milliseconds, up: percent }), lines].flat(2);
  });
  return element("div", {}, chart, element("ul", { class: "legend" }, told.map((line, place) =>
    element("li", { class: sorted[place].stage }, line))));
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

function reached(sorted, share) {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

function stair({ stage, values }, across, up) {
  const most = 400; /* steps that a screen can tell apart */
  const every = Math.max(1, Math.floor(values.length / most));
  let path = `M${across(values[0]).toFixed(1)} ${up(0).toFixed(1)}`;
  values.forEach((value, place) => {
    if (place % every && place !== values.length - 1) return;
    path += `H${across(value).toFixed(1)}V${up((place + 1) / values.length).toFixed(1)}`;
  });
  const points = [0.5, 0.95].map((share) => drawn("g", { class: `points ${stage}` },
    drawn("title", {}, `${STAGES[stage]}: ${percent(share)} within ${milliseconds(reached(values, share))}`),
    drawn("circle", { cx: across(reached(values, share)), cy: up(share), r: 4.5 })));
  return [drawn("path", { d: path, class: `curve ${stage}` }), ...points];
}

function reliability(report) {
  if (!report.reliability.length) return null;
  const bins = report.reliability;
  const most = Math.max(...bins.map((bin) => bin.answers));
  const judged = bins.reduce((sum, bin) => sum + bin.answers, 0);
  const told = bins.map((bin) =>
    `${counted(bin.answers, "answer")} of confidence ${percent(bin.confidence)}: ${percent(bin.right)} right`);
  const chart = fitting(320, `Reliability. ${told.join(". ")}.`, (width, height) => {
    const box = { left: 52, right: width - 20, top: 16, bottom: height - 48 };
    const across = scale(0, 1, box.left, box.right);
    const up = scale(0, 1, box.bottom, box.top);
    const place = (bin) => [across(bin.confidence), up(bin.right)];
    return [
      ...grid(across, up, box, { across: percent, up: percent }),
      drawn("line", { x1: across(0), x2: across(1), y1: up(0), y2: up(1), class: "ideal" }),
      ...bins.map((bin) => drawn("line", { x1: across(bin.confidence), x2: across(bin.confidence),
        y1: up(bin.confidence), y2: up(bin.right), class: "gap" })),
      drawn("polyline", { points: bins.map((bin) => place(bin).join(",")).join(" "), class: "curve answer" }),
      ...bins.map((bin, n) => drawn("g", { class: "points answer" }, drawn("title", {}, told[n]),
        drawn("circle", { cx: place(bin)[0], cy: place(bin)[1],
          r: 3 + 9 * Math.sqrt(bin.answers / most) }),
        drawn("text", { x: place(bin)[0], y: place(bin)[1] - 14, class: "mark middle" }, number(bin.answers)))),
      drawn("text", { x: (box.left + box.right) / 2, y: height - 6, class: "mark middle" }, "confidence"),
    ];
  });
  return section("reliability", "Confidence",
    `The share of answers that were right, by the confidence they were given, over ${
      counted(judged, "answer")}. On the dashed line confidence is what it says; circles grow with the answers.`, chart);
}
