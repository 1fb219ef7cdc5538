import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEventType } from '#events';
import type { SecretBox } from '#platform/secrets';
import type { WebhookFormat } from '#webhooks';
import { providerEvent, ToldSuppression, typesNamed } from '../event-names.js';
import { MailgunEvent, mailgunEvent } from './mailgun-event.js';

const named = (name: string): readonly WebhookEventType[] =>
  typesNamed(({ mailgun }) => mailgun === name) as readonly WebhookEventType[];
const ofSeverity = (of: string): readonly WebhookEventType[] =>
  typesNamed(({ severity }) => severity === of) as readonly WebhookEventType[];

/** The webhooks of Mailgun, and the events of which each of them tells. */
export const mailgunWebhooks: Readonly<Record<string, readonly WebhookEventType[]>> = {
  accepted: named('accepted'),
  delivered: named('delivered'),
  opened: named('opened'),
  clicked: named('clicked'),
  complained: named('complained'),
  permanent_fail: ofSeverity('permanent'),
  temporary_fail: ofSeverity('temporary'),
  // Of addresses in the table of unsubscribes alone.
  unsubscribed: ['suppression.added'],
};

/** One key signs the calls of all webhooks of a team. It follows from the secret of the installation. */
export function webhookSigningKey(secrets: SecretBox, teamId: string): string {
  const key = Buffer.from(secrets.sign('mailgun webhook signing key', teamId));
  return `whsec_${key.toString('base64')}`;
}

export const mailgunFormat: WebhookFormat = (message, event, { secrets }, sentAt) => {
  const data =
    event.kind === 'email'
      ? mailgunEvent(providerEvent(message, event))
      : unsubscribed(JSON.parse(event.data) as ToldSuppression, message);
  if (data === undefined) return undefined;
  const timestamp = Math.floor(sentAt.getTime() / 1_000).toString();
  const token = randomBytes(25).toString('hex');
  const signature = createHmac('sha256', secrets.current)
    .update(timestamp + token)
    .digest('hex');
  return {
    body: JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': data }),
    headers: {},
  };
};

function unsubscribed(
  { email, origin }: ToldSuppression,
  { id, type, createdAt }: Parameters<WebhookFormat>[0],
): MailgunEvent | undefined {
  if (type !== 'suppression.added' || origin !== 'manual') return undefined;
  return {
    id,
    event: 'unsubscribed',
    timestamp: createdAt.getTime() / 1_000,
    'log-level': 'info',
    recipient: email,
    'recipient-domain': email.slice(email.lastIndexOf('@') + 1),
    tags: [],
    'user-variables': {},
  };
}
