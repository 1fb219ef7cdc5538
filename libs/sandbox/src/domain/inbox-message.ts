/** A message that the sandbox has received, as a list shows it. */
export interface InboxMessage {
  /** UUIDv7: the order of receipt. */
  readonly id: string;
  /** The team whose domain is in the From field; null where nobody here has it. */
  readonly teamId: string | null;
  /** The From field as text, encoded words decoded; empty where there is none. */
  readonly from: string;
  /** Envelope recipients, which is where a Bcc shows. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly receivedAt: Date;
  /** Bytes of the whole message. */
  readonly size: number;
}

export interface ReceivedMessage extends InboxMessage {
  /** RFC 5322 bytes as they came over the wire. */
  readonly raw: Uint8Array;
}

/** Whose eyes: a team sees what is its own, the operator everything, mail that belongs to no team included. */
export type Viewer = { readonly teamId: string } | 'operator';

/** `pass` where any signature of the message verifies, `none` where it has no usable one. */
export type DkimVerdict = 'pass' | 'fail' | 'none';
