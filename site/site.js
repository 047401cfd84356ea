// The search, the theme and the menu of the site. There are no modules and no requests, because the site also works from
// files.

const { root } = document.currentScript.dataset;
const field = document.getElementById("search");
const results = document.getElementById("search-results");
const MAX_RESULTS = 30;

document.getElementById("theme").addEventListener("click", () => {
  const page = document.documentElement;
  page.dataset.theme = page.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.theme = page.dataset.theme;
  } catch {
    // The choice lasts for this page if storage is blocked.
  }
});

// Without a choice, the theme is that of the system.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
  try {
    if (localStorage.theme) return;
  } catch {
    // There is no stored choice.
  }
  document.documentElement.dataset.theme = matches ? "dark" : "light";
});

const menu = document.getElementById("menu");
menu.addEventListener("click", () => {
  const isOpen = document.getElementById("navigation").classList.toggle("open");
  menu.setAttribute("aria-expanded", String(isOpen));
});

// The navigation shows the entry of this page.
const entry = document.querySelector("#navigation [aria-current]");
if (entry) {
  const list = document.getElementById("navigation");
  list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2;
}

// The index is loaded when the search is used for the first time.
function load() {
  if (load.started) return;
  load.started = true;
  const script = document.createElement("script");
  script.src = `${root}/search.js`;
  script.addEventListener("load", search);
  document.head.append(script);
}

// A section matches if it contains all words. Titles count most, then headings, then text.
function rank([, title, , heading, text], words) {
  const [inTitle, inHeading, inText] = [title, heading, text].map((part) => part.toLowerCase());
  let sum = 0;
  for (const word of words) {
    if (inTitle.startsWith(word) && inTitle === inHeading) sum += 12;
    else if (inHeading.includes(word)) sum += inHeading.startsWith(word) ? 8 : 6;
    else if (inTitle.includes(word)) sum += 3;
    else if (inText.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

// The version that a page describes: of equal sections, that of the newest one comes first.
function version([page]) {
  return Number(/tosca-(\d+\.\d+)/.exec(page)?.[1] ?? 0);
}

// Returns whole words of a text, around the first word that was searched for.
function around(text, words) {
  const LENGTH = 120;
  const found = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const match = Math.min(...found, text.length);
  const start = found.length && match > LENGTH / 2 ? text.lastIndexOf(" ", match - LENGTH / 3) + 1 : 0;
  const end = text.length > start + LENGTH ? text.lastIndexOf(" ", start + LENGTH) : text.length;
  return `${start ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = !words.length || !window.searchIndex;
  if (results.hidden) return;
  const found = window.searchIndex
    .map((section) => [rank(section, words), section])
    .filter(([sum]) => sum)
    .sort(([one, section], [other, against]) => other - one || version(against) - version(section))
    .slice(0, MAX_RESULTS);
  const list = document.createElement("ol");
  for (const [, [page, title, anchor, heading, text]] of found) {
    const entry = document.createElement("a");
    entry.href = `${root}/${page}#${anchor}`;
    entry.textContent = heading === title ? title : `${title}: ${heading}`;
    const extract = document.createElement("small");
    extract.textContent = around(text, words);
    entry.append(extract);
    const item = document.createElement("li");
    item.append(entry);
    list.append(item);
  }
  const none = Object.assign(document.createElement("p"), { textContent: "Nothing was found." });
  results.replaceChildren(found.length ? list : none);
}

field.addEventListener("focus", load);
field.addEventListener("input", () => {
  load();
  search();
});
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    field.select();
  }
  if (event.key === "Escape" && !results.hidden) {
    if (results.contains(document.activeElement)) field.focus();
    results.hidden = true;
  }
});
document.addEventListener("click", (event) => {
  if (!field.form.contains(event.target)) results.hidden = true;
});
