/**
 * Converts a schema of OpenAPI 3.0, which @nestjs/swagger writes, to OpenAPI 3.1. Schemas of 3.1 are JSON Schema 2020-12: so
 * `nullable` becomes a type, a boolean `exclusiveMinimum` becomes the number of `minimum`, and `example` becomes `examples`.
 * Source: the OpenAPI Initiative's migration guide from 3.0 to 3.1.
 */
export function schemaOf31(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaOf31);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, example, ...rest } = schema as Record<string, unknown>;
  const converted: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest)) converted[keyword] = keywordOf31(keyword, value);
  takeOver(converted, 'exclusiveMinimum', 'minimum');
  takeOver(converted, 'exclusiveMaximum', 'maximum');
  if (example !== undefined) converted.examples = [example];
  return nullable === true ? orNull(converted) : converted;
}

function keywordOf31(keyword: string, value: unknown): unknown {
  switch (keyword) {
    // These contain values and no schemas.
    case 'enum':
    case 'default':
    case 'required':
      return value;
    // These contain schemas by name. A field may be named `nullable` or `example`.
    case 'properties':
    case 'patternProperties':
      return Object.fromEntries(Object.entries(value as object).map(([name, field]) => [name, schemaOf31(field)]));
    default:
      return schemaOf31(value);
  }
}

function takeOver(schema: Record<string, unknown>, flag: string, bound: string): void {
  if (typeof schema[flag] !== 'boolean') return;
  if (schema[flag] && schema[bound] !== undefined) {
    schema[flag] = schema[bound];
    delete schema[bound];
  } else {
    delete schema[flag];
  }
}

function orNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, enum: values, allOf, ...rest } = schema;
  // In 3.0 a reference could not have other keywords beside it, so it is inside an `allOf`, sometimes with its type.
  const [only, ...more] = Array.isArray(allOf) ? (allOf as unknown[]) : [];
  if (only !== undefined && more.length === 0) return { ...rest, anyOf: [only, { type: 'null' }] };
  if (typeof type === 'string') {
    const orNull = Array.isArray(values) && !values.includes(null) ? [...(values as unknown[]), null] : values;
    return { ...schema, type: [type, 'null'], ...(orNull === undefined ? {} : { enum: orNull }) };
  }
  const { description, ...alone } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [alone, { type: 'null' }] };
}
