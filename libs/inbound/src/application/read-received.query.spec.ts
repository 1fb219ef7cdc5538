import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryReceivedEmails } from '../../../../test/support/in-memory-receiving.js';
import { ContentReader } from './ports/received-contents.port.js';
import { ReadReceived } from './read-received.query.js';

const teamId = newId();
let emails: InMemoryReceivedEmails;
let readers: ContentReader[];
let read: ReadReceived;

beforeEach(() => {
  emails = new InMemoryReceivedEmails();
  readers = [];
  const noted = async (...args: unknown[]): Promise<never> => {
    readers.push(args.at(-1) as ContentReader);
    return {} as never;
  };
  read = new ReadReceived(emails, { body: noted, attachment: noted, source: noted });
});

it('reads for the team, and charges visitors of links apart from it', async () => {
  const { id } = emails.add(teamId);
  await read.get(teamId, id, 'cid');
  await read.downloadSource(id, '192.0.2.9');
  await read.downloadAttachment(id, newId(), '192.0.2.9');
  const visitor = { address: '192.0.2.9', links: `links ${teamId}` };
  expect(readers).toEqual([teamId, visitor, visitor]);
});

it('finds nothing of another team, and no unknown attachment', async () => {
  const { id } = emails.add(teamId);
  await expect(read.get(newId(), id, 'cid')).rejects.toThrow('Email not found');
  await expect(read.attachments(newId(), id)).rejects.toThrow('Email not found');
  await expect(read.attachment(teamId, id, newId())).rejects.toThrow('Attachment not found');
  expect((await read.list(newId(), { limit: 10 }, {})).items).toEqual([]);
});

it('lists mail above the quota and does not show it', async () => {
  const { id } = emails.add(teamId, { isAboveQuota: true });
  expect((await read.list(teamId, { limit: 10 }, {})).items).toHaveLength(1);
  await expect(read.get(teamId, id, 'cid')).rejects.toMatchObject({ code: 'email_above_quota', kind: 'forbidden' });
});
