import { TrackedLink, TrackedRecipient } from '../../domain/tracked.js';

/**
 * Makes and reads the tokens in the URLs of pixels and links. A token has letters, digits, `-` and `_`. It contains all
 * that is needed to follow it, so nothing is stored for it, and a link still works after its email was deleted.
 *
 * Tokens are signed, and a token is valid only at the host that it was made for, so that a sender cannot misuse the
 * reputation of another sender's host.
 */
export abstract class TrackingTokens {
  abstract pixel(recipient: TrackedRecipient, host: string): string;

  abstract link(link: TrackedLink, host: string): string;

  /** Undefined if the token is not valid. */
  abstract readPixel(token: string, host: string): TrackedRecipient | undefined;

  /** Undefined if the token is not valid, or if its URL is neither http nor https. */
  abstract readLink(token: string, host: string): TrackedLink | undefined;
}
