/** The recipient of an email that a return path stands for. */
export interface ReturnPathOwner {
  readonly emailId: string;
  readonly recipientNo: number;
}

/**
 * Makes an envelope sender of its own for each recipient (VERP), so that whatever comes back to it, in whatever form, is
 * matched with certainty; and reads it again. Nobody else can make one: a forged bounce suppresses nobody.
 *
 * Each recipient is therefore a transaction of its own, over the same connections and with the same signed bytes. The
 * price is the content sent once per recipient and site; an email to many has few recipients at one site.
 */
export abstract class ReturnPaths {
  /** An RFC 5321 reverse-path without brackets. */
  abstract of(owner: ReturnPathOwner, host: string): string;

  /** Undefined where the address is none of ours. The host is not looked at: it may be an alias of ours. */
  abstract ownerOf(address: string): ReturnPathOwner | undefined;
}
