import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;color:#18181b}
h2{border-bottom:1px solid #d4d4d8;margin-top:2.5rem}summary{cursor:pointer;padding:.3rem 0;font-family:ui-monospace,monospace}
b{display:inline-block;min-width:4.5rem;color:#1d4ed8}code,td:first-child{font-family:ui-monospace,monospace;font-size:.9em}
table{border-collapse:collapse;margin:.3rem 0 1rem}td{padding:.15rem 1.2rem .15rem 0;vertical-align:top}section{margin-left:1rem}
h4{margin:.6rem 0 .2rem}td small{color:#71717a}`;

/** The description as one page that loads nothing: no scripts, no fonts, no other servers. */
export function docsPage(document: OpenAPIObject): string {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    const group = path.split('/')[1] ?? '';
    const shown = Object.entries(operations as Record<string, Operation>).map(([method, operation]) =>
      operationText(method, path, operation, schemas),
    );
    groups.set(group, [...(groups.get(group) ?? []), ...shown]);
  }
  const sections = [...groups].map(([name, operations]) => `<h2>${escaped(name)}</h2>${operations.join('')}`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Postrider API</title><style>${style}</style></head><body><h1>Postrider API</h1>
<p>Send <code>Authorization: Bearer &lt;API key&gt;</code> with every request. For programs: <a href="/openapi.json">openapi.json</a></p>
${sections.join('\n')}</body></html>`;
}

function operationText(
  method: string,
  path: string,
  operation: Operation,
  schemas: Readonly<Record<string, Schema>>,
): string {
  const parameters = (operation.parameters ?? []).map(
    (parameter) =>
      [parameter.name, `${parameter.in}, ${typeOf(parameter.schema)}`, parameter.required === true] as const,
  );
  const answers = Object.entries(operation.responses ?? {}).map(([status, { content }]) => {
    const rows = fieldsOf(schemaOf(content), schemas);
    return `<h4>Answer ${escaped(status)}</h4>${table(rows)}`;
  });
  const body = schemaOf(operation.requestBody?.content);
  return `<details><summary><b>${method.toUpperCase()}</b> ${escaped(path)}</summary><section>
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${table(parameters)}`}
${body === undefined ? '' : `<h4>Body</h4>${table(fieldsOf(body, schemas))}`}${answers.join('')}</section></details>`;
}

type Row = readonly [name: string, type: string, required: boolean];

function fieldsOf(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>, prefix = ''): Row[] {
  const resolved = schema?.$ref === undefined ? schema : schemas[nameOf(schema.$ref)];
  return Object.entries(resolved?.properties ?? {}).flatMap(([name, field]): Row[] => {
    const row: Row = [`${prefix}${name}`, typeOf(field), resolved?.required?.includes(name) ?? false];
    const inner = field.items ?? field;
    return inner.$ref === undefined || prefix.length > 40
      ? [row]
      : [row, ...fieldsOf(inner, schemas, `${prefix}${name}.`)];
  });
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ([name, type, required]) =>
      `<tr><td>${escaped(name)}</td><td>${escaped(type)} <small>${required ? 'required' : ''}</small></td></tr>`,
  );
  return `<table>${lines.join('')}</table>`;
}

function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'any';
  const orNull = schema.nullable === true ? ' or null' : '';
  if (schema.$ref !== undefined) return 'object' + orNull;
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ') + orNull;
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeOf).join(' or ') + orNull;
  return (schema.type === 'array' ? `list of ${typeOf(schema.items)}` : (schema.type ?? 'any')) + orNull;
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
