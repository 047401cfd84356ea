import type { Problem } from "./problems.js";
import type { Service } from "./model.js";

export type { Service };

/** A problem of a template. Lines and columns count from 1, offsets in bytes of UTF-8 from 0. */
export type Diagnostic = Problem;

/** What a parser is told when it is made. */
export interface ParserOptions {
  /** Rules that are not reported, by code or name. */
  allow?: string[];
  /** Rules that are warnings. */
  warn?: string[];
  /** Rules that are errors; `warnings` are all of these. */
  deny?: string[];
  /** Whether what the standard forbids is an error even where files in use need it. */
  strict?: boolean;
  /** Dialects that are let pass. */
  quirks?: string[];
  /** Functions that the orchestrator knows. */
  functions?: string[];
  /** What is refused because of its size. */
  limits?: { bytes?: number; depth?: number; expansion?: number; problems?: number };
}

/** What came of an evaluation. */
export interface Evaluation {
  /** The service, with everything computed that can be. */
  service: Service;
  /** What can't be computed although everything that it needs is known; `at` is a JSON pointer into the model. */
  problems: { at: string; source?: unknown; message: string }[];
}

/** How a service is deployed and undeployed. */
export interface Plan {
  /** The version of this form. */
  plan: number;
  /** The entry file of the service. */
  file: string;
  /** For a changed template: what is undeployed first. */
  removal?: Stage[];
  /** The stages of deployment. */
  deployment: Stage[];
  /** The stages in which everything is undeployed again. */
  undeployment: Stage[];
  /** Nodes that need each other, so that there is no order among them. */
  loops?: string[][];
}

/** Steps that can be taken in parallel. */
export interface Stage {
  steps: Step[];
}

/** What is done with a node. */
export interface Step {
  node: string;
  action: "add" | "change" | "replace" | "remove";
  /** The node type and what it is derived from. */
  types: string[];
  /** For a node that is not created. */
  directive?: string;
  /** How many nodes are made from the template: an integer or a call. One if it is not there. */
  count?: unknown;
  /** The nodes whose steps must be complete before. */
  after?: string[];
  /** The operations that are called, in order. */
  operations?: Call[];
  /** For a node that is changed or replaced: what is different. */
  differences?: unknown[];
  /** Where the node template stands. */
  source?: unknown;
}

/** A call of an operation. */
export interface Call {
  node: string;
  /** For an operation of a relationship: which one. */
  relationship?: { source: string; requirement: string; target: string };
  interface: string;
  operation: string;
  /** What is run. */
  implementation: unknown;
  /** What it is given. Values that are not known before deployment are calls. */
  inputs?: Record<string, unknown>;
}
