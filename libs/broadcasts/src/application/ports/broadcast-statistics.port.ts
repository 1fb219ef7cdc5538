import { Page, PageRequest } from '#kernel';
import {
  BroadcastProgress,
  ClickedLink,
  RecipientsPage,
  RecipientsRequest,
  SubjectResults,
} from '../../domain/statistics.js';

/** Reads what became of broadcasts. Every page costs the same, also of a million recipients. */
export abstract class BroadcastStatistics {
  /**
   * Recipients to whom something happened, newest contacts first. The cursor is the `id` of a recipient. Looks through a bounded number
   * of recipients for a part of an address, and says in `next` where to go on.
   */
  abstract recipients(
    broadcast: { readonly id: string; readonly teamId: string },
    request: RecipientsRequest,
    page: PageRequest,
  ): Promise<RecipientsPage>;

  /** Most clicked first. The cursor is the `id` of a link. */
  abstract clickedLinks(broadcastId: string, page: PageRequest): Promise<Page<ClickedLink>>;

  /** Undefined before the start. */
  abstract progress(broadcastId: string): Promise<BroadcastProgress | undefined>;

  /** Undefined before the first email, and where no subjects are tried. */
  abstract subjects(broadcastId: string): Promise<SubjectResults | undefined>;
}
