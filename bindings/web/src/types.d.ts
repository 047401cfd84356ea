import type { Problem } from "./problems.js";
import type { Service } from "./model.js";

export type { Service };

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

/** The result of an evaluation. */
export interface Evaluation {
  /** The service with its computed values. */
  service: Service;
  /** Values that can't be computed although all their operands are known; `at` is a JSON pointer into the model. */
  problems: { at: string; source?: unknown; message: string }[];
}

/** A plan for deploying and undeploying a service. */
export interface Plan {
  /** The version of this format. */
  plan: number;
  /** The entry file of the service. */
  file: string;
  /** For a changed template: the stages that are undeployed first. */
  removal?: Stage[];
  /** The stages of deployment. */
  deployment: Stage[];
  /** The stages of undeployment. */
  undeployment: Stage[];
  /** Nodes that depend on each other and so have no order. */
  loops?: string[][];
}

/** Steps that can run in parallel. */
export interface Stage {
  steps: Step[];
}

/** The step of one node. */
export interface Step {
  node: string;
  action: "add" | "change" | "replace" | "remove";
  /** The node type and its ancestors. */
  types: string[];
  /** For a node that is not created. */
  directive?: string;
  /** The number of nodes created from the template: an integer or a call. The default is 1. */
  count?: unknown;
  /** The nodes whose steps must be complete first. */
  after?: string[];
  /** The operations to call, in order. */
  operations?: Call[];
  /** For a changed or replaced node: the differences. */
  differences?: unknown[];
  /** The position of the node template. */
  source?: unknown;
}

/** A call of an operation. */
export interface Call {
  node: string;
  /** The relationship, for an operation of a relationship. */
  relationship?: { source: string; requirement: string; target: string };
  interface: string;
  operation: string;
  /** The implementation to run. */
  implementation: unknown;
  /** The inputs. Values that are not known before deployment are calls. */
  inputs?: Record<string, unknown>;
}
