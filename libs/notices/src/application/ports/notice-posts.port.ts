import { Notice } from '#kernel';

/** The URLs to which notices to the operator are posted. */
export abstract class NoticePosts {
  /** As what the outbox names each URL: none of them contains it. */
  abstract readonly names: readonly string[];

  /** Rejects if the URL of this name did not take it. Does nothing if it is no longer configured. */
  abstract post(name: string, notice: Notice): Promise<void>;
}
