/** A message that the sandbox has received, in the form shown in a list. */
export interface InboxMessage {
  /** UUIDv7, so that ids sort in the order of receipt. */
  readonly id: string;
  /** The team whose domain is in the From field; null if no team has it. */
  readonly teamId: string | null;
  /** The From field as text with encoded words decoded; empty if there is none. */
  readonly from: string;
  /** Envelope recipients, which include Bcc recipients. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly receivedAt: Date;
  /** Bytes of the whole message. */
  readonly size: number;
}

export interface ReceivedMessage extends InboxMessage {
  /** RFC 5322 bytes as received. */
  readonly raw: Uint8Array;
}

/** Who reads: a team sees its own messages, the operator sees all, including those that belong to no team. */
export type Viewer = { readonly teamId: string } | 'operator';

/** `pass` if any signature of the message verifies, `none` if it has no usable signature. */
export type InboxDkimResult = 'pass' | 'fail' | 'none';
