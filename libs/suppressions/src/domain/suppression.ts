import { parseEmailAddress, ValidationError } from '#kernel';

/** Why nothing is sent to an address any more. */
export type SuppressionOrigin = 'bounce' | 'complaint' | 'manual';

export const suppressionOrigins: readonly SuppressionOrigin[] = ['bounce', 'complaint', 'manual'];

/** An address that a team's mail never goes to. */
export interface Suppression {
  readonly id: string;
  readonly teamId: string;
  /** In lower case: one mailbox is one entry, however it is written. */
  readonly email: string;
  readonly origin: SuppressionOrigin;
  /** The email that bounced or was reported; null for those added by hand. */
  readonly sourceId: string | null;
  readonly createdAt: Date;
}

/** The form in which addresses are compared. */
export function suppressionKey(address: string): string {
  return address.toLowerCase();
}

export function parseSuppressedAddress(field: string, text: string): string {
  const parsed = parseEmailAddress(text.trim());
  if (parsed === undefined) {
    throw new ValidationError(
      `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` format.`,
    );
  }
  return suppressionKey(parsed.address);
}
