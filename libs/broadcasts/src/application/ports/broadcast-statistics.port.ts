import { Page, PageRequest } from '#kernel';
import {
  BroadcastProgress,
  ClickedLink,
  ContactBroadcast,
  RecipientsPage,
  RecipientsRequest,
  SubjectResults,
} from '../../domain/statistics.js';

/** Reads the results of broadcasts. Every page costs the same, even with a million recipients. */
export abstract class BroadcastStatistics {
  /**
   * Recipients to whom something happened, newest contacts first. The cursor is the `id` of a recipient. For a part of
   * an address it looks through a bounded number of recipients, and `next` says where to go on.
   */
  abstract recipients(
    broadcast: { readonly id: string; readonly teamId: string },
    request: RecipientsRequest,
    page: PageRequest,
  ): Promise<RecipientsPage>;

  /** Most clicked first. The cursor is the `id` of a link. */
  abstract clickedLinks(broadcastId: string, page: PageRequest): Promise<Page<ClickedLink>>;

  /** Zeros before the start. Undefined for a broadcast that does not exist. */
  abstract progress(broadcastId: string): Promise<BroadcastProgress | undefined>;

  /** Undefined before the first email, and if no subjects are tried. */
  abstract subjects(broadcastId: string): Promise<SubjectResults | undefined>;

  /** The broadcasts that one contact got, newest first. The cursor is the id of a broadcast. */
  abstract ofContact(contactId: string, page: PageRequest): Promise<Page<ContactBroadcast>>;
}
