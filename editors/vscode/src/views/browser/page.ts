/** The script of all views. It runs in the page; the bundler includes it as text. */

import type { Position } from "../html";
import type { Place } from "../diagram";
import { edgeOf, nodeOf } from "./names";

interface State {
  zoom: number | "fit";
}

declare function acquireVsCodeApi(): { postMessage(message: unknown): void; getState(): State | undefined; setState(state: State): void };

const vscode = acquireVsCodeApi();
const open = (at: Position) => vscode.postMessage({ type: "open", at });

/** Styles for dark systems apply if the theme of the editor is dark. */
function followTheme(): void {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const dark = rules.filter((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.conditionText.includes("prefers-color-scheme"));
  const update = () => {
    const isLight = ["vscode-light", "vscode-high-contrast-light"].some((name) => document.body.classList.contains(name));
    document.documentElement.style.colorScheme = isLight ? "light" : "dark";
    for (const rule of dark) rule.media.mediaText = isLight ? "not all" : "all";
  };
  update();
  new MutationObserver(update).observe(document.body, { attributeFilter: ["class"] });
}

/** Links the boxes and lines of a diagram with the template, and marks those with problems. */
function linkDiagram(canvas: Element, places: Record<string, Place>): void {
  const names = Object.keys(places);
  for (const title of canvas.querySelectorAll("svg g > title")) {
    const [group, text] = [title.parentElement, title.textContent ?? ""];
    const edge = edgeOf(text, names);
    const node = places[edge?.node ?? nodeOf(text, names) ?? ""];
    const place = edge ? (node?.requirements?.[edge.requirement] ?? (node && { ...node, problems: [] })) : node;
    if (!group || !place) continue;
    group.classList.add("opens");
    if (place.severity) group.classList.add(`has-${place.severity}`);
    if (!edge) {
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
    }
    title.textContent = [text, ...place.problems].join("\n");
    group.addEventListener("click", () => open(place.at));
    group.addEventListener("keydown", (event) => event.key === "Enter" && open(place.at));
  }
}

function enableZoom(canvas: Element): void {
  const svg = canvas.querySelector<SVGSVGElement>("svg");
  if (!svg) return;
  const width = svg.viewBox.baseVal.width;
  const height = svg.viewBox.baseVal.height;
  // Diagrams that are larger than the window are fitted at first.
  let zoom = vscode.getState()?.zoom ?? "fit";
  const fit = () => Math.min(1, canvas.clientWidth / width, Math.max(200, innerHeight - 60) / height);
  const factor = () => (zoom === "fit" ? fit() : zoom);
  const update = () => {
    svg.style.width = `${width * factor()}px`;
    svg.style.height = `${height * factor()}px`;
    vscode.setState({ zoom });
  };
  const scale = (by: number) => {
    zoom = Math.min(8, Math.max(0.05, factor() * by));
    update();
  };
  for (const button of document.querySelectorAll<HTMLElement>("[data-zoom]")) {
    const kind = button.dataset.zoom ?? "1";
    button.addEventListener("click", () => {
      if (kind !== "fit" && kind !== "1") return scale(Number(kind));
      zoom = kind === "fit" ? "fit" : 1;
      update();
    });
  }
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    scale(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  };
  canvas.addEventListener("wheel", (event) => onWheel(event as WheelEvent), { passive: false });
  addEventListener("resize", update);
  update();
}

// Pages can't download: the editor saves files.
URL.createObjectURL = (object) => {
  if (object instanceof Blob) void object.text().then((text) => vscode.postMessage({ type: "save", name: "inputs.yaml", text }));
  return "";
};
const click = HTMLAnchorElement.prototype.click;
HTMLAnchorElement.prototype.click = function () {
  if (!this.download) click.call(this);
};

addEventListener("DOMContentLoaded", () => {
  followTheme();
  const canvas = document.querySelector(".canvas");
  // What is saved is the diagram as the command has drawn it.
  const svg = canvas?.querySelector("svg");
  const original = svg ? new XMLSerializer().serializeToString(svg).replace(/ nonce="[^"]*"/, "") : "";
  const data = JSON.parse(document.getElementById("view-data")?.textContent ?? "null") as Record<string, Place> | null;
  if (canvas) {
    if (data) linkDiagram(canvas, data);
    enableZoom(canvas);
  }
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-open], [data-save]");
    if (button?.dataset.open) open(JSON.parse(button.dataset.open) as Position);
    if (button?.dataset.save) vscode.postMessage({ type: "save", name: button.dataset.save, text: original });
  });
});
