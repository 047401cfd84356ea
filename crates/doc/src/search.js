const ROOT = document.currentScript.dataset.root;
const SHOWN = 50;

/** The entries that contain all words of a query, the best first. */
function find(query) {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const found = [];
  for (const entry of ENTRIES) {
    const name = entry[0].toLowerCase();
    const text = name + " " + entry[3].toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const last = name.split(/[. ]/).pop();
    const rank = last === words[0] ? 0 : last.startsWith(words[0]) ? 1 : name.includes(words[0]) ? 2 : 3;
    found.push([rank, name.length, entry]);
  }
  // Sorting is stable, so equal entries stay in the order of the index.
  found.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  return found.map((one) => one[2]);
}

function show(input, list, status) {
  const found = find(input.value);
  list.replaceChildren(...found.slice(0, SHOWN).map(([name, kind, path, summary]) => {
    const link = document.createElement("a");
    link.href = ROOT + path;
    const code = document.createElement("code");
    code.textContent = name;
    const small = document.createElement("small");
    small.textContent = summary === "" ? KINDS[kind] : KINDS[kind] + " – " + summary;
    link.append(code, small);
    const item = document.createElement("li");
    item.append(link);
    return item;
  }));
  list.hidden = found.length === 0;
  status.textContent = input.value.trim() === "" ? "" : found.length === 1 ? "1 result" : found.length + " results";
}

const form = document.querySelector(".search");
const input = document.getElementById("search");
const list = document.getElementById("results");
const status = form.querySelector(".found");
form.hidden = false;
input.addEventListener("input", () => show(input, list, status));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
form.addEventListener("keydown", (event) => {
  const links = [input, ...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    links[Math.max(0, Math.min(links.length - 1, next))].focus();
  } else if (event.key === "Escape") {
    input.value = "";
    show(input, list, status);
    input.focus();
  }
});
list.addEventListener("click", () => { list.hidden = true; });
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
  }
});
