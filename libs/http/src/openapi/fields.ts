import type { Type } from '@nestjs/common';

/** A JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1), or keywords of one. */
export type Schema = Readonly<Record<string, unknown>>;

type FieldType =
  | string
  | typeof String
  | typeof Boolean
  | typeof Number
  | typeof Object
  | Type
  | readonly [typeof String | Type]
  | readonly string[];

/** Keywords of a field's schema. Default of `type`: a string. */
export interface FieldOptions extends Schema {
  /** A class is another shape. An array of one is a list of these. */
  readonly type?: FieldType;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
}

export interface Field {
  readonly description: string;
  readonly options: FieldOptions;
  readonly required: boolean;
  /** Its value in the examples of the document. Default: `exampleOf` finds one. */
  readonly example: unknown;
}

export interface NamedExample {
  readonly summary: string;
  readonly value: unknown;
}

/** What the document says about the body of a request or a response. The class stands for its TypeScript type. */
export interface ShapeDescription {
  readonly description: string;
  /** Keywords by field, in addition to those of the class that the shape extends. A text is the field's description. */
  readonly fields: Readonly<Record<string, string | Schema>>;
}

const shapes = new WeakMap<object, ShapeDescription>();
const ownFields = new WeakMap<object, Map<string, Field>>();
const examples = new WeakMap<object, Record<string, NamedExample>>();

/** Describes the body of a request or a response. Its name in the document is the name of the class. */
export function Shape(description: string, fields: ShapeDescription['fields'] = {}): ClassDecorator {
  return (type) => void shapes.set(type, { description, fields });
}

/** A body as a client may send it. The tests send each of them. */
export function Example(name: string, summary: string, value: unknown): ClassDecorator {
  // Decorators run from the last to the first.
  return (type) => void examples.set(type, { [name]: { summary, value }, ...examples.get(type) });
}

export const shapeOf = (type: Type): ShapeDescription | undefined => shapes.get(type);

export const examplesOf = (type: Type): Readonly<Record<string, NamedExample>> => examples.get(type) ?? {};

/** The fields of a shape by name, those of the class that it extends first. */
export function fieldsOf(type: Type): ReadonlyMap<string, Field> {
  const parent = Object.getPrototypeOf(type) as Type | null;
  const inherited = parent === null || parent === Function.prototype ? [] : fieldsOf(parent);
  return new Map([...inherited, ...(ownFields.get(type) ?? [])]);
}

function field(description: string, options: FieldOptions, example: unknown, required: boolean): PropertyDecorator {
  return (prototype, name) => {
    const { constructor } = prototype;
    const fields = ownFields.get(constructor) ?? new Map<string, Field>();
    ownFields.set(constructor, fields.set(String(name), { description, options, required, example }));
  };
}

/** A field with its description, its schema and its value in the examples of the document. */
export const Field = (description: string, options: FieldOptions = {}, example?: unknown): PropertyDecorator =>
  field(description, options, example, true);

/** A field that may be absent. In examples it is absent unless it has an example. */
export const OptionalField = (description: string, options: FieldOptions = {}, example?: unknown): PropertyDecorator =>
  field(description, options, example, false);

type Described = (description: string, example?: unknown) => PropertyDecorator;

const fieldOf =
  (options: FieldOptions): Described =>
  (description, example) =>
    Field(description, options, example);

export const Id = fieldOf({ format: 'uuid' });

export const IdOrNull = fieldOf({ format: 'uuid', nullable: true });

export const Text = fieldOf({});

export const TextOrNull = fieldOf({ nullable: true });

export const OptionalText = (description: string, example?: unknown): PropertyDecorator =>
  OptionalField(description, {}, example);

export const Whole = fieldOf({ type: 'integer' });

export const WholeOrNull = fieldOf({ type: 'integer', nullable: true });

export const Amount = fieldOf({ type: 'number' });

export const Flag = fieldOf({ type: Boolean });

export const Texts = fieldOf({ type: [String] });

export const TextsOrNull = fieldOf({ type: [String], nullable: true });

export const OneOf = (values: readonly string[], description: string, example?: unknown): PropertyDecorator =>
  Field(description, { enum: values }, example);

export const OneOfOrNull = (values: readonly string[], description: string, example?: unknown): PropertyDecorator =>
  Field(description, { enum: [...values, null], nullable: true }, example);

/** A field that has the same value in every response, such as `object`. */
export const Always = (
  value: string | true,
  description = `Always ${value === true ? 'true' : `\`${value}\``}.`,
): PropertyDecorator => Field(description, { type: value === true ? Boolean : String, enum: [value] });

/** A time in the format of docs/wire-contract.md section 1.4. */
const moment = {
  pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$`,
  examples: ['2026-11-30 20:39:59.54+00'],
};

export const Moment = fieldOf(moment);

export const MomentOrNull = fieldOf({ ...moment, nullable: true });

/** A time in the format of RFC 3339. */
export const Instant = fieldOf({ format: 'date-time' });

export const InstantOrNull = fieldOf({ format: 'date-time', nullable: true });

/** A list of another shape. */
export const ListOf = (type: Type, description: string, example?: unknown): PropertyDecorator =>
  Field(description, { type: [type] }, example);
