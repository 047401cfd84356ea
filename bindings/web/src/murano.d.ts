
/** Arguments of a call: by position, or by name. */
export type Arguments = unknown[] | Record<string, unknown>;

/** An object with its `?` header, or a mapping with `Objects` and `Attributes`. */
export type ObjectModel = Record<string, unknown>;

/** The kinds of errors of `evaluate`. */
export type YaqlErrorKind =
  | "lexical error" | "syntax error" | "unknown function" | "unknown method" | "no matching function"
  | "no matching method" | "ambiguous function" | "ambiguous method" | "mapping instead of a named argument"
  | "collection too large" | "memory quota exceeded" | "out of memory" | "too many steps" | "out of time"
  | "nested too deeply" | "invalid value" | "invalid type" | "unknown key" | "index out of range"
  | "division by zero" | "unknown attribute" | "invalid regular expression" | "empty collection" | "assertion failed"
  | "runtime error";

/** The kinds of errors of packages and models. */
export type MuranoErrorKind =
  | "MplSyntax" | "DslSyntax" | "ContractSyntax" | "Yaml" | "NoClass" | "NoPackage" | "NoPackageForClass"
  | "NoMethod" | "NoProperty" | "AmbiguousMethod" | "AmbiguousProperty" | "AmbiguousClass" | "ContractViolation"
  | "NoWriteAccess" | "PropertyRead" | "PropertyWrite" | "UninitializedProperty" | "MethodNotExposed" | "NoObject"
  | "CircularDependency" | "ObjectDestroyed" | "InvalidInheritance" | "InvalidOperation" | "InvalidAssignmentTarget"
  | "Thrown" | "YaqlLexical" | "YaqlGrammar" | "YaqlNoFunction" | "YaqlNoMethod" | "YaqlNoMatchingFunction"
  | "YaqlNoMatchingMethod" | "YaqlAmbiguousFunction" | "YaqlAmbiguousMethod" | "YaqlMappingTranslation"
  | "YaqlCollectionTooLarge" | "YaqlMemoryQuota" | "Steps" | "Bytes" | "Time" | "Depth" | "Value" | "Type" | "Key"
  | "Index" | "ZeroDivision" | "Attribute" | "Regex" | "EmptyCollection" | "Assertion" | "Runtime";

/** The error of an evaluation. */
export interface EvaluationError extends Error {
  name: "EvaluationError";
  /** The kind of the error. */
  kind: YaqlErrorKind | MuranoErrorKind;
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
