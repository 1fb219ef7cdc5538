import { Ajv, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/**
 * Holds every answer that an end-to-end test gets against the program's own `/openapi.json`: what the description does
 * not say must not be answered, and what it says must. An endpoint joins by describing its answer with `Answers` or
 * `AnswersList`; those that do not are passed over.
 */

interface Operation {
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: object }>>;

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}

interface CheckedApi {
  readonly description: Description;
  readonly validators: Map<string, ValidateFunction | undefined>;
  readonly ajv: Ajv;
}

const plainFetch = globalThis.fetch;
const apis = new Map<string, Promise<CheckedApi | undefined>>();

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const answer = await plainFetch(input, init);
  if (/^Bearer re_/.test(request.headers.get('authorization') ?? '')) await check(request, answer.clone());
  return answer;
};

async function check(request: Request, answer: Response): Promise<void> {
  const { origin, pathname } = new URL(request.url);
  const described = apis.get(origin) ?? describe(origin);
  apis.set(origin, described);
  const api = await described;
  if (api === undefined) return;
  const path = pathOf(api.description, request.method, pathname);
  if (path === undefined) return;
  const validate = validatorOf(api, path, request.method.toLowerCase(), answer.status);
  if (validate === undefined) return;
  const body: unknown = await answer.json();
  if (validate(body)) return;
  const faults = api.ajv.errorsText(validate.errors, { dataVar: 'answer' });
  throw new Error(`${request.method} ${path} answers ${answer.status} otherwise than it is described: ${faults}`);
}

async function describe(origin: string): Promise<CheckedApi | undefined> {
  const answer = await plainFetch(`${origin}/openapi.json`);
  if (!answer.ok) return undefined;
  const description = (await answer.json()) as Description;
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return { description, ajv, validators: new Map() };
}

/** A literal segment goes before a parameter, as in the router. */
function pathOf(description: Description, method: string, pathname: string): string | undefined {
  const segments = pathname.replace(/^\/+|\/$/g, '').split('/');
  const fits = Object.keys(description.paths).filter((path) => {
    const parts = path.slice(1).split('/');
    if (parts.length !== segments.length || description.paths[path]?.[method.toLowerCase()] === undefined) return false;
    return parts.every((part, index) => part.startsWith('{') || part === segments[index]);
  });
  return fits.sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

function validatorOf(api: CheckedApi, path: string, method: string, status: number): ValidateFunction | undefined {
  const responses = api.description.paths[path]?.[method]?.responses ?? {};
  // Success must be described by its very status; a refusal by the one description of all.
  const response = responses[status] ?? (status >= 400 ? responses.default : undefined);
  if (response === undefined && Object.values(responses).some(({ content }) => content !== undefined)) {
    throw new Error(`${method.toUpperCase()} ${path} answers with status ${status}, which is not described`);
  }
  const schema = response?.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const key = `${method} ${path} ${responses[status] === undefined ? 'default' : status}`;
  if (!api.validators.has(key)) {
    const components = closed(api.description.components ?? {}) as object;
    api.validators.set(key, api.ajv.compile({ ...(closed(schema) as object), components }));
  }
  return api.validators.get(key);
}

/** Objects that list their properties have no others. `$ref`s stay: they lead into the components beside them. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.properties !== undefined && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}
