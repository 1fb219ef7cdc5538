import { isUuid, MissingFieldError, ValidationError } from '#kernel';

/** The config of a step as it comes from outside. */
export type StepConfig = Readonly<Record<string, unknown>>;

/** A value, or the name of one: `event.plan`, `contact.first_name`, `wait_events.order.paid.total`. */
export type ValueOrVariable = { readonly value: unknown } | { readonly variable: string };

const maxTextLength = 998;
const maxValues = 100;
/** Where the values of variables come from. */
export const namespaces = ['event.', 'contact.', 'wait_events.', 'webhooks.'] as const;

/** Empty texts count as absent, because some clients send them. */
export function textOf(config: StepConfig, field: string, maxLength = maxTextLength): string | undefined {
  const value = config[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new ValidationError(`The \`${field}\` field must be a string.`);
  if (value.length > maxLength) {
    throw new ValidationError(`The \`${field}\` field may have at most ${maxLength} characters.`);
  }
  return value;
}

export function requiredText(config: StepConfig, field: string, maxLength = maxTextLength): string {
  const text = textOf(config, field, maxLength);
  if (text === undefined) throw new MissingFieldError(field);
  return text;
}

export function uuidOf(config: StepConfig, field: string): string | undefined {
  const id = textOf(config, field)?.toLowerCase();
  if (id !== undefined && !isUuid(id)) throw new ValidationError(`The \`${field}\` must be a valid UUID.`);
  return id;
}

export function requiredUuid(config: StepConfig, field: string): string {
  const id = uuidOf(config, field);
  if (id === undefined) throw new MissingFieldError(field);
  return id;
}

/** A map of values and variables, at most 100. */
export function valuesOf(field: string, given: unknown): ReadonlyMap<string, ValueOrVariable> {
  if (given === undefined || given === null) return new Map();
  if (!isObject(given)) throw new ValidationError(`The \`${field}\` field must be an object.`);
  const entries = Object.entries(given);
  if (entries.length > maxValues) throw new ValidationError(`There may be at most ${maxValues} \`${field}\`.`);
  return new Map(entries.map(([name, value]) => [name, valueOrVariable(name, value)]));
}

export function isVariable(value: unknown): value is { readonly var: unknown } {
  return isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, 'var');
}

export function valueOrVariable(name: string, value: unknown): ValueOrVariable {
  if (!isVariable(value)) return { value };
  const variable = value.var;
  if (typeof variable !== 'string' || !namespaces.some((namespace) => variable.startsWith(namespace))) {
    const names = namespaces.map((namespace) => `\`${namespace}\``).join(', ');
    throw new ValidationError(`The \`var\` of \`${name}\` must begin with one of ${names}.`);
  }
  return { variable };
}

export function isObject(value: unknown): value is StepConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function withoutAbsent<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
