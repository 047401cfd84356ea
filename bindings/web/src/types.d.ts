import type { Problem } from "./problems.js";

/** A problem of a template. Lines and columns are counted from 1, offsets in bytes of UTF-8 from 0. */
export type Diagnostic = Problem;

/** The options of a parser. */
export interface ParserOptions {
  /** Rules that are off, by code or name. */
  allow?: string[];
  /** Rules that are reported as warnings. */
  warn?: string[];
  /** Rules that are reported as errors; `warnings` means all warnings. */
  deny?: string[];
  /** Whether deviations from the standard are errors even if common templates have them. */
  strict?: boolean;
  /** Quirks: dialects to accept. */
  quirks?: string[];
  /** Functions of the orchestrator, which may be called without a definition. */
  functions?: string[];
  /** Options of the languages, by name: lists of paths, such as `{ environment: ["live.yaml"] }` for Heat. */
  options?: Record<string, string[]>;
  /** Limits on the size of a source. */
  limits?: { bytes?: number; depth?: number; expansion?: number; problems?: number };
}

/** The format of a diagram. */
export type GraphFormat = "svg" | "html" | "dot" | "mermaid" | "d2" | "plantuml" | "graphml";

/** How a diagram is drawn. */
export interface GraphOptions {
  /** Whether nodes are drawn in the nodes that host them. */
  nest?: boolean;
  /** Whether labels that several edges share are shown once. */
  legend?: boolean;
  /** The direction of edges. */
  direction?: "down" | "up" | "right" | "left";
  /** The names of nodes to draw, together with the nodes around them. */
  focus?: string[];
  /** The maximum number of edges between a node to draw and one in `focus`; 1 by default. */
  depth?: number;
}
