import { eventTypes } from '#events';
import { WebhookMessage } from './webhook-message.js';

/** The stored fields of an event, from which the same payload is made every time. */
export type StoredEvent = StoredEmailEvent | StoredTeamEvent;

export interface StoredTeamEvent {
  readonly kind: 'team';
  /** The `data`, as JSON text. */
  readonly data: string;
}

export interface StoredEmailEvent {
  readonly kind: 'email';
  readonly emailId: string;
  readonly messageId: string;
  readonly acceptedAt: Date;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Null if it belongs to no broadcast. */
  readonly broadcastId: string | null;
  /** Null if it was not made from a template. */
  readonly templateId: string | null;
  readonly tags: readonly { readonly name: string; readonly value: string }[] | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** Address of the recipient that the event concerns; null if it concerns the whole email. */
  readonly recipient: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The same as in the log of events of the emails lib; null for events that are older than positions. */
  readonly position: string | null;
  /** Bytes of the message. */
  readonly size: number;
  /** Of an opening: the first one of its recipient. */
  readonly isFirst: boolean;
}

/**
 * The body of a call. It depends only on stored fields and has a fixed order of keys, so every attempt and replay sends
 * the same bytes. `sequence` is an addition of Postrider: the number of the event within its email, from 1.
 */
export function payloadOf({ type, createdAt, source }: WebhookMessage, event: StoredEvent): string {
  const head = `{"type":${JSON.stringify(type)},"created_at":${JSON.stringify(createdAt.toISOString())}`;
  if (event.kind === 'team') return `${head},"data":${event.data}}`;
  return `${head},"sequence":${source.seq},"data":${JSON.stringify(emailData(type, event))}}`;
}

function emailData(type: WebhookMessage['type'], event: StoredEmailEvent): Record<string, unknown> {
  const { tags, headers, recipient } = event;
  const addition = eventTypes[type].detail;
  const headerList = Object.entries(headers ?? {}).map(([name, value]) => ({ name, value }));
  return {
    email_id: event.emailId,
    created_at: event.acceptedAt.toISOString(),
    message_id: event.messageId,
    from: event.from,
    to: recipient === null ? event.to : [recipient],
    subject: event.subject,
    // JSON leaves out what is undefined.
    broadcast_id: event.broadcastId ?? undefined,
    template_id: event.templateId ?? undefined,
    tags: tags === null ? undefined : Object.fromEntries(tags.map(({ name, value }) => [name, value])),
    headers: headerList.length === 0 ? undefined : headerList,
    ...(addition === undefined || event.data?.[addition] === undefined ? {} : { [addition]: event.data[addition] }),
  };
}
