import type { EmailEventType } from '#events';

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
