import { automationTypes } from '#events';
import { MissingFieldError, ValidationError } from '#kernel';

/** A custom event of a team. Events need no definition; with a schema, the payloads are checked. */
export interface EventDefinition {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** Null: any payload. */
  readonly schema: EventSchema | null;
  readonly createdAt: Date;
  /** Null until it is changed. */
  readonly updatedAt: Date | null;
}

export const payloadTypes = ['string', 'number', 'boolean', 'date'] as const;
export type PayloadType = (typeof payloadTypes)[number];
export type EventSchema = Readonly<Record<string, PayloadType>>;
export type Payload = Readonly<Record<string, unknown>>;

export const maxEvents = 1_000;
export const maxEventNameLength = 255;
export const maxSchemaFields = 100;
/** As JSON in UTF-8. */
export const maxPayloadBytes = 65_536;
export const maxPayloadDepth = 10;
/** Events of one request. */
export const maxSentEvents = 100;
/** Of all payloads of one request, as JSON in UTF-8. */
export const maxSentBytes = 1_048_576;
const maxKeyLength = 255;

/** What happened to an email of a run: the events of the service that a run can wait for. */
export const emailEvents = automationTypes.map((type) => `resend:${type}` as const);

/** Checks the name of a custom event. Names are case-sensitive. */
export function parseEventName(field: string, name: string | undefined): string {
  if (name === undefined) throw new MissingFieldError(field);
  if (name.length > maxEventNameLength) {
    throw new ValidationError(`The \`${field}\` may have at most ${maxEventNameLength} characters.`);
  }
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw new ValidationError(`The \`${field}\` must not contain control characters.`);
  }
  if (name.startsWith('resend:')) {
    throw new ValidationError(`The \`${field}\` must not begin with \`resend:\`, which names events of the service.`);
  }
  // POST /events/send would name it in a path.
  if (name === 'send') throw new ValidationError(`The \`${field}\` must not be \`send\`.`);
  return name;
}

/** Names of paths below `/events`: an event of this name could not be read by it. */
export function parseDefinedName(field: string, name: string | undefined): string {
  const parsed = parseEventName(field, name);
  if (parsed === 'seen') throw new ValidationError(`The \`${field}\` must not be \`seen\`.`);
  return parsed;
}

/** Null and undefined: any payload. */
export function parseEventSchema(given: unknown): EventSchema | null {
  if (given === undefined || given === null) return null;
  if (!isObject(given)) throw new ValidationError('The `schema` field must be an object.');
  const entries = Object.entries(given);
  if (entries.length > maxSchemaFields) {
    throw new ValidationError(`The \`schema\` may have at most ${maxSchemaFields} fields.`);
  }
  return Object.fromEntries(
    entries.map(([key, type]) => {
      if (key.length > maxKeyLength) {
        throw new ValidationError(`The names in the \`schema\` may have at most ${maxKeyLength} characters.`);
      }
      if (!payloadTypes.some((known) => known === type)) {
        throw new ValidationError(`The type of \`${key}\` in the \`schema\` must be string, number, boolean or date.`);
      }
      return [key, type as PayloadType];
    }),
  );
}

/** Checks size and depth of a payload, and converts its fields to the types of the schema. Other fields stay. */
export function checkedPayload(given: unknown, schema: EventSchema | null): Payload {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw new ValidationError('The `payload` field must be an object.');
  if (isDeeper(given, maxPayloadDepth)) {
    throw new ValidationError(`The \`payload\` may be at most ${maxPayloadDepth} levels deep.`);
  }
  if (Buffer.byteLength(JSON.stringify(given)) > maxPayloadBytes) {
    throw new ValidationError('The `payload` may be at most 64 KB of JSON.');
  }
  if (schema === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const type = Object.hasOwn(schema, key) ? schema[key] : undefined;
      return [key, type === undefined || value === null ? value : coerced(key, type, value)];
    }),
  );
}

/** Throws for a batch of too many events, and for an empty one. */
export function checkEventCount(count: number): void {
  if (count === 0 || count > maxSentEvents) {
    throw new ValidationError(`A batch must have 1 to ${maxSentEvents} events.`);
  }
}

/** Of a payload that is kept to be looked at. */
const maxKeptBytes = 8_192;

/** The first fields of a payload that fit into 8 KB. */
export function trimmedPayload(payload: Payload): Payload {
  let bytes = 2;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(payload)) {
    bytes += Buffer.byteLength(JSON.stringify({ [key]: value }));
    if (bytes > maxKeptBytes) break;
    kept.push([key, value]);
  }
  return Object.fromEntries(kept);
}

function coerced(key: string, type: PayloadType, value: unknown): unknown {
  const result = conversions[type](value);
  if (result === undefined) throw new ValidationError(`The \`${key}\` of the \`payload\` must be a ${type}.`);
  return result;
}

const conversions: Readonly<Record<PayloadType, (value: unknown) => unknown>> = {
  string: (value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined,
  number: (value) => {
    if (typeof value === 'number') return value;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
    return Number.isFinite(number) ? number : undefined;
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value;
    return value === 'true' ? true : value === 'false' ? false : undefined;
  },
  date: (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    if (typeof value === 'string' && !/^\d{4}-\d\d-\d\d/.test(value)) return undefined;
    const moment = new Date(value);
    return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
  },
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether objects and arrays are nested deeper. It looks no deeper itself. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}
