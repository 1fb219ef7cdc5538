/** All events of an email (docs/wire-contract.md section 7.6). `email.canceled` is an addition of Postrider. */
export type EmailEventType =
  | 'email.sent'
  | 'email.scheduled'
  | 'email.canceled'
  | 'email.delivered'
  | 'email.delivery_delayed'
  | 'email.bounced'
  | 'email.complained'
  | 'email.opened'
  | 'email.clicked'
  | 'email.failed'
  | 'email.suppressed';

/** The `last_event` of an email in API responses. */
export type LastEvent =
  | 'queued'
  | 'scheduled'
  | 'sent'
  | 'delivered'
  | 'delivery_delayed'
  | 'bounced'
  | 'complained'
  | 'opened'
  | 'clicked'
  | 'failed'
  | 'suppressed'
  | 'canceled';

/**
 * The state of one recipient. `queued` and `delayed` recipients are still to be delivered. The other states are final,
 * except that a delivered recipient may still bounce, reported by a later server, or complain, each once.
 */
export type RecipientStatus =
  'scheduled' | 'queued' | 'delayed' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'suppressed' | 'canceled';
