import type { Actor } from '#identity';
import type { KeyLimit } from '#rate-limit';
import { Mailbox, parseMailbox } from '#kernel';
import { Attachment, Email, EmailBody } from './email.js';
import { Withheld } from './withheld-recipient.js';

/** One envelope recipient. `no` counts from 0 within the email, in the order of `to`, `cc` and `bcc`. */
export interface EnvelopeRecipient {
  readonly no: number;
  readonly address: string;
  /** Set if nothing is sent to this recipient. */
  readonly withheld?: Withheld;
}

/** The principal that sends an email, and the domain from which it is sent. */
export interface Sender {
  readonly teamId: string;
  readonly actor: Actor;
  readonly domainId: string;
  /** Region of the domain. */
  readonly region: string;
}

/** Everything that must be durable before the email counts as accepted. */
export interface AcceptedEmail {
  readonly email: Email;
  /** Region of the sending domain. */
  readonly region: string;
  /** Empty for shared content, which is stored beforehand. */
  readonly body: EmailBody;
  readonly recipients: readonly EnvelopeRecipient[];
  readonly attachmentContents: readonly { readonly attachment: Attachment; readonly content: Uint8Array }[];
  /** Set for an email that arrived as a finished MIME message. Its `body` and attachments are empty. */
  readonly mime?: SpooledMime;
  /**
   * The envelope sender of mail that is passed on; empty for the null sender. Undefined: a return path for each
   * recipient.
   */
  readonly mailFrom?: string;
  /** Set if the API key that sends it has a limit of recipients in a day. */
  readonly keyLimit?: KeyLimit;
}

/** A finished MIME message that has been received completely. */
export interface SpooledMime {
  readonly size: number;
  /**
   * Undefined if the message is too large for memory. It is then already in the message store, under the email's id.
   */
  readonly bytes: Uint8Array | undefined;
}

/** Lists every address once, so that no recipient gets the same email twice. */
export function envelopeOf(...groups: readonly (readonly Mailbox[])[]): EnvelopeRecipient[] {
  const addresses = new Map<string, string>();
  for (const mailbox of groups.flat()) {
    const key = mailbox.address.toLowerCase();
    if (!addresses.has(key)) addresses.set(key, mailbox.address);
  }
  return [...addresses.values()].map((address, no) => ({ no, address }));
}

/** The address of each recipient of an email, by its number, as `envelopeOf` has numbered them. */
export function addressesOf({ to, cc, bcc }: Pick<Email, 'to' | 'cc' | 'bcc'>): readonly string[] {
  const mailboxes = [to, cc ?? [], bcc ?? []].map((texts) => texts.flatMap((text) => parseMailbox(text) ?? []));
  return envelopeOf(...mailboxes).map(({ address }) => address);
}

/** Lists every address of an SMTP envelope once. */
export function envelopeOfAddresses(addresses: readonly string[]): EnvelopeRecipient[] {
  const unique = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  return [...unique.values()].map((address, no) => ({ no, address }));
}
