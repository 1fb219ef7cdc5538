import { addressField, newId } from '#kernel';
import type { TeamEvent } from '#events';

/** Why an address is suppressed. */
export type SuppressionOrigin = 'bounce' | 'complaint' | 'manual';

export const suppressionOrigins: readonly SuppressionOrigin[] = ['bounce', 'complaint', 'manual'];

/** An address to which a team sends nothing. */
export interface Suppression {
  readonly id: string;
  readonly teamId: string;
  /** In lower case, so that one mailbox has one entry, however its address is written. */
  readonly email: string;
  readonly origin: SuppressionOrigin;
  /** The email that bounced or was reported; null for those added by hand. */
  readonly sourceId: string | null;
  readonly createdAt: Date;
}

/** What stands in place of an address that must not be readable any more: this and its hash. No address begins so. */
export const concealedPrefix = 'hmac:';

/** The form of an address that is stored and compared. */
export function suppressionKey(address: string): string {
  return address.toLowerCase();
}

export function parseSuppressedAddress(field: string, text: string): string {
  return suppressionKey(addressField(field, text));
}

export function suppressionEvent(
  type: 'suppression.added' | 'suppression.removed',
  suppression: Suppression,
  now: Date,
): TeamEvent {
  return {
    id: newId(now.getTime()),
    teamId: suppression.teamId,
    type,
    // docs/wire-contract.md section 22.4
    data: {
      id: suppression.id,
      email: suppression.email,
      origin: suppression.origin,
      source_id: suppression.sourceId,
      created_at: suppression.createdAt.toISOString(),
    },
    createdAt: now,
  };
}
