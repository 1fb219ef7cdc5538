import { LargeText } from '#kernel';
import type { Type } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';

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

/** What a field may hold. The keywords of a schema are documented, and the bounds below are also checked in a request. */
export interface FieldRules extends FieldOptions {
  readonly optional?: boolean;
  /** Documented as required, but the domain refuses its absence, after the types of all fields have been checked. */
  readonly requiredByDomain?: boolean;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Documented bounds that the domain checks. */
  readonly boundedByDomain?: Schema;
  readonly example?: unknown;
  /** Used in place of the standard message of the type. */
  readonly message?: string;
  /** Used in place of the standard message of the bounds. Default: `message`. */
  readonly boundsMessage?: string;
  /** Code of the refusal if the type is wrong. Default: that of `ValidationError`. */
  readonly code?: string;
  /** A further check, refused with the message of the bounds. */
  readonly allows?: (value: unknown) => boolean;
  /** Decorators of class-validator for further checks. */
  readonly also?: readonly PropertyDecorator[];
}

export interface Field {
  readonly description: string;
  readonly options: FieldOptions;
  readonly required: boolean;
  /** Its value in the examples of the document. Default: `exampleOf` finds one. */
  readonly example: unknown;
  /** Whether a request is decoded without it. */
  readonly mayBeAbsent?: boolean;
  /** Decorators of class-validator, the first check first. A field without them belongs to a response. */
  readonly checks?: readonly PropertyDecorator[];
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

/** The fields in the order in which a request is checked: those that the class adds before those that it inherits. */
export function checkedFieldsOf(type: Type): ReadonlyMap<string, Field> {
  const own = ownFields.get(type);
  const parent = Object.getPrototypeOf(type) as Type;
  if (own === undefined && (parent as unknown) !== Function.prototype) return checkedFieldsOf(parent);
  return new Map([...(own ?? []), ...fieldsOf(type)]);
}

/** The fields of a shape, all of them optional: for the request that changes what another one creates. */
export const PartialOf = <T extends object>(type: Type<T>): Type<Partial<T>> =>
  derived(type, (field) => ({ ...field, required: false, mayBeAbsent: true })) as Type<Partial<T>>;

export const PickOf = <T extends object, Name extends keyof T & string>(
  type: Type<T>,
  ...names: readonly Name[]
): Type<Pick<T, Name>> =>
  derived(type, (field, name) => (names.includes(name as Name) ? field : undefined)) as Type<Pick<T, Name>>;

export const OmitOf = <T extends object, Name extends keyof T & string>(
  type: Type<T>,
  ...names: readonly Name[]
): Type<Omit<T, Name>> =>
  derived(type, (field, name) => (names.includes(name as Name) ? undefined : field)) as Type<Omit<T, Name>>;

/** Derives the classes that a shape extends as well, so that its fields are documented and checked in the same order. */
function derived(type: Type, change: (field: Field, name: string) => Field | undefined): Type {
  const parent = Object.getPrototypeOf(type) as Type;
  const Parent = (parent as unknown) === Function.prototype ? Object : derived(parent, change);
  const Derived = class extends Parent {};
  const fields = [...(ownFields.get(type) ?? [])].map(([name, field]) => [name, change(field, name)] as const);
  ownFields.set(Derived, new Map(fields.filter((entry): entry is [string, Field] => entry[1] !== undefined)));
  return Derived;
}

const declared =
  (field: Field): PropertyDecorator =>
  ({ constructor }, name) => {
    const fields = ownFields.get(constructor) ?? new Map<string, Field>();
    ownFields.set(constructor, fields.set(String(name), field));
  };

/** A field of a response with its description, its schema and its value in the examples of the document. */
export const Field = (description: string, options: FieldOptions = {}, example?: unknown): PropertyDecorator =>
  declared({ description, options, required: true, example });

/** A field that may be absent. In examples it is absent unless it has an example. */
export const OptionalField = (description: string, options: FieldOptions = {}, example?: unknown): PropertyDecorator =>
  declared({ description, options, required: false, example });

type Example = string | number | boolean | null | readonly unknown[];
type Described = (description: string, more?: Example | FieldRules) => PropertyDecorator;
type Checks = (rules: FieldRules) => readonly PropertyDecorator[];

const AllowedBy = (validate: (value: unknown) => boolean, message: { readonly message: string }): PropertyDecorator =>
  ValidateBy({ name: 'allowedBy', validator: { validate } }, message);

/** Members of `FieldRules` that are no keywords of a schema. */
const notDocumented = ['optional', 'requiredByDomain', 'example', 'message', 'boundsMessage', 'code', 'allows', 'also'];

/**
 * A kind of field. Its decorator documents the field, and checks it when a request is decoded. A kind without checks is
 * for responses, and `decodeBody` throws for a request that has one. The second argument is either the rules of the field or its example.
 */
const kind =
  (options: FieldOptions, checks?: Checks): Described =>
  (description, more = {}) => {
    const rules = isExample(more) ? { example: more } : more;
    const { optional = false, requiredByDomain = false, example, allows, also = [] } = rules;
    const further = allows === undefined ? also : [AllowedBy(allows, bounds(rules, 'is invalid.')), ...also];
    return declared({
      description,
      options: { ...options, ...keywordsOf(rules) },
      required: !optional,
      example,
      mayBeAbsent: optional || requiredByDomain,
      checks: checks && [...checks(rules), ...further],
    });
  };

const isExample = (more: Example | FieldRules): more is Example =>
  typeof more !== 'object' || more === null || Array.isArray(more);

function keywordsOf(rules: FieldRules): Schema {
  const entries = Object.entries(rules).filter(([name]) => !notDocumented.includes(name));
  const keywords = entries.flatMap(([name, value]) =>
    name === 'boundedByDomain' ? Object.entries(value as Schema) : [[name, value] as const],
  );
  return Object.fromEntries(keywords);
}

const typeMessage = ({ message, code }: FieldRules, standard: string): { message: string; context?: object } => ({
  message: message ?? `The \`$property\` ${standard}`,
  ...(code === undefined ? {} : { context: { code } }),
});

const bounds = ({ message, boundsMessage = message }: FieldRules, standard: string): { message: string } => ({
  message: boundsMessage ?? `The \`$property\` field ${standard}`,
});

const lengthChecks: Checks = (rules) =>
  rules.maxLength === undefined
    ? []
    : [MaxLength(rules.maxLength, bounds(rules, 'may have at most $constraint1 characters.'))];

const sizeChecks: Checks = (rules) => [
  ...(rules.minItems === undefined ? [] : [ArrayMinSize(rules.minItems, bounds(rules, 'is too short.'))]),
  ...(rules.maxItems === undefined
    ? []
    : [ArrayMaxSize(rules.maxItems, bounds(rules, 'may have at most $constraint1 items.'))]),
];

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof LargeText;

const isTextOrTexts = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

const isTextMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string');

export const Text = kind({}, (rules) => [
  IsString(typeMessage(rules, 'field must be a string.')),
  ...lengthChecks(rules),
]);

export const TextOrNull = kind({ nullable: true });

export const OptionalText = (description: string, example?: Example): PropertyDecorator =>
  Text(description, { optional: true, example });

/** A text that may be large, such as the body of an email. */
export const LongText = kind({}, (rules) => [AllowedBy(isText, typeMessage(rules, 'field must be a string.'))]);

/** One text or several. The domain checks the bounds. */
export const TextOrTexts = (
  description: string,
  { minItems, maxItems, ...rules }: FieldRules = {},
): PropertyDecorator =>
  kind({ oneOf: [{ type: 'string' }, { type: 'array', minItems, maxItems, items: { type: 'string' } }] }, () => [
    AllowedBy(isTextOrTexts, typeMessage(rules, 'field must be a string or an array of strings.')),
  ])(description, rules);

export const Id = kind({ format: 'uuid' }, (rules) => [IsUUID('all', typeMessage(rules, 'must be a valid UUID.'))]);

export const IdOrNull = kind({ format: 'uuid', nullable: true });

export const Whole = kind({ type: 'integer' }, (rules) => [
  IsInt(typeMessage(rules, 'field must be a whole number.')),
  ...(rules.minimum === undefined ? [] : [Min(rules.minimum, bounds(rules, 'must be at least $constraint1.'))]),
  ...(rules.maximum === undefined ? [] : [Max(rules.maximum, bounds(rules, 'may be at most $constraint1.'))]),
]);

export const WholeOrNull = kind({ type: 'integer', nullable: true });

export const Amount = kind({ type: 'number' });

export const Flag = kind({ type: Boolean }, (rules) => [IsBoolean(typeMessage(rules, 'field must be a boolean.'))]);

export const Texts = kind({ type: [String] }, (rules) => [
  IsArray(typeMessage(rules, 'field must be an array of strings.')),
  ...sizeChecks(rules),
  IsString({ ...typeMessage(rules, 'field must be an array of strings.'), each: true }),
]);

export const TextsOrNull = kind({ type: [String], nullable: true });

type DescribedShape = (type: Type, description: string, more?: Example | FieldRules) => PropertyDecorator;
type DescribedChoice = (
  values: readonly string[],
  description: string,
  more?: Example | FieldRules,
) => PropertyDecorator;

export const OneOf: DescribedChoice = (values, description, more) =>
  kind({ enum: values }, (rules) => [
    IsIn(values, typeMessage(rules, `field must be ${values.map((value) => `\`${value}\``).join(' or ')}.`)),
  ])(description, more);

export const OneOfOrNull: DescribedChoice = (values, description, more) =>
  kind({ enum: [...values, null], nullable: true })(description, more);

/** Any JSON. */
export const Anything = kind({}, () => []);

const objectChecks: Checks = (rules) => [IsObject(typeMessage(rules, 'field must be an object.'))];

/** An object with any keys. */
export const AnyObject = kind({ type: 'object', additionalProperties: true }, objectChecks);

/** An object whose properties are in the rules. */
export const PlainObject = kind({ type: 'object' }, objectChecks);

/** An object of another shape. */
export const ObjectOf: DescribedShape = (type, description, more) => kind({ type }, objectChecks)(description, more);

/** An object whose values are texts. */
export const TextMap = (description: string, rules: FieldRules): PropertyDecorator =>
  kind({ type: 'object' }, (all) => [
    ...objectChecks(all),
    AllowedBy(isTextMap, { message: 'The values of the `$property` field must be strings.' }),
  ])(description, { ...rules, additionalProperties: rules.additionalProperties ?? { type: 'string' } });

const listChecks: Checks = (rules) => [IsArray(typeMessage(rules, 'field must be an array.')), ...sizeChecks(rules)];

/** A list whose `items` are in the rules. */
export const List = kind({ type: 'array' }, listChecks);

/** A list of another shape. */
export const ListOf: DescribedShape = (type, description, more) =>
  kind({ type: [type] }, listChecks)(description, more);

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

export const Moment = kind(moment);

export const MomentOrNull = kind({ ...moment, nullable: true });

/** A time in the format of RFC 3339. */
export const Instant = kind({ format: 'date-time' });

export const InstantOrNull = kind({ format: 'date-time', nullable: true });

/** The shape `{ object, id }`, with which a write is answered. */
export function ReferenceTo<Name extends string>(
  object: Name,
  description: string,
  example: string,
): Type<{ object: Name; id: string }> {
  class Reference {
    @Always(object) object!: Name;
    @Id(description, example) id!: string;
  }
  return Reference;
}

/** A shape with `deleted: true` added to it. */
export function Deleted<T extends object>(type: Type<T>): Type<T & { deleted: true }> {
  class DeletedShape extends (type as Type) {
    @Always(true) deleted!: true;
  }
  return DeletedShape as Type<T & { deleted: true }>;
}
