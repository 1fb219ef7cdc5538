import { DomainError } from '#kernel';
import type { ListResponse, StreamedJson } from '#http/server';
import { HttpCode } from '@nestjs/common';
import type { StreamableFile, Type } from '@nestjs/common';
import type { NamedExample, Schema } from './fields.js';
import { checkIds } from './path-ids.js';
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
  /** Name of the thing that a value in a path stands for. Every operation with it refuses what the team does not have. */
  readonly subject?: string;
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

/** A parameter in the paths of a controller, or of one of its routes. Operations with a `subject` refuse an unknown one. */
export function PathParameter(
  name: string,
  description: string,
  schema: Schema,
  example: unknown,
  subject?: string,
): OnControllerOrRoute {
  const parameter: Parameter = { name, in: 'path', description, schema, example, subject };
  return (target, _name, descriptor) => {
    const described = (descriptor?.value as object | undefined) ?? target;
    pathParameters.set(described, [parameter, ...pathParametersOf(described)]);
  };
}

/** An id in the paths of a controller, or of one of its routes. `@Param` gives it checked and in lower case. */
export function PathId(name: string, description: string, example: string, subject?: string): OnControllerOrRoute {
  const describe = PathParameter(name, description, { format: 'uuid' }, example, subject);
  return (target, method, descriptor) => {
    describe(target, method, descriptor);
    if (method === undefined) checkIds(name, target as Type);
    else checkIds(name, target.constructor as Type, method);
  };
}

/** What a route does. The name of its method is that of the function in generated clients and must not change. */
export function Operation(
  summary: string,
  description: string,
  flags: Pick<Operation, 'deprecated' | 'sends'> = {},
): MethodDecorator {
  return describes((_before, id) => ({ id, summary, description, ...flags }));
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

/** A decorator of handlers that return this. Streams of what would be too large in memory are checked by the tests alone. */
type HandlerOf<Returned> = <Handler extends (...parameters: never[]) => Returned | Promise<Returned> | Streamed>(
  prototype: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;
type Streamed = Promise<StreamedJson | StreamableFile>;

/**
 * The shape of the response of a handler, whose status is that of the first such decorator. The compiler checks what the
 * handler returns, and the end-to-end tests every response.
 */
export function Responses<Shape extends object>(
  type: Type<Shape>,
  description: string,
  more: { readonly status?: number; readonly example?: Readonly<Record<string, unknown>> } = {},
): HandlerOf<Shape> {
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
export const ResponsesList = <Item extends object>(
  type: Type<Item>,
  description: string,
  options: ListOptions = {},
): HandlerOf<ListResponse<Item>> => both(respondsList(type, description, options), Pages({ cursor: options.cursor }));

/** As `ResponsesList`, but returned as a whole if none of the three parameters is given. */
export const ResponsesWholeList = <Item extends object>(
  type: Type<Item>,
  description: string,
  options: ListOptions = {},
): HandlerOf<ListResponse<Item>> => both(respondsList(type, description, options), Pages({ pages: 'whole' }));

/** A complete list in the contract's list envelope, without page parameters. */
export const ResponsesAll = <Item extends object>(
  type: Type<Item>,
  description: string,
  options: ListOptions = {},
): HandlerOf<ListResponse<Item>> => respondsList(type, description, options);

/** The three parameters of a page, for a response that has a page in one of its fields. */
export const Pages = ({ pages = 'always', cursor }: Pick<Operation, 'pages' | 'cursor'> = {}): MethodDecorator =>
  describes(() => ({ pages, cursor }));

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

const respondsList = (type: Type, description: string, { fields: list = {}, example }: ListOptions): MethodDecorator =>
  responds({ status: 200, type, description, mediaType: 'application/json', list, example });

function responds(response: ResponseDescription): MethodDecorator {
  const describe = describes(({ responses = [] }) => ({ responses: [response, ...responses] }));
  return both(describe, HttpCode(response.status));
}

const both =
  (first: MethodDecorator, second: MethodDecorator): MethodDecorator =>
  (prototype, name, descriptor) => {
    first(prototype, name, descriptor);
    second(prototype, name, descriptor);
  };

function describes(part: (before: Operation, name: string) => Operation): MethodDecorator {
  return (_prototype, name, descriptor) => {
    const handler = descriptor.value as object;
    const before = operations.get(handler) ?? {};
    operations.set(handler, { ...before, ...part(before, String(name)) });
  };
}
