import { DomainError } from '#kernel';
import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import type { NamedExample, Schema } from './fields.js';
import type { WebhookDescription } from './webhooks.js';

/**
 * A refusal is the error that the code throws, or a check that throws it, so that the document has the message of the
 * program.
 */
export type DescribedRefusal = DomainError | (() => unknown);

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  readonly example: unknown;
  readonly required?: boolean;
  /** For lists: how their items are separated. */
  readonly style?: 'form';
  readonly explode?: boolean;
}

interface RequestDescription {
  readonly type: Type;
  readonly description: string;
  readonly required: boolean;
  readonly mediaType: string;
  /** Whether the body is an array of the shape. */
  readonly many: boolean;
  /** In place of the examples of the shape. */
  readonly examples?: Readonly<Record<string, NamedExample>>;
}

interface ResponseDescription {
  readonly status: number;
  readonly description: string;
  /** Undefined for a file. */
  readonly type?: Type;
  readonly mediaType: string;
  /** For a list: the further fields of its envelope. */
  readonly list?: Readonly<Record<string, Schema>>;
  /** Fields that differ from the example of the shape; of a list, for each of its items; of a file, the file. */
  readonly example?: unknown;
}

/** `whole`: the list is returned as a whole unless a parameter asks for a page (docs/wire-contract.md section 1.5). */
type Pages = 'always' | 'whole';

export interface Operation {
  readonly id?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Whether a key with `sending_access` may call it. Such operations count against the sending quotas. */
  readonly sends?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly request?: RequestDescription;
  readonly responses?: readonly ResponseDescription[];
  readonly pages?: Pages;
  /** Example of an `after` and a `before`. Default: an id. */
  readonly cursor?: string;
  readonly refusals?: () => readonly DescribedRefusal[];
}

export interface Chapter {
  readonly tag: string;
  /** Of several controllers with the same tag, one gives the description. */
  readonly description?: string;
  readonly webhooks: Readonly<Record<string, WebhookDescription>>;
}

const operations = new WeakMap<object, Operation>();
const chapters = new WeakMap<object, Chapter>();
const pathParameters = new WeakMap<object, readonly Parameter[]>();
const undocumented = new WeakSet<object>();

export const operationOf = (handler: object): Operation | undefined => operations.get(handler);

export const chapterOf = (controller: object): Chapter | undefined => chapters.get(controller);

export const pathParametersOf = (controllerOrHandler: object): readonly Parameter[] =>
  pathParameters.get(controllerOrHandler) ?? [];

export const isUndocumented = (controller: object): boolean => undocumented.has(controller);

/** A controller whose routes are not in the document. */
export const Undocumented = (): ClassDecorator => (controller) => void undocumented.add(controller);

/** The heading under which the operations of a controller stand, and the webhooks that tell of what they change. */
export function Describes(tag: string, description?: string, webhooks: Chapter['webhooks'] = {}): ClassDecorator {
  return (controller) => void chapters.set(controller, { tag, description, webhooks });
}

type OnControllerOrRoute = (target: object, name?: string | symbol, descriptor?: PropertyDescriptor) => void;

/** A parameter in the paths of a controller, or of one of its routes. */
export function PathParameter(
  name: string,
  description: string,
  schema: Schema,
  example: unknown,
): OnControllerOrRoute {
  const parameter: Parameter = { name, in: 'path', description, schema, example };
  return (target, _name, descriptor) => {
    const described = (descriptor?.value as object | undefined) ?? target;
    pathParameters.set(described, [parameter, ...pathParametersOf(described)]);
  };
}

/** An id in the paths of a controller. The refusal of what is no UUID is added to the operations with it. */
export const PathId = (name: string, description: string, example: string): OnControllerOrRoute =>
  PathParameter(name, description, { format: 'uuid' }, example);

/**
 * What a route does. Its id is the name of the function in generated clients and must not change.
 */
export function Operation(
  id: string,
  summary: string,
  description: string,
  flags: Pick<Operation, 'deprecated' | 'sends'> = {},
): MethodDecorator {
  return describes(() => ({ id, summary, description, ...flags }));
}

