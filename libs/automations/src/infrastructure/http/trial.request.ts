import { addressField, existingMoment, isUuid, MissingFieldError, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Anything, Example, Field, ListOf, OptionalField, Shape, Text } from '#http/openapi';
import { MadeUpContact, RequestedTrial } from '../../application/try-automation.use-case.js';
import { isObject, StepConfig, textOf } from '../../domain/config.js';
import { parseDuration } from '../../domain/duration.js';
import {
  checkedPayload,
  emailEvents,
  isDeeper,
  maxPayloadBytes,
  parseEventName,
} from '../../domain/event-definition.js';
import { Graph, maxSteps } from '../../domain/graph.js';
import { maxEntryAfterMs, parseSettings } from '../../domain/settings.js';
import { maxTrialEvents } from '../../domain/trial.js';
import { AutomationConnectionRequest, AutomationSettingsRequest, AutomationStepRequest } from './automation.request.js';
import { contactId } from './example-ids.js';

/** To whom a trial is addressed if nobody is named: an address that takes all mail. */
const somebody = 'delivered@resend.dev';
const maxDepth = 10;

@Shape('Somebody who need not be a contact.')
export class TrialContactRequest {
  @OptionalField('Address.', { format: 'email' }) email?: string;
  @OptionalField('First name.', { nullable: true }) first_name?: string | null;
  @OptionalField('Last name.', { nullable: true }) last_name?: string | null;
  @OptionalField('Whether it has unsubscribed.', { type: Boolean, default: false }) unsubscribed?: boolean;
  @OptionalField('Values of properties that your team has.', { type: Object }) properties?: object;
}

@Shape('Something that happens to the contact during the trial.')
export class TrialEventRequest {
  @OptionalField('How long after the beginning. Absent: at the beginning.', { examples: ['2 days'] }) after?: string;
  @Field('A custom event, or one of an email, such as `resend:email.opened`.') event_name!: string;
  @OptionalField('Its payload.', { type: Object }) payload?: object;
}

@Shape('Steps, and the contact with whom they are tried: `contact_id`, `email` or `contact`, or somebody made up.')
@Example('welcome', 'A pause, and an order during it', {
  steps: [
    { key: 'signed up', type: 'trigger', config: { event_name: 'user.created' } },
    { key: 'ordered', type: 'wait_for_event', config: { event_name: 'order.paid', timeout: '3 days' } },
    { key: 'remember', type: 'contact_update', config: { first_name: { var: 'event.name' } } },
  ],
  connections: [
    { from: 'signed up', to: 'ordered' },
    { from: 'ordered', to: 'remember', type: 'event_received' },
  ],
  contact: { email: 'ada@customer.example', first_name: 'Ada' },
  payload: { name: 'Ada' },
  events: [{ after: '2 days', event_name: 'order.paid', payload: { total: 49 } }],
})
export class TryAutomationRequest {
  @ListOf(AutomationStepRequest, 'All steps.', {
    requiredByDomain: true,
    boundedByDomain: { minItems: 1, maxItems: maxSteps },
  })
  steps?: readonly unknown[];
  @ListOf(AutomationConnectionRequest, 'All connections.', {
    requiredByDomain: true,
    boundedByDomain: { maxItems: 2 * maxSteps },
  })
  connections?: readonly unknown[];
  @Anything('Settings that are tried, too. Who may enter is not.', {
    optional: true,
    type: AutomationSettingsRequest,
    nullable: true,
  })
  settings?: unknown;
  @Text('Id of a contact.', { optional: true, format: 'uuid', example: contactId }) contact_id?: string;
  @Text('Address of somebody, who may be a contact.', { optional: true, format: 'email' }) email?: string;
  @Anything('Somebody made up.', { optional: true, type: TrialContactRequest }) contact?: unknown;
  @Anything('Payload of the event that begins it.', { optional: true, type: Object }) payload?: unknown;
  @Text('Key of the trigger that begins it. Absent: the first one.', { optional: true }) trigger?: string;
  @ListOf(TrialEventRequest, 'What happens to the contact during the trial.', {
    optional: true,
    boundedByDomain: { maxItems: maxTrialEvents },
  })
  events?: readonly unknown[];
  @Anything('What calls are answered with, by the key of the step. Nobody is called.', { optional: true, type: Object })
  answers?: unknown;
  @Text('When it begins. Absent: now.', { optional: true, format: 'date-time' }) start_at?: string;
}

