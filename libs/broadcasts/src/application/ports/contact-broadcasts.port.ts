import { Page, PageRequest } from '#kernel';
import { ContactBroadcast } from '../../domain/contact-broadcast.js';

/** Reads the broadcasts that one contact got. Every page costs the same. */
export abstract class ContactBroadcasts {
  /** Newest broadcast first. The cursor is the id of a broadcast. */
  abstract list(contactId: string, page: PageRequest): Promise<Page<ContactBroadcast>>;
}
