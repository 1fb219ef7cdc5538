import { SharedContent, StoredContent } from '../../domain/shared-content.js';

/** Where content lies that many emails have in common. */
export abstract class SharedContents {
  /**
   * Stores the content under an id of this moment's day (UTC), once, however often and by how many processes it is asked for.
   * Durable when it resolves.
   *
   * Retention removes content with its day. So content is stored again on each day on which emails use it, and an email only
   * names content of its own day: both stay for as long as the day does, also where the email waits to be sent.
   */
  abstract store(teamId: string, content: SharedContent, day: Date): Promise<StoredContent>;
}
