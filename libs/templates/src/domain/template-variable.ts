import { mergeName, newId, ValidationError } from '#kernel';

/** The contract has the first two; the others are taken as well, and rendered as JSON. */
export const variableTypes = ['string', 'number', 'boolean', 'object', 'list'] as const;
export type VariableType = (typeof variableTypes)[number];

export type VariableValue = string | number | boolean | object;

/** A value that a template expects from each send request. */
export interface TemplateVariable {
  readonly id: string;
  readonly key: string;
  readonly type: VariableType;
  /** Used if a send request has no value. Null: it must have one. */
  readonly fallbackValue: VariableValue | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A variable of a request. Nothing but the types of the fields has been checked. */
export interface RequestedVariable {
  readonly key: string;
  readonly type: string;
  readonly fallbackValue?: unknown;
}

export const maxVariables = 50;
export const maxKeyLength = 50;
export const maxValueLength = 2_000;

const keyForm = /^\w{1,50}$/;
/** Names that the service fills in itself. */
const reserved: ReadonlySet<string> = new Set([
  'FIRST_NAME',
  'LAST_NAME',
  'EMAIL',
  'UNSUBSCRIBE_URL',
  'RESEND_UNSUBSCRIBE_URL',
  'contact',
  'this',
]);
const builtIn: ReadonlySet<string> = new Set([...reserved].map(mergeName));

/** Whether a tag may stand in a template without a variable of its name. */
export function isBuiltIn(key: string): boolean {
  return builtIn.has(mergeName(key)) || key.toLowerCase().startsWith('contact.');
}

const contactFields: ReadonlySet<string> = new Set(['first_name', 'last_name', 'email']);
const linkNames: ReadonlySet<string> = new Set(['unsubscribe_url', 'resend_unsubscribe_url']);

/** Whether a tag stands for a field or a property of the recipient's contact. */
export function isOfContact(key: string): boolean {
  const name = mergeName(key);
  return contactFields.has(name) || (key.toLowerCase().startsWith('contact.') && !linkNames.has(name));
}

/** Checks variables. One with the key of a known variable keeps its id. */
export function parseVariables(
  requested: readonly RequestedVariable[],
  known: readonly TemplateVariable[],
  now: Date,
): readonly TemplateVariable[] {
  if (requested.length > maxVariables) {
    throw new ValidationError(`A template may have at most ${maxVariables} variables.`);
  }
  const names = new Set<string>();
  return requested.map((variable) => {
    const { key } = variable;
    if (!keyForm.test(key)) {
      throw new ValidationError(
        `The key of a variable must have 1 to ${maxKeyLength} letters (A-Z, a-z), digits and underscores.`,
      );
    }
    if (reserved.has(key)) throw new ValidationError(`Variable '${key}' is reserved and cannot be defined.`);
    if (names.has(mergeName(key))) {
      throw new ValidationError(`Variable '${key}' is defined twice. Upper and lower case make no difference.`);
    }
    names.add(mergeName(key));
    return parsed(
      variable,
      known.find((one) => one.key === key),
      now,
    );
  });
}

function parsed(
  { key, type, fallbackValue }: RequestedVariable,
  known: TemplateVariable | undefined,
  now: Date,
): TemplateVariable {
  const knownType = variableTypes.find((one) => one === type);
  if (knownType === undefined) {
    throw new ValidationError(
      `The \`type\` of variable '${key}' must be one of ${variableTypes.map((one) => `\`${one}\``).join(', ')}.`,
    );
  }
  const fallback =
    fallbackValue === undefined || fallbackValue === null
      ? null
      : checkedValue(key, knownType, fallbackValue, 'The fallback of variable');
  const isSame = known?.type === knownType && JSON.stringify(known.fallbackValue) === JSON.stringify(fallback);
  return {
    id: known?.id ?? newId(now.getTime()),
    key,
    type: knownType,
    fallbackValue: fallback,
    createdAt: known?.createdAt ?? now,
    updatedAt: isSame ? known.updatedAt : now,
  };
}

/** Refuses a value of another type, or one that is too long. Texts also take numbers and booleans. */
export function checkedValue(key: string, type: VariableType, value: unknown, subject = 'Variable'): VariableValue {
  const refuse = (what: string): never => {
    throw new ValidationError(`${subject} '${key}' must be ${what}.`);
  };
  switch (type) {
    case 'string':
      if (typeof value === 'number' || typeof value === 'boolean') return value;
      if (typeof value !== 'string') return refuse('a string');
      return value.length <= maxValueLength
        ? storable(key, value)
        : refuse(`at most ${maxValueLength} characters long`);
    case 'number': {
      const isNumber = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
      return isNumber ? value : refuse('a number from -(2^53 - 1) to 2^53 - 1');
    }
    case 'boolean':
      return typeof value === 'boolean' ? value : refuse('true or false');
    case 'object':
    case 'list': {
      if (typeof value !== 'object' || value === null || Array.isArray(value) !== (type === 'list')) {
        return refuse(type === 'list' ? 'an array' : 'an object');
      }
      // JSON has escapes for what cannot be stored, so that each text is looked at before it is one.
      const text = JSON.stringify(value, (name, inner: unknown) => {
        storable(key, name);
        return typeof inner === 'string' ? storable(key, inner) : inner;
      });
      return text.length <= maxValueLength ? value : refuse(`at most ${maxValueLength} characters of JSON`);
    }
  }
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
function storable(key: string, text: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text;
  throw new ValidationError(`Variable '${key}' must not contain NUL or half of a surrogate pair.`);
}

export function textOfVariable(value: VariableValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
