import { escapedHtml } from '#kernel';
import type { Schema } from './fields.js';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly required?: boolean; readonly content?: Content };
  readonly responses?: Readonly<Record<string, Response>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

type Content = Readonly<
  Record<string, { readonly schema?: Schema; readonly example?: unknown; readonly examples?: Readonly<Examples> }>
>;
type Examples = Record<string, { readonly summary?: string; readonly value?: unknown }>;

interface Document {
  readonly info?: { readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

type Components = NonNullable<Document['components']>;

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1rem;color:#18181b}
h2{border-bottom:1px solid #d4d4d8;margin-top:2.5rem}summary{cursor:pointer;padding:.3rem 0}
summary code{font-size:1em}b{display:inline-block;min-width:4.5rem;color:#1d4ed8}code,pre,td:first-child{font-family:ui-monospace,monospace;font-size:.9em}
table{border-collapse:collapse;margin:.3rem 0 1rem}td{padding:.15rem 1.2rem .15rem 0;vertical-align:top}section{margin-left:1rem}
h4{margin:.6rem 0 .2rem}small{color:#71717a}pre{background:#f4f4f5;border-radius:6px;padding:.6rem;overflow:auto;max-height:30rem}
s{color:#71717a}p{margin:.3rem 0}`;

/** The API document as one HTML page that loads nothing: no scripts, no fonts, nothing from other servers. */
export function docsPage(description: Schema): string {
  const document = description as Document;
  const { components = {}, paths = {}, tags = [] } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? '',
      text: operationText(method, path, operation, components),
    })),
  );
  const sections = [...tags, { name: '', description: undefined }].map(({ name, description: text }) => {
    const own = operations.filter(({ tag }) => tag === name);
    return own.length === 0
      ? ''
      : `<h2>${escapedHtml(name)}</h2>${paragraph(text)}${own.map((one) => one.text).join('')}`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Postrider API</title><style>${style}</style></head><body><h1>Postrider API</h1>
${(document.info?.description ?? '').split('\n\n').map(paragraph).join('')}
<p>For programs: <a href="/openapi.json">openapi.json</a></p>
${sections.join('\n')}</body></html>`;
}

function operationText(method: string, path: string, operation: Operation, components: Components): string {
  const { parameters = [], requestBody } = operation;
  const rows = parameters.map(({ name, in: place, schema, required = false, description = '' }): Row => ({
    name,
    type: `${place}, ${typeOf(schema)}`,
    required,
    description,
  }));
  const name = operation.deprecated === true ? `<s>${escapedHtml(path)}</s>` : escapedHtml(path);
  return `<details id="${escapedHtml(operation.operationId ?? '')}"><summary><b>${method.toUpperCase()}</b> <code>${name}</code> ${marked(operation.summary ?? '')}</summary><section>
${paragraph(operation.description)}
${rows.length === 0 ? '' : `<h4>Parameters</h4>${table(rows)}`}
${requestBody === undefined ? '' : bodyText('Body', requestBody.description, requestBody.content, components)}
${Object.entries(operation.responses ?? {})
  .map(([status, response]) => responseText(status, response, components))
  .join('')}</section></details>`;
}

function responseText(status: string, response: Response, components: Components): string {
  const { description, content } =
    response.$ref === undefined ? response : (components.responses?.[nameOf(response.$ref)] ?? {});
  // All refusals have the same body.
  if (!/^2/.test(status)) return `<h4>${escapedHtml(status)}</h4>${paragraph(description)}`;
  return bodyText(status, description, content, components);
}

function bodyText(
  title: string,
  description: string | undefined,
  content: Content | undefined,
  { schemas = {} }: Components,
): string {
  const { schema, example, examples = {} } = content?.['application/json'] ?? {};
  const all = [...(example === undefined ? [] : [{ summary: 'Example', value: example }]), ...Object.values(examples)];
  const shown = all.map(
    ({ summary = '', value }) =>
      `<p><small>${marked(summary)}</small></p><pre>${escapedHtml(JSON.stringify(value, null, 2))}</pre>`,
  );
  const list = schema?.type === 'array' ? (schema.items as Schema) : schema;
  return `<h4>${escapedHtml(title)}</h4>${paragraph(description)}${table(fieldsOf(list, schemas))}${shown.join('')}`;
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

function fieldsOf(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>, prefix = ''): Row[] {
  const resolved = resolve(schema, schemas);
  const required = (resolved?.required ?? []) as readonly string[];
  return Object.entries((resolved?.properties ?? {}) as Readonly<Record<string, Schema>>).flatMap(([name, field]) => {
    const row: Row = {
      name: `${prefix}${name}`,
      type: typeOf(field),
      required: required.includes(name),
      description: typeof field.description === 'string' ? field.description : '',
    };
    const inner = (field.items ?? field) as Schema;
    const isDeep = prefix.length > 40 || resolve(inner, schemas)?.properties === undefined;
    return isDeep ? [row] : [row, ...fieldsOf(inner, schemas, `${prefix}${name}.`)];
  });
}

/** The schema that a reference or a nullable reference points to. Any other schema is returned itself. */
function resolve(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  const [either] = (schema?.anyOf ?? []) as readonly Schema[];
  const reference = schema?.$ref ?? either?.$ref;
  return typeof reference === 'string' ? schemas[nameOf(reference)] : schema;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, type, required, description }) =>
      `<tr><td>${escapedHtml(name)}</td><td>${escapedHtml(type)} <small>${required ? 'required' : ''}</small></td><td>${marked(description)}</td></tr>`,
  );
  return rows.length === 0 ? '' : `<table>${lines.join('')}</table>`;
}

function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'any';
  if (schema.$ref !== undefined) return 'object';
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  const types = [schema.type ?? 'any'].flat() as string[];
  return types.map((type) => (type === 'array' ? `list of ${typeOf(schema.items as Schema)}` : type)).join(' or ');
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function paragraph(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<p>${marked(text)}</p>`;
}

/** Converts a text to HTML. Texts are Markdown, and use only inline code. */
function marked(text: string): string {
  return escapedHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
