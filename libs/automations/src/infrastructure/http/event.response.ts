import { timestamp } from '#http/server';
import { Always, Field, Id, Moment, MomentOrNull, Shape, Text } from '#http/openapi';
import { EventDefinition, EventSchema, payloadTypes } from '../../domain/event-definition.js';
import { eventId } from './example-ids.js';

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
}

@Shape('An event.')
export class EventResponse extends EventSummaryResponse {
  @Always('event') object!: 'event';
}

@Shape('The id of an event.')
export class EventIdResponse {
  @Always('event') object!: 'event';
  @Id('Id of the event.', eventId) id!: string;
}

@Shape('The event that was removed.')
export class RemovedEventResponse extends EventIdResponse {
  @Always(true) deleted!: true;
}

@Shape('The event that was taken.')
export class SentEventResponse {
  @Always('event') object!: 'event';
  @Text('Its name.', 'order.paid') event!: string;
}

export function eventSummary({ id, name, schema, createdAt, updatedAt }: EventDefinition): EventSummaryResponse {
  return {
    id,
    name,
    schema,
    created_at: timestamp(createdAt),
    updated_at: updatedAt === null ? null : timestamp(updatedAt),
  };
}
