/**
 * What a step comes to, from what is known: nothing here reads or writes anything. The runs of customers and trials
 * both go by it, so that a trial shows what a run does.
 */
import { holds, ValidationError } from '#kernel';
import { ValueOrVariable } from './config.js';
import { SendEmailAction } from './contact-steps.js';
import { checkedPayload, maxPayloadBytes, Payload } from './event-definition.js';
import { SendEventAction, WebhookAction } from './flow-steps.js';
import { ConnectionType } from './graph.js';
import { dayIn, endOfHours, nextDayIn, nextTimeOfDay, saidIn, zoneOf } from './local-time.js';
import { FieldReader, fieldsOf, positionIn, resolved, RunContact } from './run-fields.js';
import { Run } from './run.js';
import { AutomationSettings } from './settings.js';
import { AutomationStep } from './step.js';

/** What is known when a step is decided on. */
export interface Known {
  readonly run: Pick<Run, 'contactId' | 'payload' | 'waitEvents' | 'webhooks' | 'depth'>;
  /** Undefined: it was deleted. */
  readonly contact: RunContact | undefined;
  readonly settings: AutomationSettings;
  readonly now: Date;
  /** Automated emails that the contact has got on this day. */
  readonly emailsToday: number;
}

export type Decision =
  /** It is done at once. The run goes on along the connection. */
  | {
      readonly kind: 'go';
      readonly status: 'completed' | 'skipped';
      readonly output?: Payload;
      readonly next: ConnectionType;
    }
  /** It waits until a moment, or for an event if that comes before. */
  | { readonly kind: 'wait'; readonly until: Date; readonly event?: string }
  /** The run goes on, and ends as soon as the event happens. */
  | { readonly kind: 'aim'; readonly event: string }
  /** It is decided on again at a moment, because of a limit. */
  | { readonly kind: 'postpone'; readonly until: Date; readonly because: string }
  | { readonly kind: 'do'; readonly effect: Effect };

/** What a step changes outside of its run. */
export type Effect =
  | { readonly type: 'send_email'; readonly email: StepEmail }
  | { readonly type: 'contact_update'; readonly patch: StepPatch }
  | { readonly type: 'contact_delete' }
  | { readonly type: 'add_to_segment' | 'remove_from_segment'; readonly segmentId: string }
  | { readonly type: 'send_event'; readonly name: string; readonly payload: Payload }
  | { readonly type: 'webhook'; readonly url: string; readonly body: Payload | null };

export interface StepEmail {
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject?: string;
  readonly topicId?: string;
  readonly template: { readonly id: string; readonly variables: Readonly<Record<string, unknown>> };
}

