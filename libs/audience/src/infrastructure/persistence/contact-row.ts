import { Row } from '#postgres/database';
import { Contact } from '../../domain/contact.js';

export type ContactRow = Row<Contact>;

/** The columns of a contact, of the table or alias `from`. */
export function contactColumns(from: string): string {
  return `${from}.id, ${from}.team_id AS "teamId", ${from}.email, ${from}.first_name AS "firstName",
          ${from}.last_name AS "lastName", ${from}.unsubscribed, ${from}.unsubscribed_at AS "unsubscribedAt",
          ${from}.properties, ${from}.bounced_at AS "bouncedAt", ${from}.complained_at AS "complainedAt",
          ${from}.created_at AS "createdAt", ${from}.updated_at AS "updatedAt"`;
}

/** The columns that an update writes, as parameters for `unnest` from `$1`. */
export const writtenColumns = [
  ['id', 'uuid', ({ id }: Contact) => id],
  ['team_id', 'uuid', ({ teamId }: Contact) => teamId],
  ['email', 'text', ({ email }: Contact) => email],
  ['first_name', 'text', ({ firstName }: Contact) => firstName],
  ['last_name', 'text', ({ lastName }: Contact) => lastName],
  ['unsubscribed', 'boolean', ({ unsubscribed }: Contact) => unsubscribed],
  ['unsubscribed_at', 'timestamptz', ({ unsubscribedAt }: Contact) => unsubscribedAt],
  ['properties', 'jsonb', ({ properties }: Contact) => JSON.stringify(properties)],
  ['bounced_at', 'timestamptz', ({ bouncedAt }: Contact) => bouncedAt],
  ['complained_at', 'timestamptz', ({ complainedAt }: Contact) => complainedAt],
  ['created_at', 'timestamptz', ({ createdAt }: Contact) => createdAt],
  ['updated_at', 'timestamptz', ({ updatedAt }: Contact) => updatedAt],
] as const;

export const columnNames = writtenColumns.map(([name]) => name).join(', ');
export const unnestedArrays = `${writtenColumns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')}`;

export function valuesOf(contacts: readonly Contact[]): unknown[] {
  return writtenColumns.map(([, , read]) => contacts.map((contact) => read(contact)));
}
