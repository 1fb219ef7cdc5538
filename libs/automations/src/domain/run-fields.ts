import { ValueOrVariable } from './config.js';
import { Payload } from './event-definition.js';

/** Finds the value of `event.…` or `contact.…`. Undefined: there is none. */
export type FieldReader = (field: string) => unknown;

/** The contact of a run, as it is now. Undefined: it was deleted. */
export interface RunContact {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly unsubscribed: boolean;
  readonly properties: Readonly<Record<string, string | number | null>>;
}

/** What a run has seen: payloads of events, and answers to its calls. */
export interface SeenByRun {
  /** The payload of the event that began it. */
  readonly payload: Payload;
  /** Payloads of the events that it has waited for, by name. */
  readonly waitEvents: Readonly<Record<string, Payload>>;
  /** Answers to its calls, by the key of the step. */
  readonly webhooks: Readonly<Record<string, unknown>>;
}

/** Reads what rules and variables of a run name: `event.…`, `contact.…`, `wait_events.<name>.…`, `webhooks.<key>.…`. */
export function fieldsOf(run: SeenByRun, contact: RunContact | undefined): FieldReader {
  return (field) => {
    if (field.startsWith('event.')) return partOf(run.payload, field.slice('event.'.length));
    if (field.startsWith('wait_events.')) return ofNamed(run.waitEvents, field.slice('wait_events.'.length));
    if (field.startsWith('webhooks.')) return ofNamed(run.webhooks, field.slice('webhooks.'.length));
    if (contact === undefined) return undefined;
    return ofContact(contact, field.startsWith('contact.') ? field.slice('contact.'.length) : field);
  };
}

/**
 * A number from 0 to 100 that stays the same for a contact and a step, and is spread evenly over contacts: FNV-1a of
 * both, which is enough to divide people.
 */
export function positionIn(stepKey: string, contactId: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${stepKey} ${contactId}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return (hash / 2 ** 32) * 100;
}

/** Undefined: it resolves to nothing. */
export function resolved(value: ValueOrVariable, read: FieldReader): unknown {
  return 'variable' in value ? (read(value.variable) ?? undefined) : value.value;
}

function ofContact(contact: RunContact, name: string): unknown {
  switch (name) {
    case 'id':
      return contact.id;
    case 'email':
      return contact.email;
    case 'first_name':
      return contact.firstName ?? undefined;
    case 'last_name':
      return contact.lastName ?? undefined;
    case 'unsubscribed':
      return contact.unsubscribed;
    default:
      return (
        own(contact.properties, name.startsWith('properties.') ? name.slice('properties.'.length) : name) ?? undefined
      );
  }
}

/** The names of events and steps may contain dots, so that the longest name that fits is meant. */
function ofNamed(values: Readonly<Record<string, unknown>>, path: string): unknown {
  const [name] = Object.keys(values)
    .filter((each) => path.startsWith(`${each}.`))
    .sort((a, b) => b.length - a.length);
  return name === undefined ? undefined : partOf(values[name], path.slice(name.length + 1));
}

/** A key of the whole path comes first: keys may contain dots. */
function partOf(value: unknown, path: string): unknown {
  const whole = own(value, path);
  if (whole !== undefined) return whole;
  let part: unknown = value;
  for (const key of path.split('.')) part = own(part, key);
  return part;
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
