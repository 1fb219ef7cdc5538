import type { FoundEvent } from '#emails';
import type { EmailEventType } from '#events';
import type { SuppressionOrigin } from '#suppressions';
import type { StoredEmailEvent, WebhookFormat } from '#webhooks';

interface Names {
  readonly mailgun?: 'accepted' | 'delivered' | 'failed' | 'opened' | 'clicked' | 'complained';
  /** Of what `failed` at Mailgun. */
  readonly severity?: 'permanent' | 'temporary';
  readonly postmark?: 'Delivered' | 'Transient' | 'Bounced' | 'SpamComplaint' | 'Opened' | 'LinkClicked';
}

/** What other providers call the events of emails. They do not show a type without a name. */
export const providerNames: Readonly<Record<EmailEventType, Names>> = {
  'email.sent': { mailgun: 'accepted' },
  'email.scheduled': { mailgun: 'accepted' },
  'email.canceled': {},
  'email.delivered': { mailgun: 'delivered', postmark: 'Delivered' },
  'email.delivery_delayed': { mailgun: 'failed', severity: 'temporary', postmark: 'Transient' },
  'email.bounced': { mailgun: 'failed', severity: 'permanent', postmark: 'Bounced' },
  'email.failed': { mailgun: 'failed', severity: 'permanent', postmark: 'Bounced' },
  'email.suppressed': { mailgun: 'failed', severity: 'permanent', postmark: 'Bounced' },
  'email.opened': { mailgun: 'opened', postmark: 'Opened' },
  'email.clicked': { mailgun: 'clicked', postmark: 'LinkClicked' },
  'email.complained': { mailgun: 'complained', postmark: 'SpamComplaint' },
};

export function typesNamed(has: (names: Names) => boolean): readonly EmailEventType[] {
  return (Object.keys(providerNames) as EmailEventType[]).filter((type) => has(providerNames[type]));
}

/** An event of an email, as the log of events and the calls of webhooks have it. */
export type ProviderEvent = Omit<FoundEvent, 'position' | 'seq'> & Pick<StoredEmailEvent, 'position'>;

export const providerEvent = (
  { type, createdAt }: Parameters<WebhookFormat>[0],
  event: StoredEmailEvent,
): ProviderEvent => ({ ...event, type: type as EmailEventType, createdAt });

/** The suppression that a call of a webhook tells of. */
export interface ToldSuppression {
  readonly email: string;
  readonly origin: SuppressionOrigin;
  /** Of the email that bounced or was reported. */
  readonly source_id: string | null;
}
