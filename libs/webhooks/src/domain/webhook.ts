import { ValidationError } from '#kernel';
import { WebhookEventType, webhookEventTypes } from './event-types.js';

export type WebhookStatus = 'enabled' | 'disabled';

/** An endpoint of a customer, and what it wants to be told of. */
export interface Webhook {
  readonly id: string;
  readonly teamId: string;
  readonly endpoint: string;
  readonly events: readonly WebhookEventType[];
  readonly status: WebhookStatus;
  /** Why we have disabled it; null where the customer did, or nobody. */
  readonly disabledReason: string | null;
  readonly createdAt: Date;
}

/** What `PATCH` may change. Absent fields stay as they are. */
export interface WebhookChanges {
  readonly endpoint?: string;
  readonly events?: readonly WebhookEventType[];
  readonly status?: WebhookStatus;
}

/** Every event looks at every endpoint of its team. */
export const maxWebhooks = 50;

export class TooManyWebhooksError extends ValidationError {
  constructor() {
    super(`A team can have at most ${maxWebhooks} webhooks. Remove one that is no longer used.`);
  }
}

/** Each type once, in the order given. */
export function parseEvents(events: readonly string[]): readonly WebhookEventType[] {
  if (events.length === 0) throw new ValidationError('The `events` field must have at least 1 item.');
  return parseEventTypes('events', events);
}

export function parseEventTypes(field: string, types: readonly string[]): readonly WebhookEventType[] {
  const known: readonly string[] = webhookEventTypes;
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined) {
    throw new ValidationError(`The \`${field}\` field names an unknown event: \`${unknown.slice(0, 64)}\`.`);
  }
  return [...new Set(types)] as WebhookEventType[];
}
