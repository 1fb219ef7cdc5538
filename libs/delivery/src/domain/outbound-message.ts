/** One message as it goes over the wire, with the recipients that get it in one SMTP transaction. */
export interface OutboundMessage {
  readonly emailId: string;
  /** Whose mail it is. What is scarce is shared fairly among teams. */
  readonly teamId: string;
  /** The lane that it waited in. */
  readonly lane: string;
  /** RFC 5321 reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  /** Envelope recipients, at least one, all in the same lane. */
  readonly recipients: readonly string[];
  /** Bytes of the email as it was accepted: about the size of its content. */
  readonly size: number;
  /** `enforced`: bounced rather than sent in the clear. Default `opportunistic`. */
  readonly tls?: 'opportunistic' | 'enforced';
  /**
   * Reads, renders and signs the content. It waits while other content fills the memory, so a transport asks for it when
   * the receiving host is ready for this message and not before. May be called again after `release`. Where it rejects,
   * `deliver` rejects with the same error. `onGranted` is called when it waits no longer, before it is read.
   */
  content(onGranted?: () => void): Promise<MessageContent>;
}

/** The bytes of a message. They count against the memory for content until they are released. */
export interface MessageContent {
  /** RFC 5322 bytes: CRLF line ends, signed, not dot-stuffed, ending with CRLF. */
  readonly bytes: Uint8Array;
  /** Whether other mail waits for the memory. A host that makes no progress then had better be given up. */
  readonly isInDemand: boolean;
  /**
   * To be called once the last byte is on its way, before the reply to it: the next message may then be read. What is not
   * released is so when `deliver` settles. A second call does nothing.
   */
  release(): void;
}
