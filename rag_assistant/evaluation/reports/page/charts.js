/* The drawings: histograms whose bars choose questions, curves, and the reliability of confidence. */

const BINS = 10;
const APART = 58; /* pixels between the words along the lower edge */

/* Bars from `low` to `high`; a bar says which values are in it, both ends included. */
function binned(values) {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  if (distinct.length <= 2 && distinct.every((value) => value === 0 || value === 1)) {
    return [0, 1].map((value) => binOf(values.filter((each) => each === value), value, value));
  }
  const [least, most] = [distinct[0], distinct[distinct.length - 1]];
  const [low, high] = least >= 0 && most <= 1 ? [0, 1] : [least, most];
  const step = (high - low) / BINS || 1;
  const held = Array.from({ length: BINS }, () => []);
  for (const value of values) {
    held[Math.min(BINS - 1, Math.floor((value - low) / step + 1e-9))].push(value);
  }
  return held.map((in_it, place) => binOf(in_it, low + place * step, low + (place + 1) * step));
}

function binOf(values, low, high) {
  const ends = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  return { low, high, least: ends[0], most: ends[1], count: values.length };
}

function histogram(name, values, view) {
  const bins = binned(values);
  const tallest = Math.max(...bins.map((bin) => bin.count));
  const bars = bins.map((bin, place) => bar(name, bin, place, bins.length, tallest, view));
  const label = `${name}: ${counted(values.length, "question")} by value`;
  return element("div", { class: "histogram" },
    drawn("svg", { role: "group", "aria-label": label, preserveAspectRatio: "none",
      viewBox: "0 0 100 44" }, bars),
    element("div", { class: "ends", "aria-hidden": "true" },
      element("span", {}, number(bins[0].low)), element("span", {}, number(bins.at(-1).high))));
}

function bar(name, bin, place, many, tallest, view) {
  const width = 100 / many;
  const height = bin.count ? Math.max(2, (bin.count / tallest) * 40) : 0;
  const range = bin.low === bin.high ? number(bin.low) : `${number(bin.low)} to ${number(bin.high)}`;
  const label = `${name} ${range}: ${counted(bin.count, "question")}`;
  const thick = Math.min(width * 0.88, 16);
  const shape = drawn("rect", { x: (place + 0.5) * width - thick / 2, width: thick,
    y: 43 - height, height, class: "bar" });
  const whole = drawn("g", {}, drawn("title", {}, label),
    drawn("rect", { x: place * width, width, y: 0, height: 44, class: "behind" }), shape,
    drawn("line", { x1: place * width, x2: (place + 1) * width, y1: 43.5, y2: 43.5, class: "base" }));
  if (!bin.count) return whole;
  const chosen = () => view.now.metric === name &&
    Number(view.now.low) === bin.least && Number(view.now.high) === bin.most && view.now.low !== "";
  const choose = () => {
    if (chosen()) return view.change({ metric: "", low: "", high: "" });
    view.change({ metric: name, low: String(bin.least), high: String(bin.most) });
    return toQuestions();
  };
  filled(whole, { role: "button", tabindex: "0", "aria-label": label, click: choose,
    keydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    } }, []);
  view.watch(() => whole.setAttribute("aria-pressed", String(chosen())));
  return whole;
}

/* A drawing that is made again for the room there is, so that its words keep their size. */
function fitting(height, label, draw) {
  const frame = element("div", { class: "chart" });
  let width = 0;
  const again = () => {
    const room = Math.floor(frame.clientWidth);
    if (!room || room === width) return;
    width = room;
    frame.replaceChildren(drawn("svg", { viewBox: `0 0 ${room} ${height}`, width: room, height,
      role: "img", "aria-label": label }, draw(room, height)));
  };
  new ResizeObserver(again).observe(frame);
  return frame;
}

/* A scale from values to places; `marks` are the values that are written beside it. */
function scale(low, high, from, to, log = false) {
  const turned = (value) => (log ? Math.log10(value) : value);
  const [a, b] = [turned(low), turned(high)];
  const place = (value) => from + ((turned(value) - a) / (b - a || 1)) * (to - from);
  return Object.assign(place, { marks: log ? decades(low, high) : round(low, high) });
}

function decades(low, high) {
  const marks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    marks.push(...[1, 2, 5].map((times) => times * 10 ** power));
  }
  const inside = marks.filter((value) => value >= low && value <= high);
  return inside.length > 7 ? inside.filter((value) => Number.isInteger(Math.log10(value))) : inside;
}

function round(low, high) {
  const rough = (high - low) / 5 || 1;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((each) => each >= rough);
  const marks = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) {
    marks.push(Number(value.toPrecision(12)));
  }
  return marks;
}

function grid(across, up, box, words) {
  const lines = up.marks.map((value) => [
    drawn("line", { x1: box.left, x2: box.right, y1: up(value), y2: up(value), class: "grid" }),
    drawn("text", { x: box.left - 8, y: up(value) + 4, class: "mark end" }, words.up(value))]);
  let last = -Infinity;
  const room = across.marks.filter((value) => {
    const there = across(value) - last >= APART;
    if (there) last = across(value);
    return there;
  });
  const columns = room.map((value) => [
    drawn("line", { x1: across(value), x2: across(value), y1: box.top, y2: box.bottom, class: "grid" }),
    drawn("text", { x: across(value), y: box.bottom + 18, class: "mark middle" }, words.across(value))]);
  return [lines, columns].flat(2);
}
