import { addressField } from '#kernel';

export type PropertyValue = string | number;

/** A person to whom a team writes. Each address exists once in a team. */
export interface Contact {
  readonly id: string;
  readonly teamId: string;
  /** In lower case, so that one mailbox is one contact, however its address is written. */
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Wants no broadcasts of the team, whatever the topic. */
  readonly unsubscribed: boolean;
  /** When `unsubscribed` became true. */
  readonly unsubscribedAt: Date | null;
  /** By the key of the property. Values of properties that no longer exist may remain, and are not shown. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** When mail to the address last bounced because it does not exist. */
  readonly bouncedAt: Date | null;
  /** When the recipient last reported mail as spam. */
  readonly complainedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Maximum length of a name, in characters. */
export const maxNameLength = 255;

/** How a request names a contact: by id or by address. */
export type ContactKey = { readonly id: string } | { readonly email: string };

/** The form of an address that is stored and compared. */
export function contactKey(address: string): string {
  return address.toLowerCase();
}

export function parseContactAddress(field: string, text: string): string {
  return contactKey(addressField(field, text));
}

/** The names with which a merge or a segment may ask for the fields of every contact. No property may have one of them. */
export const reservedKeys: readonly string[] = ['FIRST_NAME', 'LAST_NAME', 'EMAIL', 'UNSUBSCRIBE_URL'];
