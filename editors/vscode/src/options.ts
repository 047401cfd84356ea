/** The settings that are options of the command. */

export type Value = boolean | number | string | readonly string[] | Readonly<Record<string, unknown>> | undefined;

/** Settings whose names are those of options in camel case. Every command that reads templates has these options. */
export const READING = [
  "input",
  "inputs",
  "attributes",
  "quirk",
  "readVersion",
  "allowFunction",
  "importPath",
  "profilePath",
  "packagePath",
  "search",
  "gpg",
  "sandbox",
  "environment",
  "resourceTypes",
  "offline",
  "allowPrivateNetwork",
  "allowBucket",
  "mapUrl",
  "noCache",
  "limit",
  "config",
  "noConfig",
] as const;

/** The settings of the levels of rules, for the server. */
export const RULES = ["strict", "complete", "allow", "warn", "deny"] as const;

/** The settings of commands that only read files. */
export const ACCESS = ["offline", "allowPrivateNetwork", "allowBucket", "mapUrl", "noCache", "limit", "config", "noConfig"] as const;

/** The settings of diagrams. */
export const DIAGRAM = ["collapse", "properties"] as const;

/** Returns the option for a setting: `--profile-path` for `profilePath`. */
export function option(setting: string): string {
  return `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the arguments for settings. Settings without a value are omitted. */
export function toArguments(settings: readonly string[], get: (setting: string) => Value): string[] {
  return settings.flatMap((setting) => valuesOf(get(setting)).map((value) => option(setting) + value));
}

/** Returns the values of an option, with their equals sign, so that a value can't be read as an option. */
function valuesOf(value: Value): string[] {
  if (value === undefined || value === null || value === false || value === "") return [];
  if (value === true) return [""];
  if (Array.isArray(value)) return value.map((item) => `=${item}`);
  if (typeof value === "object") {
    return Object.entries(value).map(([name, item]) => `=${name}=${typeof item === "string" ? item : JSON.stringify(item)}`);
  }
  return [`=${value}`];
}
