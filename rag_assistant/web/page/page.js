"use strict";

// Runs before textual.js: tells it where to connect, shows the server that this page was given the
// whole address, and tells the person how a connection ended.

// What follows the # is sent to no server. It is kept for this tab and this origin, which is of this
// port alone, and leaves the address before a picture or a bookmark can show it.
const KEPT = "secret";
function keepSecret() {
  if (location.hash) sessionStorage.setItem(KEPT, location.hash.slice(1));
  // textual.js reads from the address whom to ping: this page takes nothing else from its address.
  history.replaceState(null, "", "/");
}
keepSecret();
window.addEventListener("hashchange", () => {
  keepSecret();
  location.reload();
});

const LOST =
  "The connection to rag-assistant is lost. Open it again, or, where `rag-assistant serve` has " +
  "ended, run it again and open the address it prints.";

// What goes to the interface as typed; nothing before the connection is there.
let socket = null;
function type(keys) {
  if (keys && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(["stdin", keys]));
}

class WatchedSocket extends WebSocket {
  constructor(...given) {
    super(...given);
    socket = this;
    let why = LOST;
    this.addEventListener("open", () => {
      this.send(sessionStorage.getItem(KEPT) ?? "");
      document.querySelector("#terminal textarea").focus();
    });
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
  document.getElementById("terminal").dataset.sessionWebsocketUrl = `ws://${location.host}/ws`;
  document.getElementById("again").addEventListener("click", () => location.reload());
});
