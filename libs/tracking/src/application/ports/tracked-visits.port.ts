import { ObservedVisit, TrackedLink, TrackedRecipient } from '../../domain/observed-visit.js';

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

/** Records opens and clicks. */
export abstract class VisitLog {
  /**
   * Queues visits to be written as events of their emails; a visit of a deleted email is dropped. Never throws and never
   * waits, so that no click waits for the database. A visit that cannot be written within a minute is dropped.
   */
  abstract add(visits: readonly ObservedVisit[]): void;

  /** Called when the program stops: resolves when every queued visit was written or tried one last time. */
  abstract drain(): Promise<void>;
}
