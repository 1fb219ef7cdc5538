import { ReadContacts } from '#audience';
import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ContactBroadcast } from '../domain/contact-broadcast.js';
import { ContactBroadcasts } from './ports/contact-broadcasts.port.js';

/** Lists the broadcasts that a contact got, with what it did. */
@Injectable()
export class ListContactBroadcasts {
  constructor(
    private readonly contacts: ReadContacts,
    private readonly broadcasts: ContactBroadcasts,
  ) {}

  async execute(teamId: string, idOrEmail: string, page: PageRequest): Promise<Page<ContactBroadcast>> {
    const { contact } = await this.contacts.find(teamId, idOrEmail);
    return this.broadcasts.list(contact.id, page);
  }
}
