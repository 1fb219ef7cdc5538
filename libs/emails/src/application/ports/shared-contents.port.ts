import { SharedContent, StoredContent } from '../../domain/shared-content.js';

/** Stores content that many emails share. */
export abstract class SharedContents {
  /**
   * Stores the content once per day (UTC), under an id of that day, for any number of calls and processes. It is
   * durable when the call resolves.
   *
   * Retention removes content with its day. So content is stored again on each day on which emails use it, and an email
   * names only content of its own day. Both are kept for the same time, even where the email is scheduled for later.
   */
  abstract store(teamId: string, content: SharedContent, day: Date): Promise<StoredContent>;
}
