import { DomainError, maxPageSize, MissingFieldError, NotFoundError, parsePageRequest } from '#kernel';
import { idFromPath, responseOf } from '#http/server';
import { RequestMethod, Type } from '@nestjs/common';
import { examplesOf, fieldsOf, Schema } from './fields.js';
import {
  Chapter,
  chapterOf,
  isUndocumented,
  Operation,
  operationOf,
  Parameter,
  pathParametersOf,
} from './operations.js';
import { refusalsOf, sharedComponents, successHeaders } from './refusals.js';
import { exampleOf, Schemas } from './schemas.js';
import { describedWebhooks } from './webhooks.js';

interface Route {
  readonly verb: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
}

interface DescribedController {
  readonly chapter: Chapter;
  readonly routes: readonly Route[];
}

const introduction = `Send emails, follow what becomes of each recipient, and manage domains, webhooks, API keys and suppressed addresses.

Requests and responses are JSON (\`Content-Type: application/json\`), and every request carries an API key as
\`Authorization: Bearer <key>\`. Unknown fields and query parameters are ignored; \`null\` and empty strings count as absent
where a field is optional. Times in responses are UTC, as PostgreSQL writes them (\`2026-11-30 20:39:59.54+00\`), unless a field
says \`date-time\` (RFC 3339). Lists are newest first. Every refusal has the same body, see \`ErrorResponse\`.`;

/** The OpenAPI 3.1 document of these controllers. Throws if a route has no description. */
export function documentOf(controllers: readonly Type[], publicUrl: string | undefined): Schema {
  const described = controllers
    .filter((controller) => !isUndocumented(controller))
    .map(describedController)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const schemas = new Schemas();
  const names = new Set<string>();
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { chapter, routes } of described) {
    for (const route of routes) {
      const own = ownRefusals(route).map(responseOf);
      for (const { name } of own) names.add(name);
      paths[route.path] = {
        ...paths[route.path],
        [route.verb.toLowerCase()]: {
          ...describedOperation(chapter.tag, route, schemas),
          responses: { ...describedResponses(route.operation, schemas), ...refusalsOf(own, traitsOf(route)) },
        },
      };
    }
  }
  const events = describedWebhooks(described.map(({ chapter }) => chapter));
  const shared = sharedComponents(names);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Postrider',
      summary: 'Self-hosted email delivery: HTTP API and SMTP in, DKIM-signed mail out, webhooks back.',
      description: introduction,
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(publicUrl),
    security: [{ bearer: [] }],
    tags: described
      .filter(({ chapter }) => chapter.description !== undefined)
      .map(({ chapter }) => ({ name: chapter.tag, description: chapter.description })),
    paths,
    webhooks: events.webhooks,
    components: { ...shared, schemas: { ...shared.schemas, ...schemas.all(), ...events.schemas } },
  };
}

function describedController(controller: Type): DescribedController {
  const chapter = chapterOf(controller);
  const routes = routesOf(controller);
  const bare = routes.find(({ operation }) => operation.id === undefined);
  if (chapter === undefined || bare !== undefined) {
    throw new Error(
      `${controller.name} has no description${bare === undefined ? '' : ` of ${bare.verb} ${bare.path}`}`,
    );
  }
  return { chapter, routes };
}

function routesOf(controller: Type): readonly Route[] {
  const prototype = controller.prototype as Readonly<Record<string, object>>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    const method =
      handler === undefined ? undefined : (Reflect.getMetadata('method', handler) as RequestMethod | undefined);
    if (handler === undefined || method === undefined) return [];
    const prefix = Reflect.getMetadata('path', controller) as string;
    const paths = [Reflect.getMetadata('path', handler) as string | string[]].flat();
    const [first = '', ...aliases] = paths.map((path) => openApiPath(`${prefix}/${path}`));
    const route = { verb: RequestMethod[method], path: first, operation: operationOf(handler) ?? {} };
    return [route, ...aliases.map((path) => aliasOf(route, path))].map((each) => ({
      ...each,
      parameters: parametersOf(each.path, controller, handler),
    }));
  });
}

/** `emails//:id/` becomes `/emails/{id}`. */
function openApiPath(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`.replace(/:(\w+)/g, '{$1}');
}

function parametersOf(path: string, controller: Type, handler: object): readonly Parameter[] {
  const byName = new Map(
    [...pathParametersOf(controller), ...pathParametersOf(handler)].map((parameter) => [parameter.name, parameter]),
  );
  return [...byName.values()].filter(({ name }) => path.includes(`{${name}}`));
}

/** The same operation under the path of a client that uses the plural. */
function aliasOf({ verb, path, operation }: Omit<Route, 'parameters'>, alias: string): Omit<Route, 'parameters'> {
  const { id, summary, description } = operation;
  const described = {
    id: `${id}Alias`,
    summary: `${summary} (alias)`,
    description: `The same as \`${verb} ${path}\`, for clients that write the path in the plural. ${description}`,
    deprecated: true,
  };
  return { verb, path: alias, operation: { ...operation, ...described } };
}

/** By tag and then by the first operation, whatever the order in which the controllers were loaded. */
function placeOf({ chapter, routes }: DescribedController): string {
  return `${chapter.tag}\n${routes[0]?.path ?? ''}`;
}

