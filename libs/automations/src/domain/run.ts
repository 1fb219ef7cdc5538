import { Payload } from './event-definition.js';
import { FieldReader } from './rule.js';
import { StepType, ValueOrVariable } from './step.js';

export const runStatuses = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runStepStatuses = ['pending', 'running', 'waiting', 'completed', 'failed', 'skipped'] as const;
export type RunStepStatus = (typeof runStepStatuses)[number];

/** One way of one contact through an automation. */
export interface Run {
  readonly id: string;
  readonly teamId: string;
  readonly automationId: string;
  readonly version: number;
  readonly triggerKey: string;
  readonly contactId: string;
  readonly status: RunStatus;
  /** The payload of the event that began it. */
  readonly payload: Payload;
  /** Payloads of the events that it has waited for, by name. */
  readonly waitEvents: Readonly<Record<string, Payload>>;
  /** The step that comes next, or that waits. Null: the run has ended. */
  readonly stepKey: string | null;
  /** Whether the step has begun, and waits until its time or for an event. */
  readonly isWaiting: boolean;
  /** Whether the event that a step has waited for has come. */
  readonly hasEvent: boolean;
  /** How often something unexpected kept the next step from being done. */
  readonly troubles: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

export interface RunSummary {
  readonly id: string;
  /** Address of the contact when the run began. */
  readonly contactEmail: string;
  readonly status: RunStatus;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** What became of a step of a run. */
export interface RunStep {
  readonly key: string;
  readonly type: StepType;
  readonly status: RunStepStatus;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  /** Null for a step that has not begun. */
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** The contact of a run, as it is now. Undefined: it was deleted. */
export interface RunContact {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly unsubscribed: boolean;
  readonly properties: Readonly<Record<string, string | number | null>>;
}

/** Reads what rules and variables of a run name: `event.…`, `contact.…`, `wait_events.<name>.…`. */
export function fieldsOf(run: Pick<Run, 'payload' | 'waitEvents'>, contact: RunContact | undefined): FieldReader {
  return (field) => {
    if (field.startsWith('event.')) return partOf(run.payload, field.slice('event.'.length));
    if (field.startsWith('wait_events.')) return waitedFor(run.waitEvents, field.slice('wait_events.'.length));
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

/** The names of events may contain dots, so that the longest name that fits is meant. */
function waitedFor(events: Readonly<Record<string, Payload>>, path: string): unknown {
  const [name] = Object.keys(events)
    .filter((each) => path.startsWith(`${each}.`))
    .sort((a, b) => b.length - a.length);
  return name === undefined ? undefined : partOf(events[name], path.slice(name.length + 1));
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
