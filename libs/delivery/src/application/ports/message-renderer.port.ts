import type { MaybePromise } from '#kernel';
import { OutgoingEmail } from '#emails';

/** What the sending domain requires of all its mail. It is known without reading the mail. */
export interface Envelope {
  /** Host part of the envelope sender. */
  readonly returnPathHost: string;
  /** The TLS mode that the sending domain requires. */
  readonly tls: 'opportunistic' | 'enforced';
  /** The content may differ between recipients. */
  readonly mayBePersonal: boolean;
}

/** Signed RFC 5322 bytes, either the same for all recipients or rendered for each recipient. */
export type RenderedContent = Uint8Array | ((recipientNo: number) => Promise<Uint8Array>);

/** Renders an email at the moment of delivery and signs it with the keys that its domain has at that moment. */
export abstract class MessageRenderer {
  /** Throws `UndeliverableError` if mail of the domain can never be sent. */
  abstract envelope(domainId: string): MaybePromise<Envelope>;

  /** Throws `UndeliverableError` if the email can never be sent. */
  abstract render(email: OutgoingEmail): MaybePromise<RenderedContent>;
}

/** The recipient of an email that a return path stands for. */
export interface ReturnPathOwner {
  readonly emailId: string;
  readonly recipientNo: number;
}

/**
 * Makes a separate envelope sender for each recipient (VERP), and reads it again. Any report that comes back to it is
 * matched with its recipient with certainty. Nobody else can make a valid one, so a forged bounce suppresses nobody.
 *
 * Each recipient is therefore a transaction of its own, over the same connections and with the same signed bytes. The
 * cost is that the content is sent once per recipient and site; an email to many recipients has few at one site.
 */
export abstract class ReturnPaths {
  /** An RFC 5321 reverse-path without brackets. */
  abstract of(owner: ReturnPathOwner, host: string): string;

  /**
   * Undefined if the address is not one of our return paths. The host is ignored, since it may be an alias of ours.
   */
  abstract ownerOf(address: string): ReturnPathOwner | undefined;
}