function describedOperation(tag: string, { operation, parameters }: Route, schemas: Schemas): Schema {
  const { id, summary, description, deprecated, request, pages } = operation;
  const all = [
    ...parameters,
    ...(operation.parameters ?? []),
    ...(pages === undefined ? [] : pageParameters(pages === 'whole', operation.cursor)),
  ];
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    ...(deprecated === true ? { deprecated } : {}),
    parameters: all.map(describedParameter),
    ...(request === undefined ? {} : { requestBody: describedRequest(request, schemas) }),
  };
}

function describedParameter({ schema, required, example, subject: _subject, ...parameter }: Parameter): Schema {
  return {
    ...parameter,
    required: required ?? parameter.in === 'path',
    schema: { type: 'string', ...schema },
    example,
  };
}

function describedRequest(request: NonNullable<Operation['request']>, schemas: Schemas): Schema {
  const { type, description, required, many, mediaType, examples = examplesOf(type) } = request;
  const reference = schemas.referenceTo(type);
  const schema = many ? { type: 'array', items: reference } : reference;
  return { description, required, content: { [mediaType]: { schema, examples } } };
}

function describedResponses({ responses = [], sends = false }: Operation, schemas: Schemas): Schema {
  return Object.fromEntries(
    responses.map(({ status, type, description, mediaType, list, example }) => {
      const content =
        type === undefined
          ? { schema: { type: 'string' }, example }
          : list === undefined
            ? { schema: schemas.referenceTo(type), example: { ...exampleOf(type), ...(example as object) } }
            : { schema: schemas.referenceToListOf(type, list), example: exampleOfList(type, example) };
      return [status, { description, headers: successHeaders(sends), content: { [mediaType]: content } }];
    }),
  );
}

function exampleOfList(type: Type, changes: unknown): Schema {
  const item = exampleOf(type);
  const { data = [{}], ...envelope } = (Array.isArray(changes) ? { data: changes } : (changes ?? {})) as {
    readonly data?: readonly object[];
  };
  return { object: 'list', has_more: false, data: data.map((change) => ({ ...item, ...change })), ...envelope };
}

const exampleCursor = '01933a5e-7f7b-7d4c-9a57-2f1d8f0c4b12';

function pageParameters(whole: boolean, exampleOfCursor = exampleCursor): readonly Parameter[] {
  const limit =
    `Number of items in the page, from 1 to ${maxPageSize}.` +
    (whole
      ? ' Without `limit`, `after` and `before` the list is returned as a whole; with only a cursor, 20 items.'
      : '');
  const integer = { type: 'integer', minimum: 1, maximum: maxPageSize };
  const cursor = (name: string, description: string): Parameter => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string', maxLength: 256 },
    example: exampleOfCursor,
  });
  return [
    {
      name: 'limit',
      in: 'query',
      description: limit,
      schema: whole ? integer : { ...integer, default: 20 },
      example: 10,
    },
    cursor(
      'after',
      'Id of an item of the list: the page begins behind it. Take the id of the last item to get the next page. ' +
        'Not together with `before`.',
    ),
    cursor(
      'before',
      'Id of an item of the list: the page ends in front of it. Take the id of the first item to get the page before. ' +
        'Not together with `after`.',
    ),
  ];
}

/** The refusals of an operation itself: those that follow from its parameters and its body, and those that it names. */
function ownRefusals({ parameters, operation }: Route): readonly DomainError[] {
  const { request, refusals, pages } = operation;
  const named = (refusals?.() ?? []).map(errorOf);
  return [
    ...(pages === undefined ? [] : pageRefusals()),
    ...parameters.filter(({ schema }) => schema.format === 'uuid').map(({ name }) => invalidId(name)),
    ...(named.some((error) => error instanceof MissingFieldError) ? [] : missingFields(request)),
    ...parameters.flatMap(({ subject }) => (subject === undefined ? [] : [new NotFoundError(subject)])),
    ...named,
  ];
}

function pageRefusals(): readonly DomainError[] {
  return [
    errorOf(() => parsePageRequest({ limit: '0' })),
    errorOf(() => parsePageRequest({ after: exampleCursor, before: exampleCursor })),
  ];
}

const invalidId = (name: string): DomainError => errorOf(() => idFromPath(name, 'not-a-uuid'));

function missingFields(request: Operation['request']): readonly DomainError[] {
  if (request === undefined || request.many) return [];
  return [...fieldsOf(request.type)]
    .filter(([, { required }]) => required)
    .map(([name]) => new MissingFieldError(name));
}

function errorOf(refusal: DomainError | (() => unknown)): DomainError {
  if (refusal instanceof DomainError) return refusal;
  try {
    refusal();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('An example of a refusal is not refused');
}

function traitsOf({ verb, path, operation }: Route): Parameters<typeof refusalsOf>[1] {
  return { sends: operation.sends ?? false, hasBody: verb !== 'GET', hasParameters: path.includes('{') };
}

/** The server of `PUBLIC_URL`. Without it: the server that sent the document, or one that the reader enters. */
function serversOf(publicUrl: string | undefined): readonly Schema[] {
  if (publicUrl !== undefined) return [{ url: publicUrl, description: 'This Postrider' }];
  return [
    { url: '/', description: 'The Postrider that this description comes from' },
    {
      url: '{origin}',
      description: 'A Postrider of your choice',
      variables: { origin: { default: 'http://127.0.0.1:3000', description: 'Scheme, host and port of its HTTP API' } },
    },
  ];
}
