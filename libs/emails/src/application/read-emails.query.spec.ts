import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { aRequest, InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { Attachment, Email } from '../domain/email.js';
import { ContentReader, EmailContents, ReadableAttachment, ReadableBody } from './ports/email-contents.port.js';
import { ReadAttachments } from './read-attachments.query.js';
import type { FoundEvents } from '../domain/email-event-search.js';
import type { EmailSearch, FoundEmails } from '../domain/email-filter.js';
import { EmailFinder } from './ports/email-repository.port.js';
import { ReadEmails } from './read-emails.query.js';

/** Records to which reader a read was charged. */
class ChargedContents extends EmailContents {
  readonly readers: ContentReader[] = [];

  async bodyOf(email: Email, reader: ContentReader): Promise<ReadableBody> {
    this.readers.push(reader);
    return { html: null, text: email.subject, release: () => undefined };
  }

  async attachmentsOf({ attachments }: Email): Promise<readonly Attachment[]> {
    return attachments ?? [];
  }

  async attachment(email: Email, id: string, reader: ContentReader): Promise<ReadableAttachment | undefined> {
    this.readers.push(reader);
    const attachment = email.attachments?.find((candidate) => candidate.id === id);
    return attachment && { attachment, content: Buffer.from('file'), release: () => undefined };
  }
}

/** Gives one slice after the other, and records where each began. */
class SlicedFinder extends EmailFinder {
  readonly asked: EmailSearch['page'][] = [];
  slices: FoundEmails[] = [];

  async find(_teamId: string, { page }: EmailSearch): Promise<FoundEmails> {
    this.asked.push(page);
    return this.slices.shift() ?? { items: [], hasMore: false, next: undefined };
  }

  async events(): Promise<FoundEvents> {
    return { items: [], next: undefined };
  }
}

const address = '192.0.2.1';
let finder: SlicedFinder;
let sending: InMemorySending;
let contents: ChargedContents;

beforeEach(() => {
  sending = new InMemorySending();
  contents = new ChargedContents();
  finder = new SlicedFinder();
});

async function send(fields: object = {}): Promise<string> {
  return (await sending.acceptEmails.send(sending.principal, aRequest(fields))).id;
}

describe('reading emails', () => {
  const query = () => new ReadEmails(sending.repository, contents, finder);

  it('returns an email with its body to its own team, charged to the team', async () => {
    const id = await send({ subject: 'Mine' });
    expect(await query().find(sending.teamId, id)).toMatchObject({ email: { id }, body: { text: 'Mine' } });
    expect(await query().find(newId(), id)).toBeUndefined();
    expect(contents.readers).toEqual([sending.teamId]);
  });

  it('returns a shared email to any visitor, charged to the links of the team', async () => {
    const id = await send();
    expect((await query().findShared(id, address))?.email.id).toBe(id);
    expect(await query().findShared(newId(), address)).toBeUndefined();
    expect(contents.readers).toEqual([{ address, links: `links ${sending.teamId}` }]);
  });

  it('lists newest first, in pages', async () => {
    const [first, second, third] = [await send(), await send(), await send()];
    const page = await query().list(sending.teamId, { limit: 2 });
    expect([page.items.map(({ id }) => id), page.hasMore]).toEqual([[third, second], true]);
    const rest = await query().list(sending.teamId, { limit: 2, after: second });
    expect([rest.items.map(({ id }) => id), rest.hasMore]).toEqual([[first], false]);
    expect((await query().list(newId(), { limit: 2 })).items).toEqual([]);
  });

  it('searches on until the page is full', async () => {
    const email = { id: await send() } as Email;
    finder.slices = [
      { items: [email], hasMore: true, next: 'b' },
      { items: [], hasMore: true, next: 'c' },
      { items: [email], hasMore: true, next: 'd' },
    ];
    const found = await query().search(sending.teamId, { filter: {}, page: { limit: 2, after: 'a' } });
    expect(found).toEqual({ items: [email, email], hasMore: true, next: 'd' });
    expect(finder.asked).toEqual([
      { limit: 2, after: 'a' },
      { limit: 1, after: 'b' },
      { limit: 1, after: 'c' },
    ]);
  });

  it('leaves a long search to be continued', async () => {
    finder.slices = Array.from({ length: 9 }, (_, n) => ({ items: [], hasMore: true, next: String(n) }));
    const found = await query().search(sending.teamId, { filter: {}, page: { limit: 2, before: 'z' } });
    expect(found).toEqual({ items: [], hasMore: true, next: '2' });
    expect(finder.asked.map(({ before }) => before)).toEqual(['z', '0', '1']);
  });

  it('returns all events of an email, or those after a number', async () => {
    const id = await send({ to: ['a@sink.test', 'b@sink.test'] });
    const events = async (after: number) =>
      (await query().events(sending.teamId, id, after))?.items.map(({ seq, recipient }) => [seq, recipient]);
    expect(await events(0)).toEqual([
      [1, 'a@sink.test'],
      [2, 'b@sink.test'],
    ]);
    expect(await events(2)).toEqual([]);
    expect(await query().events(newId(), id, 0)).toBeUndefined();
  });
});

describe('reading attachments', () => {
  const query = () => new ReadAttachments(sending.repository, contents);
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('file') }];

  it('lists and finds the attachments of an email of the team', async () => {
    const id = await send({ attachments });
    const [attachment] = await query().list(sending.teamId, id);
    expect(attachment).toMatchObject({ filename: 'a.txt', size: 4 });
    expect(await query().find(sending.teamId, id, attachment?.id ?? '')).toEqual(attachment);
    await expect(query().find(sending.teamId, id, newId())).rejects.toThrow('Attachment not found');
    await expect(query().list(newId(), id)).rejects.toThrow('Email not found');
  });

  it('downloads for any visitor with a link, charged to the links of the team', async () => {
    const id = await send({ attachments });
    const [attachment] = await query().list(sending.teamId, id);
    expect((await query().download(id, attachment?.id ?? '', address)).content).toEqual(Buffer.from('file'));
    await expect(query().download(id, newId(), address)).rejects.toThrow('Attachment not found');
    await expect(query().download(newId(), newId(), address)).rejects.toThrow('Email not found');
    expect(contents.readers[0]).toEqual({ address, links: `links ${sending.teamId}` });
  });
});
