import type { DomainError } from '#kernel';

/** A JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1), or keywords of one. */
export type Schema = Readonly<Record<string, unknown>>;

type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

/**
 * What people and generators of clients are told of the operations of one controller: everything that the code itself
 * does not say. Lives beside the controller in a file that is loaded with the description only (`DescribedBy`), so that
 * the texts take no memory in a process that nobody asks.
 */
export interface ApiDescription {
  /** Heading under which the operations stand. Files that share a tag give its description once. */
  readonly tag: string;
  readonly tagDescription?: string;
  readonly operations: Readonly<Record<Route, OperationDescription>>;
  /** By public name: the name of the class, where `Answer` at the end reads `Response`. */
  readonly schemas?: Readonly<Record<string, SchemaDescription>>;
}

export interface OperationDescription {
  /** A function name in generated clients. Stable. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  /** Whether a key that may only send is enough. Such operations count against the sending quotas. */
  readonly sends?: true;
  readonly parameters?: Readonly<Record<string, ParameterDescription>>;
  readonly request?: RequestDescription;
  /** By status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** The refusals of this operation, beyond those that all share. They are the program's own, texts included. */
  readonly errors: readonly DomainError[];
}

export interface ParameterDescription {
  readonly description: string;
  readonly example?: unknown;
  /** Default: as the code says for paths, false for everything else. */
  readonly required?: boolean;
  /** Keywords that are added to the schema. */
  readonly schema?: Schema;
}

export interface RequestDescription {
  readonly description: string;
  readonly examples: Readonly<Record<string, Example>>;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface ResponseDescription {
  readonly description: string;
  readonly example: unknown;
}

/** A description of the schema and its fields; a schema that no class has is given in full. */
export interface SchemaDescription extends Schema {
  readonly description: string;
  /** A text is the description of the field; an object has further keywords. A keyword that is undefined is removed. */
  readonly properties?: Readonly<Record<string, string | Schema>>;
}
