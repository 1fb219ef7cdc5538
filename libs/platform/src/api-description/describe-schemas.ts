import type { ApiDescription, Schema, SchemaDescription } from './api-description.js';
import { schemaOf31 } from './open-api-31.js';

const references = '#/components/schemas/';

/** Gives a list its own named schema, so that generated clients have a type for it. Adds it to `schemas`. */
export function referenceTo(schema: Schema, schemas: Map<string, Schema>): Schema {
  const properties = schema.properties as Readonly<Record<string, Schema>> | undefined;
  const item = (properties?.data?.items as { $ref?: string } | undefined)?.$ref;
  if (properties?.has_more === undefined || item === undefined) return schema;
  const name = `${item.slice(references.length).replace(/Response$/, '')}ListResponse`;
  schemas.set(name, {
    ...schema,
    description: 'A list, newest first unless the operation says otherwise.',
    properties: {
      ...properties,
      object: { ...properties.object, description: 'Always `list`.' },
      has_more: {
        ...properties.has_more,
        description: 'Whether there are more items in the direction of the request.',
      },
      data: { ...properties.data, description: 'The items.' },
    },
  });
  return { $ref: `${references}${name}` };
}

/** All schemas, sorted by name: the generated ones and the lists with their descriptions, and used ones from the descriptions only. */
export function describedSchemas(
  generated: Readonly<Record<string, unknown>>,
  lists: ReadonlyMap<string, Schema>,
  files: readonly ApiDescription[],
): Schema {
  const descriptions = new Map(files.flatMap(({ schemas }) => Object.entries(schemas ?? {})));
  const all = new Map<string, Schema>(lists);
  for (const [name, schema] of Object.entries(generated)) {
    const description = descriptions.get(name);
    const converted = schemaOf31(schema) as Schema;
    all.set(name, description === undefined ? converted : described(converted, description));
    descriptions.delete(name);
  }
  for (const [name, schema] of usedBy(all, descriptions)) all.set(name, schema);
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function described(schema: Schema, { properties: texts = {}, ...keywords }: SchemaDescription): Schema {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  return {
    ...schema,
    ...keywords,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => {
        const text = texts[name];
        return [name, { ...field, ...(typeof text === 'string' ? { description: text } : text) }];
      }),
    ),
  };
}

/** Schemas that only the descriptions have, where another schema refers to them. */
function usedBy(
  schemas: ReadonlyMap<string, Schema>,
  descriptions: ReadonlyMap<string, SchemaDescription>,
): ReadonlyMap<string, Schema> {
  const used = new Map<string, Schema>();
  let text = JSON.stringify([...schemas.values()]);
  for (let found = true; found;) {
    found = false;
    for (const [name, schema] of descriptions) {
      if (used.has(name) || !text.includes(`"${references}${name}"`)) continue;
      used.set(name, schema);
      text += JSON.stringify(schema);
      found = true;
    }
  }
  return used;
}
