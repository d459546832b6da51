"use strict";

// A finger in place of keys and a wheel: large buttons for the keys that lead somewhere, a line of the
// browser's own to write in (with its corrections, its dictation and its keyboard), and scrolling.

const KEYS = {
  back: "\x1b",
  sources: "\x14",
  find: "\x06",
  history: "\x12",
  library: "\x1bOS",
  commands: "\x10",
  up: "\x1b[A",
  down: "\x1b[B",
  tab: "\t",
};
const RUBOUT = "\x7f";

const COLUMNS = 43; // a few more than the interface needs
const ADVANCE = 0.6; // how wide a character is, as a part of the font's size
const LARGEST = 16;
const SHORTEST_TURN = 50; // milliseconds from the first sign that keys were taken
const LONGEST_TURN = 400; // … and where no sign comes
const DRAGGED = 12; // pixels from which a finger scrolls, and does not tap

document.addEventListener("DOMContentLoaded", () => {
  if (!matchMedia("(pointer: coarse)").matches) return;
  const terminal = document.getElementById("terminal");
  document.body.classList.add("touch");
  document.getElementById("touch").hidden = false;
  // Before textual.js reads it.
  const size = Math.min(LARGEST, innerWidth / COLUMNS / ADVANCE);
  terminal.dataset.fontSize = String(Math.floor(size * 10) / 10);
  offerKeys();
  offerLine();
  scrollByFinger(terminal);
  followKeyboard();
  // The terminal takes keys of a keyboard that is attached; one on the screen is for the line.
  new MutationObserver((_, seen) => {
    const taken = terminal.querySelector("textarea");
    if (!taken) return;
    taken.inputMode = "none";
    seen.disconnect();
  }).observe(terminal, { childList: true, subtree: true });
});

function offerKeys() {
  const keys = document.getElementById("keys");
  // The line keeps its keyboard open, should it be.
  keys.addEventListener("pointerdown", (event) => event.preventDefault());
  keys.addEventListener("click", ({ target }) => {
    if (target.dataset.key === "back") forgetLine();
    type(KEYS[target.dataset.key]);
  });
}

// What stands in the line stands in the interface's own box: each change is typed there.
let typed = "";
let turn = Promise.resolve();
// What arrives at once is not done in its order: keys that delete come after the letters behind them.
function typeInTurn(keys) {
  if (!keys) return;
  turn = turn.then(async () => {
    type(keys);
    if (keys.startsWith(RUBOUT)) await drawn();
  });
}
function drawn() {
  return new Promise((done) => {
    setTimeout(done, LONGEST_TURN);
    socket?.addEventListener("message", () => setTimeout(done, SHORTEST_TURN), { once: true });
  });
}
function forgetLine() {
  typed = document.getElementById("line").value = "";
}
function offerLine() {
  const line = document.getElementById("line");
  line.addEventListener("input", () => {
    const before = [...typed];
    const now = [...line.value];
    let same = 0;
    while (same < before.length && before[same] === now[same]) same++;
    typeInTurn(RUBOUT.repeat(before.length - same));
    typeInTurn(now.slice(same).join(""));
    typed = line.value;
  });
  line.addEventListener("beforeinput", ({ inputType }) => {
    if (!line.value && inputType === "deleteContentBackward") type(RUBOUT);
  });
  // No form: the page may submit nothing, to nobody.
  const send = () => {
    typeInTurn("\r");
    forgetLine();
    line.blur(); // the answer has the room
  };
  document.getElementById("send").addEventListener("click", send);
  line.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") send();
  });
}

function scrollByFinger(terminal) {
  let from = null;
  let scrolls = false;
  terminal.addEventListener("touchstart", ({ touches }) => {
    from = touches.length === 1 ? touches[0].clientY : null;
    scrolls = false;
  });
  terminal.addEventListener(
    "touchmove",
    (event) => {
      if (from === null) return;
      const { clientX, clientY } = event.touches[0];
      scrolls = scrolls || Math.abs(clientY - from) > DRAGGED;
      if (!scrolls) return;
      event.preventDefault(); // no tap comes of it
      event.stopPropagation();
      const row = parseFloat(terminal.dataset.fontSize) * 1.3;
      const rows = Math.trunc((from - clientY) / row);
      for (let turned = 0; turned < Math.abs(rows); turned++) {
        const wheel = { deltaY: Math.sign(rows), deltaMode: 1, clientX, clientY, bubbles: true };
        terminal.querySelector(".xterm-screen").dispatchEvent(new WheelEvent("wheel", wheel));
      }
      from -= rows * row;
    },
    { capture: true, passive: false },
  );
}

// Where the keyboard lies over the page (iOS), the page is as high as what can be seen of it.
function followKeyboard() {
  const seen = window.visualViewport;
  const fit = () => {
    document.body.style.height = `${seen.height}px`;
    scrollTo(0, 0);
    dispatchEvent(new Event("resize"));
  };
  seen?.addEventListener("resize", fit);
}
