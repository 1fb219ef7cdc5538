import type { Permission } from '#identity';
import type { ToolAnswer } from '../../../domain/tool-answer.js';

/** Arguments that the schema of their tool allows. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A request to the API, made for the caller of a tool. */
export interface ApiQuestion {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** The JSON of a response, as `docs/openapi.json` describes it. */
export type ApiReply = Readonly<Record<string, unknown>>;

/** The API has refused what a tool asked for, in words for its caller. */
export class ApiRefusalError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Who calls a tool. */
export interface ToolCaller {
  /** Whose idempotency keys are their own. */
  readonly name: string;
  /** Address of a page of the dashboard. */
  page(path: string): string;
  /** Throws ApiRefusalError. */
  ask(question: ApiQuestion): Promise<ApiReply>;
}

/** What a client may assume of a tool before it asks its user. */
interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether strangers are involved: they get mail, or have written what is read. */
  readonly openWorldHint: boolean;
}

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool is listed for callers that have it. It is that of the operations. */
  readonly permission: Permission;
  /** The operations of the API that it uses, by their ids. */
  readonly operations: readonly string[];
  readonly hints: ToolHints;
  /** By name: the JSON schema of each argument. */
  readonly input: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  run(caller: ToolCaller, input: ToolArguments): Promise<ToolAnswer>;
}

export const reads: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The arguments of these names that were given. */
export function chosen(input: ToolArguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
}

export const listOf = (value: unknown): readonly ApiReply[] => (value ?? []) as readonly ApiReply[];

/** What a draft says of itself. */
export const awaitsPerson = 'Nothing was sent. It waits for a person, who reads it on this page and sends it.';
