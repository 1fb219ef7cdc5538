import { OutgoingEmail } from '#emails';

export interface RenderedMessage {
  /** Host part of the envelope sender. */
  readonly returnPathHost: string;
  /** RFC 5322 bytes, signed: the same for everybody, or made for each recipient when it is its turn. */
  readonly content: Uint8Array | ((recipientNo: number) => Promise<Uint8Array>);
  /** What the sending domain asks of the way. */
  readonly tls: 'opportunistic' | 'enforced';
}

/** Makes the bytes of an email at the moment of delivery, signed with the keys that its domain has then. */
export abstract class MessageRenderer {
  /** Throws `UndeliverableError` where the email can never be sent. */
  abstract render(email: OutgoingEmail): Promise<RenderedMessage>;
}
