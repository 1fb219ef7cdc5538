import { WebhookEventType, webhookEventTypes } from '#events';
import { ValidationError } from '#kernel';

export type WebhookStatus = 'enabled' | 'disabled';

/** The format of calls that are described in docs/wire-contract.md section 22. */
export const ownFormat = 'postrider';

/** An endpoint of a customer, and the types of events that it receives. */
export interface Webhook {
  readonly id: string;
  readonly teamId: string;
  readonly endpoint: string;
  readonly events: readonly WebhookEventType[];
  readonly status: WebhookStatus;
  /** Why the service disabled it; null if the customer disabled it, or if it is enabled. */
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  /** The shape of its calls: `ownFormat`, or the name of another provider. */
  readonly format: string;
  /** Events of emails of other domains are not sent; null: of all domains. */
  readonly domainId: string | null;
  /** What only its format understands, as text. It may have secrets. */
  readonly settings: string | null;
}

/** The fields that `PATCH` may change. Absent fields stay as they are. */
export interface WebhookChanges {
  readonly endpoint?: string;
  readonly events?: readonly WebhookEventType[];
  readonly status?: WebhookStatus;
  readonly settings?: string;
}

/** Bounded because each event is matched with every endpoint of its team. */
export const maxWebhooks = 50;

export class TooManyWebhooksError extends ValidationError {
  constructor() {
    super(`A team can have at most ${maxWebhooks} webhooks. Remove one that is no longer used.`);
  }
}

/** Removes duplicates and keeps the order. */
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
