/* The page is put together here, from what lies compressed in it. */

async function unpacked() {
  const packed = atob(document.getElementById("data").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function contents(parts) {
  const links = parts.map((one) => element("li", {},
    element("a", { href: `#${one.id}-title` }, one.querySelector("h2").textContent)));
  return element("nav", { "aria-label": "Parts of the report" }, element("ul", {}, links));
}

async function start() {
  const report = await unpacked();
  const view = new View();
  document.title = `${report.run.set_name}: evaluation ${report.run.number}`;
  const questions = new Questions(report, view);
  const parts = [measures(report, view), times(report), reliability(report), questions.whole].filter(Boolean);
  document.getElementById("report").replaceChildren(head(report), contents(parts), ...parts,
    element("footer", {}, "Made by rag-assistant. This page holds all it shows, and asks no server for anything."));
  if (view.now.open) questions.body.querySelector("tr.opened")?.previousElementSibling.scrollIntoView();
  addEventListener("beforeprint", () => { document.querySelector(".made-with").open = true; });
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  const line = "This browser cannot show the report (it needs one of 2023 or later).";
  document.getElementById("report").replaceChildren(element("p", { class: "failed" }, `${line} ${error}`));
});
