
/** Arguments of a call: by position, or by name. */
export type Arguments = unknown[] | Record<string, unknown>;

/** An object with its `?` header, or a mapping with `Objects` and `Attributes`. */
export type ObjectModel = Record<string, unknown>;

/** The error of an evaluation. */
export interface EvaluationError extends Error {
  name: "EvaluationError";
  /** The kind of the error. */
  kind: string;
  /** The range in the expression, in bytes of UTF-8. */
  start?: number;
  end?: number;
}

/** A recorded request to a cloud, an agent or a user. */
export interface Effect {
  kind: string;
  action: string;
  target: string;
  [detail: string]: unknown;
}
