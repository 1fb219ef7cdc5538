import { timestamp, toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Id,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  Whole,
} from '#http/openapi';
import type { EventInsight, EventWithListeners } from '../../application/events.use-case.js';
import type { EventListener, LastPayload, SeenEvent } from '../../application/ports/seen-event-repository.port.js';
import { automationStatuses } from '../../domain/automation.js';
import type { AutomationStatus } from '../../domain/automation.js';
import { EventDefinition, EventSchema, payloadTypes } from '../../domain/event-definition.js';
import { automationId, eventId } from './example-ids.js';

const listeningTypes = ['trigger', 'wait_for_event', 'goal'];

@Shape('A step that begins with an event, or waits for it.')
class EventListenerResponse {
  @Id('Id of the automation.', automationId) automation_id!: string;
  @Text('Name of the automation.', 'Welcome') name!: string;
  @OneOf(automationStatuses, 'Status of the automation.', 'enabled') status!: AutomationStatus;
  @Text('Name of the step.', 'signed up') step_key!: string;
  @OneOf(listeningTypes, 'Type of the step.', 'trigger') step_type!: string;
}

@Shape('A payload that was sent.')
class LastPayloadResponse {
  @Field('The payload; of a large one its first fields.', { type: Object }, { total: 49 }) payload!: object;
  @Moment('When it was sent.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('An event.')
export class EventSummaryResponse {
  @Id('Id of the event.', eventId) id!: string;
  @Text('Name.', 'order.paid') name!: string;
  @Field(
    'Type of each field of the payload; null: any payload.',
    { type: Object, nullable: true, additionalProperties: { type: 'string', enum: [...payloadTypes] } },
    { total: 'number' },
  )
  schema!: EventSchema | null;
  @Moment('When it was created.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @MomentOrNull('When its schema was changed last; null if it never was.') updated_at!: string | null;
  @ListOf(EventListenerResponse, 'Steps of automations that listen to it, at most 20 in a list.')
  listeners!: readonly EventListenerResponse[];
}

@Shape('An event.')
export class EventResponse extends EventSummaryResponse {
  @Always('event') object!: 'event';
  @ListOf(LastPayloadResponse, 'The last ten payloads, newest first.') last_payloads!: readonly LastPayloadResponse[];
}

@Shape('A name under which events are sent, and that is not defined.')
export class SeenEventSummaryResponse {
  @Id('Id of the name.', eventId) id!: string;
  @Text('Name.', 'order.paid') name!: string;
  @Whole('Events that were seen.', 1_200) count!: number;
  @Moment('When the last one was sent.', '2026-11-30 20:41:12.3+00') last_seen_at!: string;
}

@Shape('A name under which events are sent.')
export class SeenEventResponse extends SeenEventSummaryResponse {
  @Always('seen_event') object!: 'seen_event';
  @ListOf(EventListenerResponse, 'Steps of automations that listen to it.')
  listeners!: readonly EventListenerResponse[];
  @ListOf(LastPayloadResponse, 'The last ten payloads, newest first.') last_payloads!: readonly LastPayloadResponse[];
}

@Shape('The id of an event.')
export class EventIdResponse extends ReferenceTo('event', 'Id of the event.', eventId) {}

@Shape('The event that was removed.')
export class RemovedEventResponse extends Deleted(EventIdResponse) {}

@Shape('The event that was taken.')
export class SentEventResponse {
  @Always('event') object!: 'event';
  @Text('Its name.', 'order.paid') event!: string;
}

@Shape('The events that were taken.')
export class SentEventsResponse {
  @ListOf(SentEventResponse, 'The events, in the order of the request.') data!: readonly SentEventResponse[];
}

export const eventSummary = (event: EventWithListeners): EventSummaryResponse =>
  toResponse(EventSummaryResponse, event, { listeners: event.listeners.map(shownListener) });

export function eventResponse(event: EventDefinition, { listeners, lastPayloads }: EventInsight): EventResponse {
  return {
    object: 'event',
    ...eventSummary({ ...event, listeners }),
    last_payloads: lastPayloads.map(shownPayload),
  };
}

export const seenSummary = (event: SeenEvent): SeenEventSummaryResponse => toResponse(SeenEventSummaryResponse, event);

export function seenResponse(event: SeenEvent & EventInsight): SeenEventResponse {
  return {
    object: 'seen_event',
    ...seenSummary(event),
    listeners: event.listeners.map(shownListener),
    last_payloads: event.lastPayloads.map(shownPayload),
  };
}

function shownListener({ automationId: id, name, status, stepKey, stepType }: EventListener): EventListenerResponse {
  return { automation_id: id, name, status, step_key: stepKey, step_type: stepType };
}

function shownPayload({ payload, createdAt }: LastPayload): LastPayloadResponse {
  return { payload, created_at: timestamp(createdAt) };
}
