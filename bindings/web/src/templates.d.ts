import type { Service } from "./model.js";

export type { Service };

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

/** The value to return if there is none. */
export type Fallback = unknown;

/** The position of a value. */
export interface Anchor {
  source: string;
  /** The line, from 1. */
  line: number;
  /** The column, from 1, in characters. */
  column: number;
}

/** The kinds of errors of Yay documents. */
export type YayErrorKind =
  | "SyntaxError" | "NoMatching" | "TypeError" | "ZeroDivisionError" | "CycleError" | "ParadoxError" | "NotFound"
  | "LimitError" | "Denied";

/** The error of a Yay document. */
export interface YayError extends Error {
  name: "YayError";
  /** The kind of the error. */
  kind: YayErrorKind;
  /** The positions of the error and of what led to it. */
  places: Anchor[];
}

/** Limits of the evaluation of Yay documents. */
export interface YayLimits {
  /** The maximum number of steps. */
  steps?: number;
  /** The maximum total size of all values, in bytes. */
  bytes?: number;
}
