/** The part of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, RawResponse>>;
  };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface RawContent {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

interface RawResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, RawContent>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, RawContent>> };
  readonly responses: Readonly<Record<string, RawResponse>>;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly fields: readonly Field[];
}

export interface Example {
  readonly label: string;
  readonly value: unknown;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly fields: readonly Field[]; readonly examples: readonly Example[] } | undefined;
  readonly responses: readonly {
    readonly status: string;
    readonly description: string;
    readonly fields: readonly Field[];
    readonly examples: readonly Example[];
  }[];
}

/** Deeper fields are named and not opened. */
const maxDepth = 3;

/** The operations in the order of the document, with references resolved. */
export function operationsOf(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(document, method, path, raw)),
  );
}

function operationOf(document: ApiDocument, method: string, path: string, raw: RawOperation): Operation {
  const content = firstContent(raw.requestBody?.content);
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    tag: raw.tags?.[0] ?? '',
    summary: raw.summary,
    description: raw.description ?? '',
    parameters: raw.parameters ?? [],
    body:
      content === undefined ? undefined : { fields: fieldsOf(document, content.schema), examples: examplesOf(content) },
    responses: Object.entries(raw.responses).map(([status, response]) => {
      const known = response.$ref === undefined ? response : document.components.responses?.[lastOf(response.$ref)];
      const body = firstContent(known?.content);
      return {
        status,
        description: known?.description ?? '',
        fields: fieldsOf(document, body?.schema),
        examples: body === undefined ? [] : examplesOf(body),
      };
    }),
  };
}

function firstContent(content: Readonly<Record<string, RawContent>> | undefined): RawContent | undefined {
  return content === undefined ? undefined : Object.values(content)[0];
}

function examplesOf({ example, examples }: RawContent): readonly Example[] {
  if (examples !== undefined) {
    return Object.entries(examples).map(([name, { summary, value }]) => ({ label: summary ?? name, value }));
  }
  return example === undefined ? [] : [{ label: '', value: example }];
}

export function fieldsOf(document: ApiDocument, schema: Schema | undefined, depth = 0): readonly Field[] {
  const whole = resolved(document, schema);
  if (whole === undefined || depth === maxDepth) return [];
  if (whole.items !== undefined) return fieldsOf(document, whole.items, depth);
  const object =
    whole.properties === undefined
      ? whole.anyOf?.map((part) => resolved(document, part)).find((part) => part?.properties)
      : whole;
  return Object.entries(object?.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeOf(document, property),
    required: object?.required?.includes(name) ?? false,
    description: property.description ?? resolved(document, property)?.description ?? '',
    fields: fieldsOf(document, property, depth + 1),
  }));
}

export function typeOf(document: ApiDocument, schema: Schema | undefined): string {
  const whole = resolved(document, schema);
  if (whole === undefined) return 'any';
  if (whole.enum !== undefined) return whole.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (whole.items !== undefined) return `${typeOf(document, whole.items)}[]`;
  if (whole.anyOf !== undefined) return whole.anyOf.map((part) => typeOf(document, part)).join(' | ');
  const type = Array.isArray(whole.type) ? whole.type.join(' | ') : ((whole.type as string | undefined) ?? 'any');
  return whole.format === undefined ? type : `${type} (${whole.format})`;
}

function resolved(document: ApiDocument, schema: Schema | undefined): Schema | undefined {
  return schema?.$ref === undefined ? schema : document.components.schemas[lastOf(schema.$ref)];
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** The path with its query, from the values that were entered. Empty ones are left out. */
export function pathWith(
  path: string,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    if (place === 'query' && (values[name] ?? '') !== '') query.set(name, values[name] as string);
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}
