export interface FetchedAttachment {
  readonly content: Uint8Array;
  /** What the server calls it, unchecked. */
  readonly contentType: string | undefined;
}

/** Why a URL gave no attachment; the message is for the customer. */
export class AttachmentUnavailableError extends Error {}

export interface FetchLimits {
  /** Largest content. */
  readonly bytes: number;
  readonly timeoutMs: number;
  /** Aborted: the content is not wanted any more. */
  readonly signal: AbortSignal;
  /** Called before each piece of the content is kept, with its bytes. What it throws is thrown on. */
  readonly makeRoom: (bytes: number) => Promise<void>;
}

/** Fetches what customers name by URL. */
export abstract class AttachmentSource {
  /**
   * Never reaches an address that is not public, by whatever name or redirect. Throws AttachmentUnavailableError where
   * there is no such file within the time, where it is larger, or compressed on its way. Teams do not wait for each
   * other's servers.
   */
  abstract fetch(teamId: string, url: string, limits: FetchLimits): Promise<FetchedAttachment>;
}
