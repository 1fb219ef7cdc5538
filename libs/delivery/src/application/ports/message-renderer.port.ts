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
  abstract envelope(domainId: string): Promise<Envelope>;

  /** Throws `UndeliverableError` if the email can never be sent. */
  abstract render(email: OutgoingEmail): Promise<RenderedContent>;
}
