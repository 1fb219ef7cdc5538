import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { openApiFile } from '../../scripts/generate/write-openapi.js';

interface Schema {
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface TypedClient {
  readonly client: string;
  readonly version: string;
  /** By schema and field: the values that the client knows. */
  readonly enums: Readonly<Record<string, readonly unknown[]>>;
  /** By schema and field: other values that it gets all the same, and why. */
  readonly exceptions: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const { clients } = JSON.parse(await readFile('test/corpus/client-enums.json', 'utf8')) as {
  clients: readonly TypedClient[];
};
const { components } = JSON.parse(await readFile(openApiFile, 'utf8')) as {
  components: { schemas: Readonly<Record<string, Schema>> };
};

/** All values that the description has for the field; null is read by all clients. */
function valuesOf(field: string): readonly unknown[] {
  const [, name = '', property = ''] = /^(.*)\.(\w+)$/.exec(field) ?? [];
  const { schemas } = components;
  const schema = schemas[name] ?? schemas.DomainUpdatedPayload?.properties?.data;
  const values = schema?.properties?.[property]?.enum;
  if (values === undefined) throw new Error(`${field} has no enum in the description`);
  return values.filter((value) => value !== null);
}

describe.each(clients)('$client $version', ({ enums, exceptions }) => {
  it.each(Object.keys(enums))('knows every value of %s', (field) => {
    const unknown = valuesOf(field).filter((value) => enums[field]?.includes(value) === false);
    expect(unknown).toEqual(Object.keys(exceptions[field] ?? {}));
  });
});
