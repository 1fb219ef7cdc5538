/** One message as it goes over the wire, with the recipients that get it in one SMTP transaction. */
export interface OutboundMessage {
  readonly emailId: string;
  /** RFC 5321 reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  /** Envelope recipients, at least one, all in the same lane. */
  readonly recipients: readonly string[];
  /** RFC 5322 bytes: CRLF line ends, signed, not dot-stuffed, ending with CRLF. */
  readonly content: Uint8Array;
  /** `enforced`: bounced rather than sent in the clear. Default `opportunistic`. */
  readonly tls?: 'opportunistic' | 'enforced';
}
