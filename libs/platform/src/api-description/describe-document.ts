import { withoutTrailing } from '#kernel';
import { responseOf } from '#platform/http';
import type { ApiDescription, OperationDescription, ResponseDescription, Schema } from './api-description.js';
import { describedParameters, Parameter } from './describe-parameters.js';
import { describedSchemas, referenceTo } from './describe-schemas.js';
import { schemaOf31 } from './open-api-31.js';
import { refusalsOf, sharedComponents, successHeaders } from './shared-components.js';

/** The document that @nestjs/swagger generates from the code: paths and schemas. */
export interface GeneratedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Schema & { readonly content: Record<string, { schema: unknown }> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { schema: unknown }> }>>;
}

const introduction = `Send emails, follow what becomes of each recipient, and manage domains, webhooks, API keys and suppressed addresses.

Requests and responses are JSON (\`Content-Type: application/json\`), and every request carries an API key as
\`Authorization: Bearer <key>\`. Unknown fields and query parameters are ignored; \`null\` and empty strings count as absent
where a field is optional. Times in responses are UTC, as PostgreSQL writes them (\`2026-11-30 20:39:59.54+00\`), unless a field
says \`date-time\` (RFC 3339). Lists are newest first. Every refusal has the same body, see \`ErrorResponse\`.`;

/** The complete OpenAPI 3.1 document of the API: the generated document with the descriptions of all controllers. */
export function describedDocument(
  generated: GeneratedDocument,
  descriptions: readonly ApiDescription[],
  publicUrl: string | undefined,
): Schema {
  const files = [...descriptions].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const schemas = new Map<string, Schema>();
  const names = new Set<string>();
  const paths = describedPaths(generated.paths, files, schemas, names);
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
    tags: tagsOf(files, paths),
    paths,
    components: {
      ...shared,
      schemas: {
        ...shared.schemas,
        ...describedSchemas(generated.components?.schemas ?? {}, schemas, files),
      },
    },
  };
}

/** By tag and then by the first operation, whatever the order in which the controllers were loaded. */
function placeOf({ tag, operations }: ApiDescription): string {
  return `${tag}\n${Object.keys(operations)[0]?.split(' ')[1] ?? ''}`;
}

/** Paths in the order of their descriptions. Operations without a description come last, as generated. */
function describedPaths(
  generated: GeneratedDocument['paths'],
  files: readonly ApiDescription[],
  schemas: Map<string, Schema>,
  names: Set<string>,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  const add = (path: string, method: string, operation: unknown): void => {
    paths[path] = { ...paths[path], [method]: operation };
  };
  for (const { tag, operations } of files) {
    for (const [route, description] of Object.entries(operations)) {
      const [verb = '', path = ''] = route.split(' ');
      const operation = generated[path]?.[verb.toLowerCase()] as Operation | undefined;
      if (operation === undefined) continue;
      for (const error of description.errors) names.add(responseOf(error).name);
      add(path, verb.toLowerCase(), describedOperation(verb, path, operation, tag, description, schemas));
    }
  }
  for (const [path, operations] of Object.entries(generated)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (paths[path]?.[method] === undefined) add(path, method, schemaOf31(operation));
    }
  }
  return paths;
}

function describedOperation(
  verb: string,
  path: string,
  { parameters = [], requestBody, responses }: Operation,
  tag: string,
  description: OperationDescription,
  schemas: Map<string, Schema>,
): Schema {
  const { operationId, summary, deprecated, sends = false, request } = description;
  const traits = { sends, hasBody: verb !== 'GET', hasParameters: path.includes('{') };
  return {
    operationId,
    summary,
    description: description.description,
    tags: [tag],
    ...(deprecated === true ? { deprecated } : {}),
    parameters: describedParameters(parameters, description.parameters ?? {}),
    ...(requestBody === undefined ? {} : { requestBody: describedBody(requestBody, request) }),
    responses: {
      ...describedResponses(responses, description.responses, sends, schemas),
      ...refusalsOf(description.errors.map(responseOf), traits),
    },
  };
}

function describedBody(
  { content, ...body }: NonNullable<Operation['requestBody']>,
  request: OperationDescription['request'],
): Schema {
  const [mediaType, { schema: generated }] = onlyContentOf(content);
  const schema = schemaOf31(generated);
  return {
    ...(request === undefined ? {} : { description: request.description }),
    ...body,
    content: { [mediaType]: { schema, ...(request === undefined ? {} : { examples: request.examples }) } },
  };
}

function describedResponses(
  generated: Operation['responses'],
  described: Readonly<Record<number, ResponseDescription>>,
  sends: boolean,
  schemas: Map<string, Schema>,
): Schema {
  return Object.fromEntries(
    Object.entries(generated).map(([status, { content }]) => {
      const description = described[Number(status)];
      const [mediaType, { schema: given }] = onlyContentOf(content ?? {});
      const example = description === undefined ? {} : { example: description.example };
      return [
        status,
        {
          description: description?.description ?? '',
          headers: successHeaders(sends),
          content:
            description?.contentType === undefined
              ? { [mediaType]: { schema: referenceTo(schemaOf31(given) as Schema, schemas), ...example } }
              : { [description.contentType]: { schema: { type: 'string' }, ...example } },
        },
      ];
    }),
  );
}

/** JSON, nearly always. */
function onlyContentOf(
  content: Record<string, { schema: unknown }>,
): [mediaType: string, { readonly schema: unknown }] {
  return Object.entries(content)[0] ?? ['application/json', { schema: undefined }];
}

/** The server of `PUBLIC_URL`. Without it: the server that sent the document, or one that the reader enters. */
function serversOf(publicUrl: string | undefined): readonly Schema[] {
  if (publicUrl !== undefined) return [{ url: withoutTrailing(publicUrl, '/'), description: 'This Postrider' }];
  return [
    { url: '/', description: 'The Postrider that this description comes from' },
    {
      url: '{origin}',
      description: 'A Postrider of your choice',
      variables: { origin: { default: 'http://127.0.0.1:3000', description: 'Scheme, host and port of its HTTP API' } },
    },
  ];
}

function tagsOf(files: readonly ApiDescription[], paths: Record<string, Record<string, unknown>>): readonly Schema[] {
  const used = new Set(
    Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap((operation) => (operation as { tags?: string[] }).tags ?? []),
    ),
  );
  return files
    .filter(({ tag, tagDescription }) => tagDescription !== undefined && used.has(tag))
    .map(({ tag, tagDescription }) => ({ name: tag, description: tagDescription }));
}
