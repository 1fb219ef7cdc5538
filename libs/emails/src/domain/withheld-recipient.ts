import { SuppressionNotice } from './suppressed-recipient.js';

/**
 * Why nothing is sent to a recipient: the status that it gets, and the data of its event (docs/wire-contract.md section
 * 22.4).
 *
 * `unsubscribed`: wants no mail of the team except for what it asks for. `not_subscribed`: does not have the email's
 * topic, by its own choice or by the default of the topic. `topic_deleted`: nobody can say any more who has it.
 */
export type Withheld =
  | { readonly status: 'suppressed'; readonly data: { readonly suppressed: SuppressionNotice } }
  | { readonly status: 'failed'; readonly data: { readonly failed: { readonly reason: string } } };

export function failedBecause(
  reason: 'unsubscribed' | 'not_subscribed' | 'topic_deleted' | 'domain_deleted' | 'api_key_deleted',
): Withheld {
  return { status: 'failed', data: { failed: { reason } } };
}
