import { DomainError, MissingFieldError, ValidationError } from '#kernel';
import { decodeBody, jsonObject } from '#http/server';
import { Anything, Example, Field, Shape, Text } from '#http/openapi';
import { RefusedEventError, SentEvent } from '../../application/events.use-case.js';
import { isObject } from '../../domain/config.js';
import {
  checkEventCount,
  EventSchema,
  maxEventNameLength,
  maxSchemaFields,
  parseDefinedName,
  parseEventSchema,
  payloadTypes,
} from '../../domain/event-definition.js';

const schemaOptions = {
  type: Object,
  additionalProperties: { type: 'string', enum: [...payloadTypes] },
  maxProperties: maxSchemaFields,
};

@Shape('An event, with the types of its payload.')
@Example('order', 'An order was paid', {
  name: 'order.paid',
  schema: { total: 'number', plan: 'string', paid_at: 'date' },
})
export class CreateEventRequest {
  @Text('Name, unique in your team. Dots are usual: `order.paid`. It must not begin with `resend:`.', {
    requiredByDomain: true,
    boundedByDomain: { minLength: 1, maxLength: maxEventNameLength },
    examples: ['order.paid'],
  })
  name?: string;
  @Anything(
    'Type of each field of the payload. Payloads are converted to it, and refused if that is not possible. Without a ' +
      'schema anything is accepted.',
    { optional: true, ...schemaOptions },
  )
  schema?: unknown;
}

@Shape('Another schema.')
@Example('more', 'One more field', { schema: { total: 'number', currency: 'string' } })
@Example('none', 'Any payload from now on', { schema: null })
export class UpdateEventRequest {
  @Field('Type of each field of the payload; null: any payload.', { ...schemaOptions, nullable: true })
  schema!: unknown;
}

@Shape('An event of a contact, who is named by `contact_id` or by `email`.')
@Example('order', 'An order was paid', { event: 'order.paid', email: 'ada@customer.example', payload: { total: 49 } })
export class SendEventRequest {
  @Text('Name of the event. It need not be defined.', {
    requiredByDomain: true,
    boundedByDomain: { maxLength: maxEventNameLength },
    examples: ['order.paid'],
  })
  event?: string;
  @Text('Id of the contact.', { optional: true, format: 'uuid' }) contact_id?: string;
  @Text('Address of the contact. If it is none yet, it becomes one when an automation begins.', {
    optional: true,
    format: 'email',
  })
  email?: string;
  @Anything('Values for the automations, at most 64 KB of JSON and 10 levels deep.', { optional: true, type: Object })
  payload?: unknown;
}

export function decodeNewEvent(body: unknown): { readonly name: string; readonly schema: EventSchema | null } {
  const { name, schema } = decodeBody(CreateEventRequest, body);
  return { name: parseDefinedName('name', name), schema: parseEventSchema(schema) };
}

/** Null is a value here: it takes the schema away. */
export function decodeSchemaChange(body: unknown): EventSchema | null {
  const { schema } = jsonObject(body);
  if (schema === undefined) throw new MissingFieldError('schema');
  return parseEventSchema(schema);
}

/** Decodes the body of `POST /events/batch`. */
export function decodeSentEvents(body: unknown): readonly SentEvent[] {
  if (!Array.isArray(body)) throw new ValidationError('The request body must be an array of events.');
  checkEventCount(body.length);
  return body.map((event, index) => {
    try {
      if (!isObject(event)) throw new ValidationError('An event must be an object.');
      return decodeSentEvent(event);
    } catch (error) {
      throw error instanceof DomainError ? new RefusedEventError(index, error) : error;
    }
  });
}

export function decodeSentEvent(body: unknown): SentEvent {
  const { event, contact_id: contactId, email, payload } = decodeBody(SendEventRequest, body);
  return { event, contactId, email, payload };
}
