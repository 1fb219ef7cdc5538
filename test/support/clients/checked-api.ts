import { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Operation {
  readonly responses?: Readonly<Record<string, DescribedResponse>>;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object; readonly examples?: ErrorExamples }>>;
}

type ErrorExamples = Readonly<Record<string, { readonly value?: { readonly name?: unknown } }>>;

interface Description {
  readonly webhooks?: Readonly<Record<string, { readonly post: { readonly requestBody: DescribedResponse } }>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, object>>;
    readonly responses?: Readonly<Record<string, DescribedResponse>>;
  };
}

/** An OpenAPI 3.1 description against which responses are checked. */
export class CheckedApi {
  /**
   * By text: nearly all programs of a run have the same description, and compiling a schema takes longer than a
   * request.
   */
  private static readonly known = new Map<string, CheckedApi>();

  private readonly validators = new Map<unknown, ValidateFunction>();
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(private readonly description: Description) {
    addFormats.default(this.ajv);
    // Added once for all schemas that refer to them. With the components in each schema, ajv would traverse all of them
    // each time.
    this.ajv.addSchema({ $id: componentsId, components: { schemas: closed(description.components?.schemas ?? {}) } });
  }

  static describedBy(text: string): CheckedApi {
    const api = CheckedApi.known.get(text) ?? new CheckedApi(JSON.parse(text) as Description);
    CheckedApi.known.set(text, api);
    return api;
  }

  /** Throws if the response differs from its description in its status, its body, or the name of its error. */
  async check(method: string, pathname: string, answer: Response): Promise<void> {
    const path = this.pathOf(method, pathname);
    if (path === undefined) return;
    const { schema, examples } = this.contentOf(path, method, answer.status);
    if (schema === undefined) return;
    const body: unknown = await answer.json();
    const faults = this.faultsOf(schema, body);
    if (faults !== undefined) {
      throw new Error(`${method} ${path} answers ${answer.status} otherwise than it is described: ${faults}`);
    }
    const { name } = body as { name?: unknown };
    if (answer.status >= 400 && !Object.values(examples ?? {}).some(({ value }) => value?.name === name)) {
      throw new Error(
        `${method} ${path} answers ${answer.status} with the name ${String(name)}, which is not described`,
      );
    }
  }

  /** How the payload of a webhook differs from its description; undefined if it does not. */
  faultsOfPayload(payload: { readonly type: string }): string | undefined {
    const schema = this.description.webhooks?.[payload.type]?.post.requestBody.content?.['application/json']?.schema;
    if (schema === undefined) return `${payload.type} is not described`;
    const faults = this.faultsOf(schema, payload);
    return faults === undefined ? undefined : `${payload.type}: ${faults}`;
  }

  /** How a value violates a schema of the description; undefined if it does not. */
  faultsOf(schema: object, value: unknown): string | undefined {
    const key = (schema as { $ref?: string }).$ref ?? schema;
    const validate = this.validators.get(key) ?? this.ajv.compile(closed(schema) as object);
    this.validators.set(key, validate);
    if (validate(value)) return undefined;
    return this.ajv.errorsText(validate.errors as ErrorObject[], { dataVar: 'answer' });
  }

  /** A literal segment takes precedence over a parameter, as in the router. */
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

  /** Every response must be described under its exact status, refusals as well. */
  private contentOf(path: string, method: string, status: number): { schema?: object; examples?: ErrorExamples } {
    const response = this.description.paths[path]?.[method.toLowerCase()]?.responses?.[status];
    if (response === undefined) {
      throw new Error(`${method} ${path} answers with status ${status}, which is not described`);
    }
    const name = response.$ref?.slice('#/components/responses/'.length);
    const resolved = name === undefined ? response : this.description.components?.responses?.[name];
    return resolved?.content?.['application/json'] ?? {};
  }
}

const componentsId = 'components';

/** Forbids properties that an object's schema does not list, and makes references point to the shared components. */
function closed(schema: unknown): unknown {
  if (typeof schema === 'string' && schema.startsWith('#/components/')) return `${componentsId}${schema}`;
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (copy.properties !== undefined && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}
