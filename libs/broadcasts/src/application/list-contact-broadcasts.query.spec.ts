import { expect, it } from '@jest/globals';
import { ReadContacts } from '#audience';
import { NotFoundError } from '#kernel';
import { ListContactBroadcasts } from './list-contact-broadcasts.query.js';

it('lists what the contact got, whether it is asked by id or by address, and nothing of contacts of others', async () => {
  const contacts = {
    find: async (teamId: string, idOrEmail: string) => {
      if (teamId !== 'team') throw new NotFoundError('Contact');
      return { contact: { id: `id of ${idOrEmail}` } };
    },
  } as unknown as ReadContacts;
  const asked: string[] = [];
  const list = new ListContactBroadcasts(contacts, {
    list: async (contactId) => {
      asked.push(contactId);
      return { items: [], hasMore: false };
    },
  });
  await list.execute('team', 'ada@b.test', { limit: 5 });
  await expect(list.execute('other', 'ada@b.test', { limit: 5 })).rejects.toThrow('Contact not found');
  expect(asked).toEqual(['id of ada@b.test']);
});
