import { Ajv, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

interface Operation {
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: object }>>;

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}

/** An OpenAPI description that answers are held against. */
export class CheckedApi {
  /** By text: nearly all programs of a run say the same, and compiling a schema takes longer than a request. */
  private static readonly known = new Map<string, CheckedApi>();

  private readonly validators = new Map<string, ValidateFunction | undefined>();
  private readonly ajv = new Ajv({ strict: false, allErrors: true });

  private constructor(private readonly description: Description) {
    addFormats.default(this.ajv);
  }

  static describedBy(text: string): CheckedApi {
    const api = CheckedApi.known.get(text) ?? new CheckedApi(JSON.parse(text) as Description);
    CheckedApi.known.set(text, api);
    return api;
  }

  /** Throws where the answer is otherwise than it is described. */
  async check(method: string, pathname: string, answer: Response): Promise<void> {
    const path = this.pathOf(method, pathname);
    if (path === undefined) return;
    const validate = this.validatorOf(path, method.toLowerCase(), answer.status);
    if (validate === undefined) return;
    const body: unknown = await answer.json();
    if (validate(body)) return;
    const faults = this.ajv.errorsText(validate.errors, { dataVar: 'answer' });
    throw new Error(`${method} ${path} answers ${answer.status} otherwise than it is described: ${faults}`);
  }

  /** A literal segment goes before a parameter, as in the router. */
  private pathOf(method: string, pathname: string): string | undefined {
    const segments = pathname.replace(/^\/+|\/$/g, '').split('/');
    const fits = Object.keys(this.description.paths).filter((path) => {
      const parts = path.slice(1).split('/');
      if (parts.length !== segments.length) return false;
      if (this.description.paths[path]?.[method.toLowerCase()] === undefined) return false;
      return parts.every((part, index) => part.startsWith('{') || part === segments[index]);
    });
    return fits.sort((a, b) => a.split('{').length - b.split('{').length)[0];
  }

  private validatorOf(path: string, method: string, status: number): ValidateFunction | undefined {
    const responses = this.description.paths[path]?.[method]?.responses ?? {};
    // Success must be described by its very status; a refusal by the one description of all.
    const response = responses[status] ?? (status >= 400 ? responses.default : undefined);
    if (response === undefined && Object.values(responses).some(({ content }) => content !== undefined)) {
      throw new Error(`${method.toUpperCase()} ${path} answers with status ${status}, which is not described`);
    }
    const schema = response?.content?.['application/json']?.schema;
    if (schema === undefined) return undefined;
    const key = `${method} ${path} ${responses[status] === undefined ? 'default' : status}`;
    if (!this.validators.has(key)) {
      const components = closed(this.description.components ?? {}) as object;
      this.validators.set(key, this.ajv.compile({ ...(closed(schema) as object), components }));
    }
    return this.validators.get(key);
  }
}

/** Objects that list their properties have no others. `$ref`s stay: they lead into the components beside them. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.properties !== undefined && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}
