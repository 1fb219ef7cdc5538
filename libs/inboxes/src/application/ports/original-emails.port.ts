import type { RequestedAttachment } from '#emails';
import { Body } from '../../domain/forwarded-body.js';
import { InboxEmail } from '../../domain/thread.js';

export interface OriginalContents {
  readonly body: Body;
  readonly attachments: readonly RequestedAttachment[];
}

/** The emails of inboxes as they were received or sent. Reads are charged to the team. */
export abstract class OriginalEmails {
  /** The message ids of its references, that with which its thread began first. Empty if they are gone. */
  abstract references(teamId: string, email: InboxEmail): Promise<readonly string[]>;

  /** Bytes of the whole email; undefined if its content is gone. */
  abstract sizeOf(teamId: string, email: InboxEmail): Promise<number | undefined>;

  /** Throws UnreadableEmailError, or NotFoundError if the content is gone. The caller has memory for all of it. */
  abstract contents(teamId: string, email: InboxEmail): Promise<OriginalContents>;
}
