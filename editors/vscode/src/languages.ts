/** The languages of the extension, and their recognition. */

export const LANGUAGES = ["tosca", "heat", "murano", "yay"] as const;
export type LanguageId = (typeof LANGUAGES)[number];

/** The maximum number of lines that are examined. */
export const MAX_LINES = 500;

/**
 * Returns the language of a YAML file, or undefined for other YAML. The extension `.yay` needs no recognition.
 *
 * These are the conditions under which `tosca-parse` reads a file.
 */
export function detect(path: string, text: string): LanguageId | undefined {
  const declares = (keyname: string) => new RegExp(`^["'{ ]*${keyname}["']?[ \\t]*:`, "m").test(text);
  if (declares("tosca_definitions_version")) return "tosca";
  if (declares("heat_template_version")) return "heat";
  if (/_test\.ya?ml$/i.test(path) && /^(cases|template):/m.test(text)) return "tosca";
  const isManifest = /(^|[/\\])manifest\.yaml$/.test(path) && /^FullName:/m.test(text);
  if (isManifest || (/^Namespaces:/m.test(text) && /^Name:/m.test(text))) return "murano";
  return undefined;
}

/** Returns the version that a file declares, as the user knows it: `TOSCA 1.3`. */
export function version(text: string): string | undefined {
  const word = /^["'{ ]*(?:tosca_definitions|heat_template)_version["']?[ \t]*:[ \t]*["']?([\w.:/-]+)/m.exec(text)?.[1];
  if (!word) return undefined;
  const [, major, minor] = /^tosca_(?:simple_yaml_)?(\d+)_(\d+)$/.exec(word) ?? [];
  return major ? `TOSCA ${major}.${minor}` : word;
}
