interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
}

interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DescribedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
}

/** One operation of the API with a valid or nearly valid body. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: unknown;
}

const ids = [
  '01890000-0000-7000-8000-000000000001',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];
const dates = [
  ...['-271821-04-20', '+275760-09-13', '0000-01-01', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-30'],
  ...[
    '2026-01-01T25:00:00Z',
    '2026-13-01',
    '1e9',
    '4713-01-01 BC',
    'infinity',
    '2026-01-01T00:00:00+99:99',
    'now',
    '-1',
  ],
  ...['in 99999999999 years', 'in 1 hour', '2026-11-30T12:00:00+14:00'],
];
const controls = [
  '\0',
  'a\0b',
  'a\r\nb',
  'a\nX: y',
  '\t',
  '\x1b[0m',
  '\x7f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u202e',
  'a\u0000@b.test',
];
const unicode = [
  '\ud800',
  'a\udc00b',
  '\uffff',
  'ü',
  '😀'.repeat(300),
  'İ',
  'ß@straße.test',
  'a@xn--',
  'A\u0301'.repeat(500),
];
const texts = [
  ...[
    '',
    ' ',
    '.',
    '..',
    '../..',
    '%',
    '%00',
    '%zz',
    'null',
    'true',
    '{}',
    '[]',
    "' OR 1=1 --",
    '\\',
    '"',
    '<script>',
    '${x}',
  ],
  ...[
    'a@b.test',
    '@',
    'a@',
    '@b',
    'a@b',
    `${'a'.repeat(65)}@b.test`,
    'a'.repeat(5_000),
    '-',
    '0',
    '-0',
    '1e999',
    'NaN',
    '99999999999',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'https://',
    'http://[::1',
    'http://a\u0000.test',
    'ftp://a.test',
  ],
];

export const oddText: readonly string[] = [...texts, ...ids, ...dates, ...controls, ...unicode];

export const oddValues: readonly unknown[] = [
  ...oddText,
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    2 ** 53,
    -(2 ** 63),
    [],
    [[]],
    [null],
    {},
    { a: {} },
    [{}],
    ['a', 1],
    ['\0'],
    [['a']],
  ],
  ...[
    { id: '\ud800' },
    { name: 'a\nb', value: '\0' },
    { __proto__: null },
    { length: 5 },
    Array.from({ length: 500 }, () => 'a@b.test'),
  ],
];

export function operationsOf(description: unknown, sender: string): Operation[] {
  const { paths, components } = description as Described;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      body: exampleOf(requestBody?.content['application/json']?.schema, components.schemas, sender),
    })),
  );
}

function exampleOf(
  schema: Schema | undefined,
  all: Readonly<Record<string, Schema>>,
  sender: string,
  name = '',
): unknown {
  if (schema === undefined) return undefined;
  if (schema.$ref !== undefined) return exampleOf(all[schema.$ref.split('/').at(-1) ?? ''], all, sender, name);
  const [first] = schema.oneOf ?? schema.allOf ?? [];
  if (first !== undefined) return exampleOf(first, all, sender, name);
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          // An email does not need these fields, and is invalid with them.
          .filter(([key]) => !['template', 'topic_id', 'path'].includes(key))
          .map(([key, value]) => [key, exampleOf(value, all, sender, key)]),
      );
    case 'array':
      return [exampleOf(schema.items, all, sender, name)];
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return 1;
    default:
      return textFor(name, sender);
  }
}

function textFor(name: string, sender: string): string {
  if (name === 'from') return sender;
  if (name === 'content') return 'QQ==';
  if (name === 'content_type') return 'text/plain';
  if (name === 'scheduled_at') return 'in 1 hour';
  if (name === 'name') return 'odd.test';
  if (/url|endpoint/.test(name)) return 'https://hook.test/x';
  return /^(?:to|cc|bcc|reply_to|email|emails)$/.test(name) ? 'a@good.test' : 'text';
}

/** Number of values tried at each place. Each place continues with the next values, so that together they use all. */
const perPlace = 5;

/** Every operation with odd values at each possible place. */
export function* requestsWithOddValues(operations: readonly Operation[]): Generator<readonly [string, RequestInit]> {
  const texts = rotating(oddText);
  const values = rotating(oddValues);
  for (const { method, path, query, body } of operations) {
    const [id = ''] = ids;
    const fine = path.replace(/\{[^{}]+\}/g, id);
    const json = body === undefined ? undefined : JSON.stringify(body);
    for (const parameter of path.match(/\{[^{}]+\}/g) ?? []) {
      for (const value of texts()) {
        yield [path.replace(parameter, encoded(value)).replace(/\{[^{}]+\}/g, id), { method, body: json }];
      }
    }
    for (const name of [...query, ...(method === 'GET' ? ['limit', 'after', 'before', 'x\0y'] : [])]) {
      for (const value of texts()) yield [`${fine}?${encoded(name)}=${encoded(value)}`, { method }];
    }
    if (json === undefined) continue;
    for (const odd of bodiesWithOddValues(body, values)) yield [fine, { method, body: JSON.stringify(odd) }];
  }
}

function rotating<Value>(all: readonly Value[]): () => Value[] {
  let at = 0;
  return () => Array.from({ length: perPlace }, () => all[at++ % all.length] as Value);
}

function* bodiesWithOddValues(body: unknown, values: () => unknown[]): Generator<unknown> {
  yield* values();
  if (typeof body !== 'object' || body === null) return;
  for (const [key, inner] of Object.entries(body)) {
    const odd = typeof inner === 'object' ? bodiesWithOddValues(inner, values) : values();
    for (const value of odd) yield Array.isArray(body) ? [value] : { ...body, [key]: value };
  }
}

/** Encodes half of a surrogate pair as three bytes, as careless clients do. */
function encoded(text: string): string {
  return Array.from(text, (character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')).join(
    '',
  );
}
