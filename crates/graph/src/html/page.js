'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const view = document.getElementById('view');
const sheet = document.getElementById('sheet');
const details = document.getElementById('details');
const words = document.getElementById('words');
const boxes = new Map([...sheet.querySelectorAll('[data-node]')].map((box) => [Number(box.dataset.node), box]));
const arrows = [...sheet.querySelectorAll('[data-edge], [data-label]')];
const drawing = sheet.querySelector('svg');
const size = { width: drawing.viewBox.baseVal.width, height: drawing.viewBox.baseVal.height };
const at = { x: 0, y: 0, scale: 1 };
// The scale below which text is too small, and the scale at which a part of a large diagram is shown.
const SMALLEST = matchMedia('(max-width: 34rem)').matches ? 0.9 : 0.7;
const READABLE = 1;
// The number of boxes above which a part says little about the diagram, so that an overview is shown at first.
const MANY = 50;
let isWhole = false;

function show() {
  isWhole = false;
  sheet.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.scale})`;
  document.getElementById('scale').textContent = `${Math.round(at.scale * 100)} %`;
}

function zoom(factor, x = view.clientWidth / 2, y = view.clientHeight / 2) {
  const scale = Math.min(4, Math.max(0.05, at.scale * factor));
  at.x = x - (x - at.x) * scale / at.scale;
  at.y = y - (y - at.y) * scale / at.scale;
  at.scale = scale;
  show();
}

function fit(most = 1) {
  at.scale = Math.min(most, view.clientWidth / size.width, view.clientHeight / size.height);
  at.x = (view.clientWidth - size.width * at.scale) / 2;
  at.y = Math.max(0, (view.clientHeight - size.height * at.scale) / 2);
  show();
  isWhole = true;
}

// Shows the whole diagram if its text is readable then or if it is large, or else a part of it, around the first box.
function begin() {
  fit();
  if (at.scale >= SMALLEST || boxes.size > MANY) return;
  zoom(READABLE / at.scale);
  const space = 24;
  const outer = view.getBoundingClientRect();
  const first = boxes.get(0)?.getBoundingClientRect();
  // As much of the diagram as possible is in the window.
  const inside = (place, length, shown) => (length < shown ? (shown - length) / 2 : Math.min(0, Math.max(shown - length, place)));
  if (first) {
    at.x += outer.left + outer.width / 2 - first.left - first.width / 2;
    at.y += outer.top + space - first.top;
  }
  at.x = inside(at.x, size.width * at.scale, view.clientWidth);
  at.y = inside(at.y, size.height * at.scale, view.clientHeight);
  show();
}

function actual() {
  zoom(1 / at.scale);
}

// Moves a box into the visible part of the diagram, and enlarges it if its text is too small.
function reveal(box) {
  if (at.scale < SMALLEST) {
    const outer = view.getBoundingClientRect();
    const inner = box.getBoundingClientRect();
    zoom(READABLE / at.scale, inner.left + inner.width / 2 - outer.left, inner.top + inner.height / 2 - outer.top);
  }
  const outer = view.getBoundingClientRect();
  const inner = box.getBoundingClientRect();
  const space = 24;
  if (inner.left < outer.left + space || inner.right > outer.right - space) at.x += outer.left + outer.width / 2 - inner.left - inner.width / 2;
  if (inner.top < outer.top + space || inner.bottom > outer.bottom - space) at.y += outer.top + outer.height / 2 - inner.top - inner.height / 2;
  show();
}

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function list(title, items) {
  if (!items.length) return;
  const made = document.createElement('ul');
  for (const item of items) {
    const line = document.createElement('li');
    line.append(...(Array.isArray(item) ? item : [item]));
    made.append(line);
  }
  details.append(element('h3', title), made);
}

// Returns a button that leads to a node.
function lead(index) {
  const made = element('button', data.nodes[index].name);
  made.type = 'button';
  made.addEventListener('click', () => {
    choose(index);
    boxes.get(index)?.focus();
  });
  return made;
}

// Sends the place of a node to the page that contains this one.
function tell(node, open) {
  if (parent !== window && node.location) parent.postMessage({ location: node.location, open }, '*');
}

function choose(index) {
  const node = data.nodes[index];
  tell(node, false);
  for (const [other, box] of boxes) box.classList.toggle('chosen', other === index);
  sheet.classList.add('choosing');
  for (const arrow of arrows) {
    const [from, to] = data.edges[arrow.dataset.edge ?? arrow.dataset.label];
    arrow.classList.toggle('near', from === index || to === index);
  }
  document.getElementById('hint').hidden = true;
  const close = element('button', '×');
  close.type = 'button';
  close.id = 'close';
  close.setAttribute('aria-label', 'Close the details');
  close.addEventListener('click', () => {
    clear();
    boxes.get(index)?.focus();
  });
  details.replaceChildren(close, element('h2', node.name));
  if (node.type) details.append(element('p', node.type));
  if (node.location) {
    const place = document.createElement('p');
    if (node.link && /^(https?|vscode|file):/.test(node.link)) {
      const link = element('a', node.location);
      link.href = node.link;
      link.rel = 'noreferrer';
      place.append(link);
    } else if (parent !== window) {
      const open = element('button', node.location);
      open.type = 'button';
      open.addEventListener('click', () => tell(node, true));
      place.append(open);
    } else {
      place.textContent = node.location;
    }
    details.append(place);
  }
  list('Problems', (node.problems ?? []).map(([kind, text]) => element('span', `${kind}: ${text}`, kind)));
  list('Content', node.lines ?? []);
  list('Merged nodes', node.members ?? []);
  const around = [];
  if (node.group) around.push(node.group);
  if (node.host !== undefined) around.push(lead(node.host));
  list('In', around);
  list('Contains', data.nodes.flatMap((other, inner) => other.host === index ? [lead(inner)] : []));
  const named = (name, kind) => (name || kind ? ` ${[name, kind && `(${kind})`].filter(Boolean).join(' ')}` : '');
  list('To', data.edges.flatMap(([from, to, name, kind]) => from === index ? [[lead(to), named(name, kind)]] : []));
  list('From', data.edges.flatMap(([from, to, name, kind]) => to === index ? [[lead(from), named(name, kind)]] : []));
  // The details take space from the diagram.
  if (boxes.has(index)) reveal(boxes.get(index));
}

function clear() {
  for (const box of boxes.values()) box.classList.remove('chosen');
  sheet.classList.remove('choosing');
  details.replaceChildren();
}

let matches = [];
let match = -1;

function search() {
  const wanted = words.value.trim().toLowerCase();
  const text = (node) => [node.name, node.type, ...(node.lines ?? []), ...(node.members ?? [])].join('\n').toLowerCase();
  matches = wanted ? data.nodes.flatMap((node, index) => text(node).includes(wanted) && boxes.has(index) ? [index] : []) : [];
  match = -1;
  sheet.classList.toggle('searching', matches.length > 0);
  for (const [index, box] of boxes) box.classList.toggle('found', matches.includes(index));
  document.getElementById('found').textContent = wanted ? `${matches.length} of ${data.nodes.length} boxes` : '';
  if (matches.length) reveal(boxes.get(matches[0]));
}

words.addEventListener('input', search);
document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!matches.length) return;
  match = (match + 1) % matches.length;
  choose(matches[match]);
});

for (const [index, box] of boxes) {
  box.addEventListener('click', (event) => {
    event.preventDefault();
    event.stopPropagation();
    choose(index);
  });
  box.addEventListener('focus', () => box.matches(':focus-visible') && reveal(box));
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      choose(index);
    }
  });
}

view.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (moves[event.key]) {
    at.x += moves[event.key][0];
    at.y += moves[event.key][1];
    show();
  } else if (event.key === '+' || event.key === '=') zoom(1.25);
  else if (event.key === '-') zoom(0.8);
  else if (event.key === '0') fit();
  else if (event.key === 'Escape') clear();
  else return;
  event.preventDefault();
});

view.addEventListener('wheel', (event) => {
  event.preventDefault();
  const outer = view.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 400), event.clientX - outer.left, event.clientY - outer.top);
}, { passive: false });

// One pointer moves the diagram, two pointers zoom it.
const pointers = new Map();
view.addEventListener('pointerdown', (event) => {
  pointers.set(event.pointerId, event);
  view.classList.add('moving');
});
window.addEventListener('pointermove', (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  if (pointers.size === 1) {
    at.x += event.clientX - before.clientX;
    at.y += event.clientY - before.clientY;
    show();
  } else {
    const [other] = [...pointers.values()].filter((one) => one.pointerId !== event.pointerId);
    const far = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const outer = view.getBoundingClientRect();
    zoom(far(event) / Math.max(1, far(before)), other.clientX - outer.left, other.clientY - outer.top);
  }
  pointers.set(event.pointerId, event);
});
for (const end of ['pointerup', 'pointercancel']) {
  window.addEventListener(end, (event) => {
    pointers.delete(event.pointerId);
    view.classList.toggle('moving', pointers.size > 0);
  });
}
view.addEventListener('click', clear);
document.getElementById('in').addEventListener('click', () => zoom(1.25));
document.getElementById('out').addEventListener('click', () => zoom(0.8));
document.getElementById('fit').addEventListener('click', () => fit());
document.getElementById('actual').addEventListener('click', actual);
// A keyboard on the screen must not reset the zoom.
window.addEventListener('resize', () => isWhole && fit());
// A frame may get its size later.
new ResizeObserver((_, observer) => {
  if (!view.clientHeight) return;
  observer.disconnect();
  begin();
}).observe(view);
