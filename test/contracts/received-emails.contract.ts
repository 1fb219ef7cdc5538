import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { MessageStore } from '#emails';
import { ReceivedEmails } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { newId } from '#kernel';
import { clean } from '../support/fakes/in-memory-receiving.js';

interface Rig {
  readonly emails: ReceivedEmails;
  /** Where the contents of accepted messages are. */
  readonly store: MessageStore;
  readonly teamId: string;
  readonly otherTeamId: string;
}

/** What every store of received emails must do. */
export function describeReceivedEmails(name: string, rig: () => Promise<Rig>): void {
  describe(`the received emails ${name}`, () => {
    let emails: ReceivedEmails;
    let store: MessageStore;
    let teamId: string;
    let otherTeamId: string;

    beforeEach(async () => {
      ({ emails, store, teamId, otherTeamId } = await rig());
    });

    function anEmail(id: string, fields: Partial<ReceivedEmail> = {}): ReceivedEmail {
      return {
        id,
        teamId,
        domainId: newId(),
        contentId: id,
        createdAt: new Date('2026-11-22T10:00:00.123Z'),
        size: 5,
        mailFrom: 'jürgen@customer.test',
        recipients: ['a@acme.test', '"b c"@acme.test'],
        from: 'Ada@Customer.test',
        to: ['a@acme.test'],
        cc: [],
        bcc: [],
        replyTo: ['x@y.test'],
        subject: 'Grüße \\ "quoted" {} 😀',
        messageId: '<1@customer.test>',
        threadId: newId(),
        attachments: [
          {
            id: newId(),
            filename: 'ä.pdf',
            size: 7,
            contentType: 'application/pdf',
            detectedType: null,
            contentId: null,
            contentDisposition: 'attachment',
          },
        ],
        client: { address: '2001:db8::1', helo: 'mx.customer.test', tls: 'TLSv1.3' },
        verdicts: { ...clean, spam: { score: -0.1, requiredScore: 15, isSpam: false, symbols: { A: 1 } } },
        isAboveQuota: false,
        trace: 'Return-Path: <>\r\n',
        ...fields,
      };
    }

    /** Accepts a message that becomes these emails, or one of its own. Equal identities are the same message. */
    async function accept(fields: readonly Partial<ReceivedEmail>[] = [{}], identity = newId()) {
      const id = newId();
      const bytes = Buffer.from('Hello');
      const given = fields.map((each, index) => anEmail(index === 0 ? id : newId(), { contentId: id, ...each }));
      const content = { id, size: bytes.length, digest: createHash('sha256').update(bytes).digest('hex'), bytes };
      const arrivals = given.map((email) => ({ email, threadKeys: [], announce: true, act: false }));
      return { given, stored: await emails.accept({ identity: [identity], content, arrivals }) };
    }

    async function contentOf(id: string): Promise<string> {
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of store.read(id)) pieces.push(piece);
      } catch {
        return '';
      }
      return Buffer.concat(pieces).toString();
    }

    it('keeps an email as it was given, for its team only, with its content', async () => {
      const { given, stored } = await accept();
      const [email] = given as [ReceivedEmail];
      expect(stored.id).toBe(email.id);
      expect(await emails.find(teamId, email.id)).toEqual(email);
      expect(await emails.findAny(email.id)).toEqual(email);
      expect(await emails.find(otherTeamId, email.id)).toBeUndefined();
      expect(await emails.findAny(newId())).toBeUndefined();
      expect(await contentOf(email.contentId)).toBe('Hello');
    });

    it('keeps an email for each team among the recipients, with one content', async () => {
      const { given } = await accept([{ recipients: ['a@acme.test'] }, { teamId: otherTeamId }]);
      const [mine, theirs] = given as [ReceivedEmail, ReceivedEmail];
      expect(await emails.find(teamId, mine.id)).toEqual(mine);
      expect(await emails.find(otherTeamId, theirs.id)).toEqual(theirs);
      expect(theirs.contentId).toBe(mine.contentId);
    });

    it('stores a message once until its sender knows that it was taken, and then again', async () => {
      const first = (await accept([{}], 'same')).stored;
      expect((await accept([{}], 'same')).stored).toEqual(first);
      expect((await accept([{}], 'other')).stored.id).not.toBe(first.id);
      await emails.confirm(first.receipt);
      await emails.confirm(first.receipt);
      const second = (await accept([{}], 'same')).stored;
      expect(second.id).not.toBe(first.id);
      expect((await accept([{}], 'same')).stored).toEqual(second);
      await emails.confirm(second.receipt);
      await emails.confirm((await accept([{}], 'other')).stored.receipt);
      const { items } = await emails.list(teamId, { limit: 100 }, {});
      expect(items).toHaveLength(3);
    });

    it('stores one of the same messages that arrive at the same moment', async () => {
      const identity = newId();
      const all = await Promise.all(Array.from({ length: 10 }, () => accept([{}], identity)));
      const ids = new Set(all.map(({ stored }) => stored.id));
      expect(ids.size).toBe(1);
      const { items } = await emails.list(teamId, { limit: 100 }, {});
      expect(items.map(({ id }) => id)).toEqual([...ids]);
    });

    it('lists the newest first, in pages in both directions, of one team', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) ids.unshift((await accept()).stored.id);
      await accept([{ teamId: otherTeamId }]);
      const page = async (request: { limit: number; after?: string; before?: string }) => {
        const { items, hasMore } = await emails.list(teamId, request, {});
        return items.map(({ id }) => ids.indexOf(id)).join('') + (hasMore ? '…' : '');
      };
      expect(await page({ limit: 10 })).toBe('01234');
      expect(await page({ limit: 2 })).toBe('01…');
      expect(await page({ limit: 2, after: ids[1] })).toBe('23…');
      expect(await page({ limit: 2, after: ids[3] })).toBe('4');
      expect(await page({ limit: 2, before: ids[3] })).toBe('12…');
      expect(await page({ limit: 3, before: ids[2] })).toBe('01');
    });

    it('lists the mail of one thread, and of one author whatever the case of the address', async () => {
      const threadId = newId();
      const { stored: one } = await accept([{ threadId }]);
      const { stored: two } = await accept([{ threadId, from: 'bob@customer.test' }]);
      const idsOf = async (filter: object) =>
        (await emails.list(teamId, { limit: 10 }, filter)).items.map(({ id }) => id);
      expect(await idsOf({ threadId })).toEqual([two.id, one.id]);
      expect(await idsOf({ from: 'ada@customer.test' })).toEqual([one.id]);
      expect(await idsOf({ threadId, from: 'bob@customer.test' })).toEqual([two.id]);
      expect(await idsOf({ from: 'nobody@customer.test' })).toEqual([]);
    });

    it('erases the mail of one author, some at a time, with the contents that nobody else has', async () => {
      const { given: shared } = await accept([{}, { teamId: otherTeamId }]);
      const { stored: alone } = await accept([{ from: 'ADA@customer.test' }]);
      const { stored: bobs } = await accept([{ from: 'bob@customer.test' }]);
      const [mine, theirs] = shared as [ReceivedEmail, ReceivedEmail];
      expect(await emails.erase(teamId, 'ada@customer.test', 1)).toBe(1);
      expect(await emails.erase(teamId, 'ada@customer.test', 10)).toBe(1);
      expect(await emails.erase(teamId, 'ada@customer.test', 10)).toBe(0);
      const { items } = await emails.list(teamId, { limit: 10 }, {});
      expect(items.map(({ id }) => id)).toEqual([bobs.id]);
      expect(await emails.find(otherTeamId, theirs.id)).toEqual(theirs);
      expect(await contentOf(mine.contentId)).toBe('Hello');
      expect(await contentOf(alone.id)).toBe('');
      expect(await emails.erase(otherTeamId, 'ada@customer.test', 10)).toBe(1);
      expect(await contentOf(mine.contentId)).toBe('');
    });

    it('removes the contents of erased emails later where the process ended in between', async () => {
      const { stored: one } = await accept();
      const { stored: two } = await accept([{ from: 'bob@b.test', recipients: ['ada@customer.test'], to: [] }]);
      const remove = store.remove.bind(store);
      store.remove = () => Promise.reject(new Error('killed'));
      await expect(emails.erase(teamId, 'ada@customer.test', 10)).rejects.toThrow('killed');
      store.remove = remove;
      expect(await emails.erase(teamId, 'ada@customer.test', 10)).toBe(0);
      expect(await contentOf(one.id)).toBe('');
      store.remove = () => Promise.reject(new Error('killed'));
      await expect(emails.eraseRecipient(teamId, 'ada@customer.test', one.id, 10)).rejects.toThrow('killed');
      store.remove = remove;
      expect((await emails.eraseRecipient(teamId, 'ada@customer.test', one.id, 10)).erased).toBe(0);
      expect(await contentOf(two.id)).toBe('');
    });

    it('erases an author and a recipient in every spelling, and nobody whose address only contains theirs', async () => {
      const { stored: author } = await accept([{ from: 'İan@customer.test' }]);
      const { stored: named } = await accept([
        { from: 'bob@b.test', recipients: ['İAN@customer.test'], to: ['x@b.test'] },
      ]);
      const { stored: other } = await accept([{ from: 'ian@customer.test', trace: 'for <vivian@customer.test>\r\n' }]);
      const address = 'İan@customer.test'.toLowerCase();
      await emails.erase(teamId, address, 10);
      await emails.eraseRecipient(teamId, address, '00000000-0000-0000-0000-000000000000', 10);
      expect(await emails.find(teamId, author.id)).toBeUndefined();
      expect((await emails.find(teamId, named.id))?.recipients).toEqual(['erased']);
      expect(await emails.find(teamId, other.id)).toMatchObject({ from: 'ian@customer.test' });
      await emails.eraseRecipient(teamId, 'ian@customer.test', '00000000-0000-0000-0000-000000000000', 10);
      expect(await emails.find(teamId, other.id)).toBeUndefined();
    });

    it('takes an address out of the mail of others, and deletes mail to nobody else', async () => {
      const ada = { from: 'bob@b.test', recipients: ['ADA@acme.test'], to: ['Ada@acme.test'] };
      const { stored: alone } = await accept([ada]);
      const { stored: both } = await accept([{ ...ada, cc: ['x@b.test'], trace: 'Received: for <ADA@acme.test>\r\n' }]);
      const { stored: replies } = await accept([
        { from: 'bob@b.test', replyTo: ['ada@acme.test'], mailFrom: 'x@y.test' },
      ]);
      await accept();
      const { stored: theirs } = await accept([{ ...ada, teamId: otherTeamId }]);
      const first = await emails.eraseRecipient(teamId, 'ada@acme.test', '00000000-0000-0000-0000-000000000000', 2);
      expect(first).toEqual({ erased: 2, last: both.id, isWaiting: false });
      expect(await emails.eraseRecipient(teamId, 'ada@acme.test', both.id, 3)).toEqual({
        erased: 1,
        last: undefined,
        isWaiting: false,
      });
      expect(await emails.find(teamId, alone.id)).toBeUndefined();
      expect(await contentOf(alone.id)).toBe('');
      const kept = await emails.find(teamId, both.id);
      expect(kept).toMatchObject({ from: 'bob@b.test', recipients: ['erased'], to: ['erased'], cc: ['x@b.test'] });
      expect(kept?.trace.toLowerCase()).not.toContain('ada@');
      expect(await contentOf(both.id)).toBe('Hello');
      expect((await emails.find(teamId, replies.id))?.replyTo).toEqual(['erased']);
      expect((await emails.find(otherTeamId, theirs.id))?.to).toEqual(['Ada@acme.test']);
    });

    it('announces an email that is there', async () => {
      const { given } = await accept();
      await expect(emails.announce(given[0] as ReceivedEmail)).resolves.toBeUndefined();
    });
  });
}
