import type { Actor } from '#identity';
import { Mailbox } from '#kernel';
import { Attachment, Email, EmailBody } from './email.js';
import { SuppressionNotice } from './suppressed-recipient.js';

/** One envelope recipient. `no` counts from 0 within the email, in the order to, cc, bcc. */
export interface EnvelopeRecipient {
  readonly no: number;
  readonly address: string;
  /** Set: nothing is sent to this recipient. */
  readonly suppression?: SuppressionNotice;
}

/** Who sends an email, and from which domain of the team. */
export interface Sender {
  readonly teamId: string;
  readonly actor: Actor;
  readonly domainId: string;
  /** Of the domain. */
  readonly region: string;
}

/** Everything that must be durable before the email counts as accepted. */
export interface AcceptedEmail {
  readonly email: Email;
  /** Of the sending domain. */
  readonly region: string;
  /** Empty where the email names shared content, which is stored before. */
  readonly body: EmailBody;
  readonly recipients: readonly EnvelopeRecipient[];
  readonly attachmentContents: readonly { readonly attachment: Attachment; readonly content: Uint8Array }[];
  /** Set where the email came as a finished MIME message. It has no body and no attachments beside it. */
  readonly mime?: SpooledMime;
}

/** A finished MIME message that has arrived in full. */
export interface SpooledMime {
  readonly size: number;
  /** Undefined: it is too large to be held in memory and lies in the message store already, under the email's id. */
  readonly bytes: Uint8Array | undefined;
}

/** Every address once, however often it is named: nobody gets the same email twice. */
export function envelopeOf(...groups: readonly (readonly Mailbox[])[]): EnvelopeRecipient[] {
  const addresses = new Map<string, string>();
  for (const mailbox of groups.flat()) {
    const key = mailbox.address.toLowerCase();
    if (!addresses.has(key)) addresses.set(key, mailbox.address);
  }
  return [...addresses.values()].map((address, no) => ({ no, address }));
}

/** Every address once, as a door that has an envelope of its own gives it. */
export function envelopeOfAddresses(addresses: readonly string[]): EnvelopeRecipient[] {
  const unique = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  return [...unique.values()].map((address, no) => ({ no, address }));
}
