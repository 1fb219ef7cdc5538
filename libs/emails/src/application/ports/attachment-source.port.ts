export interface FetchedAttachment {
  readonly content: Uint8Array;
  /** What the server calls it, unchecked. */
  readonly contentType: string | undefined;
}

/** Why a URL gave no attachment; the message is for the customer. */
export class AttachmentUnavailableError extends Error {}

/** Fetches what customers name by URL. */
export abstract class AttachmentSource {
  /**
   * Never reaches an address that is not public, by whatever name or redirect. Throws AttachmentUnavailableError where
   * there is no such file within the time, or where it is larger. Teams do not wait for each other's servers.
   */
  abstract fetch(
    teamId: string,
    url: string,
    limits: { readonly bytes: number; readonly timeoutMs: number },
  ): Promise<FetchedAttachment>;
}
