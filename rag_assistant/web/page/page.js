"use strict";

// Runs before textual.js: tells it where to connect, and tells the person how a connection ended.

const LOST =
  "The connection to rag-assistant is lost. Open it again, or, where `rag-assistant serve` has " +
  "ended, run it again and open the address it prints.";

class WatchedSocket extends WebSocket {
  constructor(...given) {
    super(...given);
    let why = LOST;
    this.addEventListener("open", () => document.querySelector("#terminal textarea").focus());
    this.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") return;
      const [kind, said] = JSON.parse(data);
      if (kind === "ended") why = said;
    });
    this.addEventListener("close", () => {
      const again = document.getElementById("again");
      document.getElementById("said").textContent = why;
      document.title = "closed · rag-assistant";
      again.hidden = false;
      again.focus();
    });
  }
}
window.WebSocket = WatchedSocket;

document.addEventListener("DOMContentLoaded", () => {
  // textual.js reads from the address whom to ping: this page takes nothing from its address.
  history.replaceState(null, "", "/");
  document.getElementById("terminal").dataset.sessionWebsocketUrl = `ws://${location.host}/ws`;
  document.getElementById("again").addEventListener("click", () => location.reload());
});
