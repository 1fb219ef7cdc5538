export interface HandOverRequest {
  readonly protocol: 'smtp' | 'lmtp';
  /** Host name or IP address, as the team gave it. */
  readonly host: string;
  readonly port: number;
  /** Empty for the null sender. */
  readonly mailFrom: string;
  readonly recipient: string;
  /** Header fields in front of the content, with CRLF line ends. */
  readonly added: Uint8Array;
  /** The message as it is sent after DATA: dot-stuffed, ending with CRLF. Shared with other deliveries of the message. */
  readonly stuffed: Uint8Array;
}

/** `refused`: for good. `failed`: another attempt may succeed. */
export interface HandOverOutcome {
  readonly kind: 'delivered' | 'refused' | 'failed';
  /** The reply, or what went wrong. */
  readonly detail: string;
}

/** More than the longest delivery takes: the DNS, the connection, the transaction up to the dot, and the reply to it. */
export const maxHandOverMs = 6 * 60_000;

/** Hands a message to a host that a team names. Connects to private addresses only if the operator allows it. */
export abstract class HandOver {
  /** Never throws for anything that the host or the DNS does. Ends within `maxHandOverMs`. */
  abstract deliver(request: HandOverRequest): Promise<HandOverOutcome>;
}
