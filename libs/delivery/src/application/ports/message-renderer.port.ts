import { OutgoingEmail } from '#emails';

/** What the sending domain says of all its mail, known without reading any. */
export interface Envelope {
  /** Host part of the envelope sender. */
  readonly returnPathHost: string;
  /** What the sending domain asks of the way. */
  readonly tls: 'opportunistic' | 'enforced';
  /** Content may be another for each recipient. */
  readonly mayBePersonal: boolean;
}

/** RFC 5322 bytes, signed: the same for everybody, or made for each recipient. */
export type RenderedContent = Uint8Array | ((recipientNo: number) => Promise<Uint8Array>);

/** Makes the bytes of an email at the moment of delivery, signed with the keys that its domain has then. */
export abstract class MessageRenderer {
  /** Throws `UndeliverableError` where mail of the domain can never be sent. */
  abstract envelope(domainId: string): Promise<Envelope>;

  /** Throws `UndeliverableError` where the email can never be sent. */
  abstract render(email: OutgoingEmail): Promise<RenderedContent>;
}
