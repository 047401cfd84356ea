// The files: the first one is the template, and it can import the others.

import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { unpackTar } from "modern-tar";

// Limits on the size, because a link or an archive can expand to very large files.
const MAX_FILES = 2000;
const MAX_BYTES = 16e6;
const MAX_LINK = 4e6;
const SAVED = "tosca-parse.playground";
const TEXTS = /(^|\/)[^/.]+$|\.(ya?ml|yay|json|meta|mf|sh|py|txt|md|template|toml|cfg|conf|ini|xml|j2)$/i;
const SKIPPED = /(^|\/)(\.|__MACOSX\/|node_modules\/)/;

export function decode(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// Limits the output while it is produced.
async function through(stream, data, limit = Infinity) {
  const parts = [];
  let length = 0;
  for await (const part of new Blob([data]).stream().pipeThrough(stream)) {
    parts.push(part);
    length += part.length;
    if (length > limit) throw new Error("too large");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function pack(files) {
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(files)));
  if (json.length > MAX_LINK) throw new Error("The files are too large for a link.");
  const packed = await through(new CompressionStream("deflate-raw"), json);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Returns the files of a link; `undefined` if it contains none.
export async function unpack(hash) {
  try {
    const packed = decode(hash.replaceAll("-", "+").replaceAll("_", "/"));
    const unpacked = await through(new DecompressionStream("deflate-raw"), packed, MAX_LINK);
    return checked(JSON.parse(new TextDecoder().decode(unpacked)));
  } catch {
    return undefined;
  }
}

function checked(named) {
  const entries = Object.entries(named ?? {});
  const isText = ([name, text]) => normalized(name) === name && typeof text === "string";
  return entries.length && entries.every(isText) ? new Map(entries.map(([name, text]) => [name, unixLines(text)])) : undefined;
}

// Returns the path of a file without `.`; `undefined` if it is not a path below a folder.
export function normalized(name) {
  const parts = name.split("/").filter((part) => part && part !== ".");
  const isValid = (part) => part !== ".." && part !== "__proto__" && part.isWellFormed() && !/[\u0000-\u001f\\]/.test(part);
  return parts.length && parts.every(isValid) ? parts.join("/") : undefined;
}

// The editor counts each line break as one character.
function unixLines(text) {
  return text.replace(/\r\n?/g, "\n");
}

// Storage can be blocked or full: then the text does not survive a reload.
export function save(files) {
  try {
    localStorage.setItem(SAVED, JSON.stringify(Object.fromEntries(files)));
  } catch {
    return false;
  }
  return true;
}

export function saved() {
  try {
    return checked(JSON.parse(localStorage.getItem(SAVED)));
  } catch {
    return undefined;
  }
}

// Reads files, folders and archives that were dropped or chosen.
export async function read(items) {
  const found = new Map();
  let total = 0;
  const add = (name, bytes) => {
    total += bytes.length;
    if (found.size >= MAX_FILES || total > MAX_BYTES) throw new Error("the files are too many or too large");
    const path = normalized(name);
    if (path && !bytes.includes(0)) found.set(path, unixLines(strFromU8(bytes)));
  };
  const take = async (path, file) => {
    if (file.size > MAX_BYTES) throw new Error(`${file.name} is too large`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (/\.(zip|csar)$/i.test(file.name)) unzip(bytes, add, total);
    else if (/\.(tgz|tar\.gz|tar)$/i.test(file.name)) await untar(bytes, add).catch((error) => {
      throw new Error(`${file.name}: ${error.message}`);
    });
    else if (!SKIPPED.test(path)) add(path, bytes);
  };
  const walk = async (entry) => {
    if (SKIPPED.test(entry.name)) return;
    if (entry.isFile) return take(entry.fullPath.slice(1), await new Promise((done, failed) => entry.file(done, failed)));
    const reader = entry.createReader();
    for (;;) {
      const entries = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (!entries.length) return;
      for (const inner of entries) await walk(inner);
    }
  };
  for (const item of items) await (item instanceof File ? take(item.webkitRelativePath || item.name, item) : walk(item));
  return ordered(withoutFolder(found));
}

function unzip(bytes, add, before) {
  let total = before;
  let count = 0;
  const unpacked = unzipSync(bytes, {
    filter: ({ name, size, originalSize }) => {
      if (!isText(name)) return false;
      total += Math.max(size, originalSize);
      count += 1;
      if (total > MAX_BYTES || count > MAX_FILES) throw new Error("the archive is too large");
      return true;
    },
  });
  for (const [name, content] of Object.entries(unpacked)) add(name, content);
}

async function untar(bytes, add) {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const unpacked = isPacked ? await through(new DecompressionStream("gzip"), bytes, MAX_BYTES) : bytes;
  const filter = ({ name, type }) => type === "file" && isText(name);
  for (const { header, data } of await unpackTar(unpacked, { filter, strict: true })) add(header.name, data);
}

// Returns whether a member of an archive is a text below a folder.
function isText(name) {
  const path = normalized(name);
  return Boolean(path) && !name.endsWith("/") && !SKIPPED.test(path) && TEXTS.test(path);
}

// Removes a folder that contains everything.
function withoutFolder(files) {
  const [first] = files.keys();
  const folder = first?.includes("/") ? first.slice(0, first.indexOf("/") + 1) : "";
  if (!folder || folder.startsWith("TOSCA-Metadata") || ![...files.keys()].every((name) => name.startsWith(folder))) return files;
  return new Map([...files].map(([name, text]) => [name.slice(folder.length), text]));
}

const hasKey = (...keys) => {
  const pattern = new RegExp(`^(${keys.join("|")}):`, "m");
  return (text) => pattern.test(text);
};
const isTosca = hasKey("tosca_definitions_version");
const hasService = hasKey("service_template", "topology_template");
const HEADS = [(text) => isTosca(text) && hasService(text), hasKey("heat_template_version"), hasKey("FullName"), isTosca];

// Puts the template first: the one that the metadata of an archive name, or the first that looks like one.
function ordered(files) {
  const meta = files.get("TOSCA-Metadata/TOSCA.meta") ?? files.get("TOSCA.meta") ?? files.get("CSAR.meta") ?? "";
  const key = "Entry-Definitions:";
  const named = meta.split("\n").find((line) => line.startsWith(key))?.slice(key.length).trim();
  const yaml = [...files.keys()].filter((name) => /\.(ya?ml|yay)$/i.test(name));
  yaml.sort((one, other) => one.split("/").length - other.split("/").length);
  const likely = HEADS.map((isHead) => yaml.find((name) => isHead(files.get(name)))).find(Boolean);
  const entry = files.has(named) ? named : likely ?? yaml[0] ?? files.keys().next().value;
  return entry === undefined ? files : first(files, entry);
}

// Returns the files with another one as the template.
export function first(files, entry) {
  return new Map([[entry, files.get(entry)], ...[...files].filter(([name]) => name !== entry)]);
}

export function archive(files) {
  return zipSync(Object.fromEntries([...files].map(([name, text]) => [name, strToU8(text)])));
}

export async function gunzip(bytes) {
  return through(new DecompressionStream("gzip"), bytes);
}

// Converts offsets in UTF-8 to indexes of a string, in one pass.
export function indexes(content, offsets) {
  const encoded = new TextEncoder().encode(content);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const found = new Map();
  let [done, length] = [0, 0];
  for (const offset of [...new Set(offsets)].sort((one, other) => one - other)) {
    length += decoder.decode(encoded.subarray(done, offset)).length;
    done = offset;
    found.set(offset, length);
  }
  return found;
}

// Applies edits to files. The last edit comes first, so that the other offsets stay valid; an edit that overlaps a later
// one is left out with the others of its problem.
export function edited(files, problems) {
  const taken = new Map();
  const chosen = [];
  for (const { edits } of problems) {
    const isFree = ({ file, start, end }) =>
      files.has(file) && !(taken.get(file) ?? []).some((other) => start.offset < other.end && other.start < end.offset || start.offset === other.start);
    if (!edits.length || !edits.every(isFree)) continue;
    for (const edit of edits) {
      chosen.push(edit);
      taken.set(edit.file, [...(taken.get(edit.file) ?? []), { start: edit.start.offset, end: edit.end.offset }]);
    }
  }
  const result = new Map();
  for (const file of new Set(chosen.map((edit) => edit.file))) {
    const content = files.get(file);
    const here = chosen.filter((edit) => edit.file === file);
    const at = indexes(content, here.flatMap(({ start, end }) => [start.offset, end.offset]));
    result.set(file, here.map(({ start, end, text }) => ({ from: at.get(start.offset), to: at.get(end.offset), insert: text })));
  }
  return result;
}
