import { ReceivedEmail } from '../../domain/received-email.js';

/** How an action ended: `done`, or `later` with the reason, for which it runs again, not before `afterMs` have passed. */
export type ActionOutcome =
  { readonly kind: 'done' } | { readonly kind: 'later'; readonly reason: string; readonly afterMs?: number };

/**
 * What happens to a received email beside storing it: forwards, deliveries to other hosts, conditional webhooks.
 *
 * Runs in a worker after the commit, from a row that the accepting transaction wrote, for emails of which `RecipientRouting` said
 * `act` for one recipient at least. Runs at least once: an implementation must recognise what it has already done. An email whose
 * action throws or says `later` runs again after a growing pause, for five days.
 */
export abstract class ReceivedMailActions {
  /** `isAnnounced`: whether `email.received` was written with the email, by what `RecipientRouting` said then. */
  abstract run(email: ReceivedEmail, isAnnounced: boolean): Promise<ActionOutcome>;
}
