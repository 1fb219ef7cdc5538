/**
 * Rewrites envelope senders of mail that is passed on (SRS), so that SPF passes for a domain of this service, and reads the
 * senders again when a bounce comes back.
 *
 * Rewritten senders are signed, and stay valid while a SECRET_KEY that signed them is known. They can be used for some weeks, as
 * long as a bounce may take. Nobody else can make one, so that no stranger can send mail through this service.
 */
export abstract class SenderRewriting {
  /** An address at `host`; undefined where the sender is too long for one. */
  abstract rewritten(sender: string, host: string, now: Date): string | undefined;

  /** Whether an address looks like a rewritten one, valid or not. */
  abstract isRewritten(address: string): boolean;

  /** The original sender. Undefined where the address was not made here, or has expired. */
  abstract original(address: string, now: Date): string | undefined;
}
