import { fieldsOf } from '../openapi/fields.js';
import { timestamp } from './responses.js';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type OnWire<Value> = Value extends Date ? string : Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type OrNull<Value> = Value extends undefined ? null : Value;

/** Whether a value can stand in a field as it is, but for times, which become texts, and undefined, which becomes null. */
type Fits<Value, InResponse> =
  OnWire<Value> extends OnWire<InResponse> ? true : OrNull<OnWire<Value>> extends OnWire<InResponse> ? true : false;

/** The fields of a response that do not follow from `source`, nor from the shape itself. */
type Remaining<Shape, Source> = {
  [
    Name in keyof Shape as Name extends 'object' | 'deleted'
      ? never
      : CamelCase<Name & string> extends keyof Source
        ? Fits<Source[CamelCase<Name & string>], Shape[Name]> extends true
          ? never
          : Name
        : Name
  ]: Shape[Name];
};

type Fields<Shape, Source> =
  object extends Remaining<Shape, Source>
    ? [fields?: Partial<Shape>]
    : [fields: Remaining<Shape, Source> & Partial<Shape>];

/**
 * A response of this shape. A field of which the shape does not say the only value, such as that of `object`, is taken from
 * `fields`, or else from the property of `source` with its name in camel case: `created_at` from `createdAt`. A time has
 * the format of its field, and null stands for undefined in a field that is always there. The compiler asks for the
 * fields that `source` does not have, or has with another type.
 */
export function toResponse<Shape extends object, const Source extends object>(
  shape: new () => Shape,
  source: Source,
  ...[fields]: Fields<Shape, Source>
): Shape {
  const response: Record<string, unknown> = {};
  for (const { name, property, only, isAlways, format } of planOf(shape)) {
    const given = only ?? valueOf(name, property, source, fields);
    const value = given instanceof Date ? format(given) : given;
    if (value !== undefined) response[name] = value;
    else if (isAlways) response[name] = null;
  }
  return response as Shape;
}

function valueOf(name: string, property: string, source: object, fields: object | undefined): unknown {
  if (fields !== undefined && name in fields) return (fields as Record<string, unknown>)[name];
  return (source as Record<string, unknown>)[property];
}

interface Step {
  readonly name: string;
  readonly property: string;
  /** The value that the field has in every response. */
  readonly only: unknown;
  readonly isAlways: boolean;
  readonly format: (moment: Date) => string;
}

const plans = new WeakMap<object, readonly Step[]>();

function planOf(shape: new () => object): readonly Step[] {
  const known = plans.get(shape);
  if (known !== undefined) return known;
  const steps = [...fieldsOf(shape)].map(([name, { options, required }]) => ({
    name,
    property: name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    only: required && options.enum?.length === 1 ? options.enum[0] : undefined,
    isAlways: required,
    format: options.format === 'date-time' ? (moment: Date) => moment.toISOString() : timestamp,
  }));
  const plan = steps.sort((a, b) => Number(b.name === 'object') - Number(a.name === 'object'));
  plans.set(shape, plan);
  return plan;
}