export function decodeTrial(body: unknown): RequestedTrial {
  const request = decodeBody(TryAutomationRequest, body);
  if (request.steps === undefined) throw new MissingFieldError('steps');
  if (request.connections === undefined) throw new MissingFieldError('connections');
  const graph = Graph.parse(request.steps, request.connections);
  const trigger = request.trigger ?? graph.triggers[0]?.key ?? '';
  if (!graph.triggers.some(({ key }) => key === trigger)) {
    throw new ValidationError(`The \`trigger\` names no trigger: \`${trigger.slice(0, 255)}\`.`);
  }
  return {
    graph,
    trigger,
    settings: parseSettings(request.settings),
    contact: contactOf(request),
    payload: checkedPayload(request.payload, null),
    events: eventsOf(request.events ?? []),
    answers: answersOf(request.answers),
    startAt: request.start_at === undefined ? undefined : momentOf(request.start_at),
  };
}

function contactOf({ contact_id: id, email, contact }: TryAutomationRequest): RequestedTrial['contact'] {
  if ([id, email, contact].filter((given) => given !== undefined).length > 1) {
    throw new ValidationError('Give at most one of `contact_id`, `email` and `contact`.');
  }
  if (id !== undefined) {
    if (!isUuid(id)) throw new ValidationError('The `contact_id` must be a valid UUID.');
    return { id: id.toLowerCase() };
  }
  if (email !== undefined) return { email: addressField('email', email) };
  return madeUp(contact ?? {});
}

function madeUp(given: unknown): MadeUpContact {
  if (!isObject(given)) throw new ValidationError('The `contact` field must be an object.');
  const { properties = {}, unsubscribed = false } = given;
  if (!isObject(properties)) throw new ValidationError('The `contact.properties` must be an object.');
  if (typeof unsubscribed !== 'boolean') throw new ValidationError('The `contact.unsubscribed` must be a boolean.');
  const email = textOf(given, 'email');
  return {
    email: email === undefined ? somebody : addressField('contact.email', email),
    firstName: textOf(given, 'first_name') ?? null,
    lastName: textOf(given, 'last_name') ?? null,
    unsubscribed,
    properties,
  };
}

function eventsOf(given: readonly unknown[]): RequestedTrial['events'] {
  if (given.length > maxTrialEvents) throw new ValidationError(`There may be at most ${maxTrialEvents} \`events\`.`);
  return given.map((event) => {
    if (!isObject(event)) throw new ValidationError('Each of the `events` must be an object.');
    const name = textOf(event, 'event_name');
    const after = textOf(event, 'after');
    return {
      afterMs: after === undefined ? 0 : parseDuration('The `after` of an event', after, maxEntryAfterMs),
      name: emailEvents.find((known) => known === name) ?? parseEventName('event_name', name),
      payload: checkedPayload(event.payload, null),
    };
  });
}

function answersOf(given: unknown): StepConfig {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw new ValidationError('The `answers` field must be an object.');
  if (isDeeper(given, maxDepth)) throw new ValidationError(`The \`answers\` may be at most ${maxDepth} levels deep.`);
  if (Buffer.byteLength(JSON.stringify(given)) > maxPayloadBytes) {
    throw new ValidationError('The `answers` may be at most 64 KB of JSON.');
  }
  return given;
}

function momentOf(text: string): Date {
  const moment = text.length > 64 ? undefined : existingMoment(text);
  if (moment !== undefined && moment.getUTCFullYear() >= 1970 && moment.getUTCFullYear() < 9_000) return moment;
  throw new ValidationError('The `start_at` must be a time in ISO 8601.');
}
