export interface FetchedAttachment {
  readonly content: Uint8Array;
  /** The content type that the server sent, unchecked. */
  readonly contentType: string | undefined;
}

/** The URL gave no attachment. The message is written for the customer. */
export class AttachmentUnavailableError extends Error {}

export interface FetchLimits {
  /** Maximum size of the content, in bytes. */
  readonly bytes: number;
  readonly timeoutMs: number;
  /** Aborted when the content is no longer needed. */
  readonly signal: AbortSignal;
  /** Called with the size of each piece before the piece is kept. Its errors are passed on. */
  readonly makeRoom: (bytes: number) => Promise<void>;
}

/** Fetches files that customers link by URL. */
export abstract class AttachmentSource {
  /**
   * Never connects to an address that is not public, whatever name or redirect leads there. Throws
   * AttachmentUnavailableError if the file cannot be fetched in time, is too large, or is sent compressed. One team
   * never waits for another team's servers.
   */
  abstract fetch(teamId: string, url: string, limits: FetchLimits): Promise<FetchedAttachment>;
}
