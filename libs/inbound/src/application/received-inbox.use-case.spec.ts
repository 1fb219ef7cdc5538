import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryReceivedEmails } from '../../../../test/support/fakes/in-memory-receiving.js';
import { ReceivedContentReader, ReceivedContents } from './ports/received-contents.port.js';
import { ReceivedInbox } from './received-inbox.use-case.js';

const teamId = newId();
let emails: InMemoryReceivedEmails;
let readers: ReceivedContentReader[];
let read: ReceivedInbox;

beforeEach(() => {
  emails = new InMemoryReceivedEmails();
  readers = [];
  const noted = async (...args: unknown[]): Promise<never> => {
    readers.push(args.at(-1) as ReceivedContentReader);
    return {} as never;
  };
  const contents: ReceivedContents = { body: noted, attachment: noted, source: noted, textOf: noted };
  read = new ReceivedInbox(emails, contents);
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

it('an event is replayed for its team, by a principal who may', async () => {
  const { id } = emails.add(teamId);
  const principal = (role: 'developer' | 'viewer') => Principal.ofUser({ id: newId(), teamId, role });
  await read.replay(principal('developer'), id);
  expect(emails.announced).toEqual([id]);
  await expect(read.replay(principal('viewer'), id)).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(read.replay(principal('developer'), newId())).rejects.toThrow('Email not found');
});

it('the mail of one address is erased, whatever its case, in batches, and then the address in the mail of others', async () => {
  for (let count = 0; count < 501; count++) emails.add(teamId);
  emails.add(teamId, { from: 'someone@b.test', to: ['Ada@b.test', 'x@acme.test'], recipients: ['x@acme.test'] });
  emails.add(teamId, { from: 'someone@b.test', to: ['ada@B.test'], recipients: ['ada@b.test'] });
  emails.add(newId(), { from: 'someone@b.test', to: ['ada@b.test'], recipients: ['ada@b.test'] });
  const counts: number[] = [];
  for (let next: string | undefined, done = false; !done;) {
    const portion = await read.erase(teamId, 'ADA@b.test', next);
    counts.push(portion.erased);
    next = portion.next;
    done = next === undefined;
  }
  expect(counts).toEqual([500, 1, 2]);
  expect(emails.emails.map(({ to }) => to)).toEqual([['erased', 'x@acme.test'], ['ada@b.test']]);
});
