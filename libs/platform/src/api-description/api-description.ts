import type { DomainError } from '#kernel';

/** A JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1), or keywords of one. */
export type Schema = Readonly<Record<string, unknown>>;

type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

/**
 * Documentation of the operations of one controller, for people and client generators: everything that the code itself does not
 * express. It is in a file beside the controller that is loaded only when the API document is requested (`DescribedBy`), so that
 * the texts take no memory before.
 */
export interface ApiDescription {
  /** Heading of the operations in the document. Of several files with the same tag, one gives its description. */
  readonly tag: string;
  readonly tagDescription?: string;
  readonly operations: Readonly<Record<Route, OperationDescription>>;
  /** By the name of the class. */
  readonly schemas?: Readonly<Record<string, SchemaDescription>>;
}

export interface OperationDescription {
  /** Function name in generated clients. It must not change. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  /** Whether a key with `sending_access` may call it. Such operations count against the sending quotas. */
  readonly sends?: true;
  readonly parameters?: Readonly<Record<string, ParameterDescription>>;
  readonly request?: RequestDescription;
  /** By HTTP status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** The refusals of this operation, in addition to the shared ones. They are the errors that the code throws, with their messages. */
  readonly errors: readonly DomainError[];
}

export interface ParameterDescription {
  readonly description: string;
  readonly example?: unknown;
  /** Default: true for path parameters, false for all others. */
  readonly required?: boolean;
  /** Keywords to add to the schema. */
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
  /** Default: `application/json`. Of another one the body is a text. */
  readonly contentType?: string;
}

/** Description of a schema and its fields. A schema without a class is given in full. */
export interface SchemaDescription extends Schema {
  readonly description: string;
  /** By field: a text is its description, an object has keywords to add. An undefined keyword is removed. */
  readonly properties?: Readonly<Record<string, string | Schema>>;
}