/** The shape of the body that a handler reads. */
export function Takes(
  type: Type,
  description: string,
  more: Partial<Pick<RequestDescription, 'required' | 'many' | 'mediaType' | 'examples'>> = {},
): MethodDecorator {
  const request = { type, description, required: true, many: false, mediaType: 'application/json', ...more };
  return describes(() => ({ request }));
}

/** The shape of the response of a handler. The end-to-end tests check every response against it. */
export function Responses(
  type: Type,
  description: string,
  more: { readonly status?: number; readonly example?: Readonly<Record<string, unknown>> } = {},
): MethodDecorator {
  return responds({ status: 200, type, description, mediaType: 'application/json', ...more });
}

interface ListOptions {
  /** Further fields of the envelope. */
  readonly fields?: Readonly<Record<string, Schema>>;
  /** Example of a cursor that is no id of an item. */
  readonly cursor?: string;
  /** Fields of the items that differ from the example of the shape. */
  readonly example?: readonly object[] | Readonly<Record<string, unknown>>;
}

/** A page of a shape in the contract's list envelope (docs/wire-contract.md section 1.5), with its three parameters. */
export const ResponsesList = (type: Type, description: string, options?: ListOptions): MethodDecorator =>
  applyDecorators(ResponsesAll(type, description, options), Pages({ cursor: options?.cursor }));

/** As `ResponsesList`, but returned as a whole if none of the three parameters is given. */
export const ResponsesWholeList = (type: Type, description: string, options?: ListOptions): MethodDecorator =>
  applyDecorators(ResponsesAll(type, description, options), Pages({ pages: 'whole' }));

/** The three parameters of a page, for a response that has a page in one of its fields. */
export const Pages = ({ pages = 'always', cursor }: Pick<Operation, 'pages' | 'cursor'> = {}): MethodDecorator =>
  describes(() => ({ pages, cursor }));

/** A complete list in the contract's list envelope, without page parameters. */
export function ResponsesAll(
  type: Type,
  description: string,
  { fields: list = {}, example }: ListOptions = {},
): MethodDecorator {
  return responds({ status: 200, type, description, mediaType: 'application/json', list, example });
}

/** Field of a page that may have fewer items than asked for: from which id to go on. */
export const nextOfPage = {
  next: {
    type: ['string', 'null'],
    format: 'uuid',
    description:
      'With a filter: the `after` (or `before`) of the next request; null after the last item. Absent without a filter.',
  },
};

/** A handler that responds with a file, or with a stream. */
export function ResponsesFile(mediaType: string, description: string, example: string): MethodDecorator {
  return responds({ status: 200, description, mediaType, example });
}

/** The refusals of an operation, besides the shared ones and those that follow from its parameters and its body. */
export function Refuses(refusals: () => readonly DescribedRefusal[]): MethodDecorator {
  return describes(() => ({ refusals }));
}

/** A query parameter. Default of its schema: a text. */
export function QueryParameter(
  name: string,
  description: string,
  schema: Schema,
  example: unknown,
  more: Partial<Pick<Parameter, 'required' | 'style' | 'explode'>> = {},
): MethodDecorator {
  const parameter: Parameter = {
    name,
    in: 'query',
    description,
    schema: { type: 'string', ...schema },
    example,
    ...more,
  };
  return describes(({ parameters = [] }) => ({ parameters: [parameter, ...parameters] }));
}

/** A query parameter that has several values, separated by commas. */
export const QueryList = (
  name: string,
  description: string,
  items: Schema,
  example: unknown,
  limits: Schema = {},
): MethodDecorator =>
  QueryParameter(name, description, { type: 'array', items, ...limits }, example, { style: 'form', explode: false });

export function HeaderParameter(name: string, description: string, schema: Schema, example: unknown): MethodDecorator {
  const parameter: Parameter = { name, in: 'header', description, schema: { type: 'string', ...schema }, example };
  return describes(({ parameters = [] }) => ({ parameters: [parameter, ...parameters] }));
}

const responds = (response: ResponseDescription): MethodDecorator =>
  describes(({ responses = [] }) => ({ responses: [response, ...responses] }));

function describes(part: (before: Operation) => Operation): MethodDecorator {
  return (_prototype, _name, descriptor) => {
    const handler = descriptor.value as object;
    const before = operations.get(handler) ?? {};
    operations.set(handler, { ...before, ...part(before) });
  };
}
