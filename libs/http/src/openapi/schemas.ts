import type { Type } from '@nestjs/common';
import { Field, fieldsOf, FieldOptions, Schema, shapeOf } from './fields.js';

const references = '#/components/schemas/';

/** The schemas that a document refers to, by name. Derived from the fields of the shapes. */
export class Schemas {
  private readonly byName = new Map<string, Schema>();

  /** Sorted by name. */
  all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  add(name: string, schema: Schema): Schema {
    this.byName.set(name, schema);
    return { $ref: `${references}${name}` };
  }

  referenceTo(type: Type): Schema {
    const reference = { $ref: `${references}${type.name}` };
    if (this.byName.has(type.name)) return reference;
    // Before its fields are read: one of them may be of the same shape.
    this.byName.set(type.name, {});
    return this.add(type.name, this.schemaOf(type));
  }

  /** A list of `type` has a schema of its own, so that generated clients have a type for it. */
  referenceToListOf(type: Type, more: Readonly<Record<string, Schema>> = {}): Schema {
    return this.add(`${type.name.replace(/Response$/, '')}ListResponse`, {
      type: 'object',
      description: 'A list, newest first unless the operation says otherwise.',
      required: ['object', 'has_more', 'data'],
      properties: {
        object: { type: 'string', enum: ['list'], description: 'Always `list`.' },
        has_more: { type: 'boolean', description: 'Whether there are more items in the direction of the request.' },
        data: { type: 'array', items: this.referenceTo(type), description: 'The items.' },
        ...more,
      },
    });
  }

  /** The schema of a shape itself. It refers to the shapes inside of it. */
  schemaOf(type: Type): Schema {
    const { description, fields: changes = {} } = shapeOf(type) ?? {};
    const fields = [...fieldsOf(type)];
    const required = fields.filter(([, field]) => field.required).map(([name]) => name);
    const properties = fields.map(([name, field]) => {
      const change = changes[name];
      const keywords = typeof change === 'string' ? { description: change } : change;
      return [name, { ...this.schemaOfField(field), ...keywords }] as const;
    });
    return {
      type: 'object',
      description,
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(properties),
    };
  }

  private schemaOfField({ description, options }: Field): Schema {
    const { type = String, nullable = false, ...keywords } = options;
    const schema = this.typed(type, keywords);
    return { ...(nullable ? orNull(schema) : schema), description };
  }

  private typed(type: NonNullable<FieldOptions['type']>, keywords: Schema): Schema {
    if (keywords.oneOf !== undefined) return keywords;
    if (Array.isArray(type) && typeof type[0] !== 'string') {
      const { enum: values, ...ofList } = keywords;
      const item = type[0] as typeof String | Type;
      return { type: 'array', items: this.typed(item, values === undefined ? {} : { enum: values }), ...ofList };
    }
    if (typeof type === 'string' || Array.isArray(type)) return { type, ...keywords };
    if (isNative(type)) return { type: type.name.toLowerCase(), ...keywords };
    return { ...this.referenceTo(type as Type), ...keywords };
  }
}

const natives: readonly unknown[] = [String, Boolean, Number, Object];

const isNative = (type: unknown): type is typeof String => natives.includes(type);

function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  if (!Array.isArray(values) || values.includes(null)) return { ...schema, type: [type, 'null'] };
  return { ...schema, type: [type, 'null'], enum: [...(values as unknown[]), null] };
}

/** A body of this shape, made of the examples of its fields. */
export function exampleOf(type: Type): Readonly<Record<string, unknown>> {
  const values = [...fieldsOf(type)].map(([name, field]) => [name, exampleOfField(field)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function exampleOfField({ example, required, options }: Field): unknown {
  if (example !== undefined || !required) return example;
  const { type, nullable, enum: values = [], examples = [] } = options;
  if (values.length === 1) return values[0];
  if (Array.isArray(type) && typeof type[0] === 'function' && type[0] !== String) return [exampleOf(type[0] as Type)];
  if (typeof type === 'function' && !isNative(type)) return exampleOf(type as Type);
  return nullable === true ? null : (examples as readonly unknown[])[0];
}
