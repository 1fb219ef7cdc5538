import { TrackedLink, TrackedRecipient } from '../../domain/tracked.js';

/**
 * Makes what stands in the addresses of pixels and links, and reads it again: letters, digits, `-` and `_`. A token
 * says all there is to know, so nothing has to be kept for it, and it still leads on when its email is long forgotten.
 *
 * Nobody else can make one, and none counts at another host than the one it was made for: a sender cannot borrow the
 * good name of another sender's host.
 */
export abstract class TrackingTokens {
  abstract pixel(recipient: TrackedRecipient, host: string): string;

  abstract link(link: TrackedLink, host: string): string;

  /** Undefined where it is none of ours. */
  abstract readPixel(token: string, host: string): TrackedRecipient | undefined;

  /** Undefined where it is none of ours, or would lead to something other than http or https. */
  abstract readLink(token: string, host: string): TrackedLink | undefined;
}