export interface StepPatch {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly unsubscribed?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Events that automations send one after the other. The next one is refused, because it is likely to go on for ever. */
export const maxDepth = 10;
const maxNameLength = 255;

/** Throws ValidationError if the values of a step cannot be used: then it fails. */
export function decide({ stored, action }: AutomationStep, known: Known): Decision {
  const { run, contact, settings, now } = known;
  const read = fieldsOf(run, contact);
  switch (action.type) {
    case 'trigger':
      return gone();
    case 'condition':
      return branched(holds(action.rule, read));
    case 'split':
      return branched(positionIn(stored.key, run.contactId) < action.percent);
    case 'delay':
      return { kind: 'wait', until: after(now, action.ms) };
    case 'wait_until': {
      const zone = zoneOf(contact?.properties, action.timeZone, settings.timeZone);
      const until = nextTimeOfDay(now, action.time, zone, action.weekdays);
      return until > now ? { kind: 'wait', until } : gone();
    }
    case 'wait_for_event':
      return { kind: 'wait', until: after(now, action.ms), event: action.eventName };
    case 'goal':
      return { kind: 'aim', event: action.eventName };
    case 'webhook':
      return { kind: 'do', effect: callOf(action, read) };
    default:
      break;
  }
  if (contact === undefined) return skipped('The contact was deleted.');
  switch (action.type) {
    case 'send_email': {
      if (contact.unsubscribed) return skipped('The contact has unsubscribed.');
      return held(known, contact) ?? { kind: 'do', effect: { type: 'send_email', email: emailOf(action, read) } };
    }
    case 'send_event':
      return { kind: 'do', effect: eventOf(action, run.depth, read) };
    case 'contact_update':
      return { kind: 'do', effect: { type: 'contact_update', patch: patchOf(action.fields, read) } };
    case 'contact_delete':
      return { kind: 'do', effect: { type: 'contact_delete' } };
    case 'add_to_segment':
    case 'remove_from_segment':
      return { kind: 'do', effect: { type: action.type, segmentId: action.segmentId } };
  }
}

/** What a step that has waited comes to: its time has come, its event, or the end of its call. */
export function decideAfterWait(
  { stored, action }: AutomationStep,
  { hasEvent, waitEvents, call }: Pick<Run, 'hasEvent' | 'waitEvents' | 'call'>,
): StepEnd {
  if (action.type === 'webhook') return endedCall(stored.key, call);
  if (action.type !== 'wait_for_event') return { status: 'completed', next: 'default' };
  if (!hasEvent) return { status: 'completed', output: { timed_out: true }, next: 'timeout' };
  const output = { event: action.eventName, payload: waitEvents[action.eventName] ?? {} };
  return { status: 'completed', output, next: 'event_received' };
}

/** A step that has failed leads on only along `failed`, if there is such a connection. */
export interface StepEnd {
  readonly status: 'completed' | 'failed';
  readonly output?: Payload;
  readonly error?: string;
  readonly next: ConnectionType;
}

/** The day by which the emails to a contact are counted. */
export function dayOf(contact: Pick<RunContact, 'properties'>, { timeZone }: AutomationSettings, now: Date): string {
  return dayIn(zoneOf(contact.properties, timeZone), now);
}

function endedCall(key: string, call: Run['call']): StepEnd {
  if (call === null) return { status: 'failed', error: `The call of the step \`${key}\` is lost.`, next: 'failed' };
  const { status, attempts, error, answer } = call;
  const output = { status, attempts, answer: answer ?? null };
  if (error === null) return { status: 'completed', output, next: 'default' };
  return { status: 'failed', output, error, next: 'failed' };
}

/** Quiet hours and the limit of a day hold an email back. */
function held({ settings, now, emailsToday }: Known, { properties }: RunContact): Decision | undefined {
  const { quietHours, maxEmailsPerDay, timeZone } = settings;
  if (quietHours === null && maxEmailsPerDay === null) return undefined;
  const zone = zoneOf(properties, timeZone);
  const quietUntil = quietHours === null ? undefined : endOfHours(now, quietHours, zone);
  if (quietUntil !== undefined) {
    return { kind: 'postpone', until: quietUntil, because: `These are quiet hours until ${saidIn(zone, quietUntil)}.` };
  }
  if (maxEmailsPerDay === null || emailsToday < maxEmailsPerDay) return undefined;
  const until = nextDayIn(zone, now);
  const emails = `${emailsToday} automated ${emailsToday === 1 ? 'email' : 'emails'}`;
  return {
    kind: 'postpone',
    until,
    because: `The contact has had ${emails} today, the most that it gets in a day. The next one waits until ${saidIn(zone, until)}.`,
  };
}

function gone(next: ConnectionType = 'default', output?: Payload): Decision {
  return { kind: 'go', status: 'completed', output, next };
}

function branched(result: boolean): Decision {
  return gone(result ? 'condition_met' : 'condition_not_met', { result });
}

function skipped(reason: string): Decision {
  return { kind: 'go', status: 'skipped', output: { reason }, next: 'default' };
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/** A variable that resolves to nothing is absent: the fallback of the template stands in for it. */
function valuesWith(
  values: ReadonlyMap<string, ValueOrVariable>,
  read: FieldReader,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, resolved(value, read)]).filter(([, value]) => value !== undefined),
  ) as Readonly<Record<string, unknown>>;
}

function emailOf(
  { templateId, variables, from, replyTo, subject, topicId }: SendEmailAction,
  read: FieldReader,
): StepEmail {
  return { from, replyTo, subject, topicId, template: { id: templateId, variables: valuesWith(variables, read) } };
}

function eventOf({ eventName, payload }: SendEventAction, depth: number, read: FieldReader): Effect {
  if (depth >= maxDepth) {
    throw new ValidationError(
      `Automations have sent ${maxDepth} events one after the other. This looks like a circle, so that no other is sent.`,
    );
  }
  return { type: 'send_event', name: eventName, payload: checkedPayload(valuesWith(payload, read), null) };
}

function callOf({ url, body }: WebhookAction, read: FieldReader): Effect {
  if (body === null) return { type: 'webhook', url, body: null };
  const values = valuesWith(body, read);
  if (Buffer.byteLength(JSON.stringify(values)) > maxPayloadBytes) {
    throw new ValidationError('The `body` may be at most 64 KB of JSON.');
  }
  return { type: 'webhook', url, body: values };
}

/** A variable that resolves to nothing leaves its field as it is. */
function patchOf(fields: ReadonlyMap<string, ValueOrVariable>, read: FieldReader): StepPatch {
  const patch: { firstName?: string | null; lastName?: string | null; unsubscribed?: boolean } = {};
  const properties: Record<string, unknown> = {};
  for (const [name, value] of fields) {
    const found = resolved(value, read);
    if (found === undefined) continue;
    if (name === 'first_name') patch.firstName = nameOf(name, found);
    else if (name === 'last_name') patch.lastName = nameOf(name, found);
    else if (name === 'unsubscribed') patch.unsubscribed = flagOf(found);
    else properties[name.slice('properties.'.length)] = found;
  }
  return Object.keys(properties).length === 0 ? patch : { ...patch, properties };
}

function nameOf(field: string, value: unknown): string | null {
  if (value === null) return null;
  const name = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  if (name === undefined || name.length > maxNameLength) {
    throw new ValidationError(`The \`${field}\` must be a text of at most ${maxNameLength} characters.`);
  }
  return name;
}

function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new ValidationError('The value for `unsubscribed` must be true or false.');
  return value;
}
