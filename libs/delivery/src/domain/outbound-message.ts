/** One message as it goes over the wire, with the recipients that get it in one SMTP transaction. */
export interface OutboundMessage {
  readonly emailId: string;
  /** The team that sent it. Scarce resources are shared fairly among teams. */
  readonly teamId: string;
  /** Bulk mail waits behind transactional mail for connections: see `BulkTurns`. */
  readonly isBulk?: boolean;
  /** The lane in which it waited. */
  readonly lane: string;
  /** RFC 5321 reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  /** Envelope recipients, at least one, all in the same lane. */
  readonly recipients: readonly string[];
  /** Bytes of the email as accepted. This is about the size of its content. */
  readonly size: number;
  /** `enforced`: bounce the message rather than send it unencrypted. Default `opportunistic`. */
  readonly tls?: 'opportunistic' | 'enforced';
  /**
   * Reads, renders and signs the content. It waits while other content fills the memory, so a transport calls it only
   * when the receiving host is ready for this message. It may be called again after `release`. If it rejects, `deliver`
   * rejects with the same error. `onGranted` is called when the memory is granted, before the content is read.
   */
  content(onGranted?: () => void): Promise<MessageContent>;
}

/** The bytes of a message. They count against the memory for content until they are released. */
export interface MessageContent {
  /** RFC 5322 bytes: CRLF line ends, signed, not dot-stuffed, ending with CRLF. */
  readonly bytes: Uint8Array;
  /** Whether other mail waits for this memory. A transport should then give up a host that makes no progress. */
  readonly isInDemand: boolean;
  /**
   * To be called when the last byte has been sent, before its reply arrives, so that the next message can be read.
   * Content that was not released is released when `deliver` settles. A second call does nothing.
   */
  release(): void;
}
