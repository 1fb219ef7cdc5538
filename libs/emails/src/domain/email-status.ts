/**
 * Everything that can happen to an email (docs/wire-contract.md section 7.6). `email.canceled` is our own: clients know
 * no such event.
 */
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

/** The `last_event` of an email as its record shows it. */
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
 * Where one recipient stands. `queued` and `delayed` are still to be delivered; the others are final, except that
 * what was delivered may still bounce, reported later by a server behind the first, or be complained about: once.
 */
export type RecipientStatus =
  'scheduled' | 'queued' | 'delayed' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'suppressed' | 'canceled';
