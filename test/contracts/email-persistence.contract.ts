import { beforeAll, describe, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId, UnitOfWork } from '#kernel';
import { AcceptEmails } from '#emails';
import { EmailRepository } from '../../libs/emails/src/application/ports/email-repository.port.js';
import { ScheduledEmails } from '../../libs/emails/src/application/ports/outbound-queue.port.js';
import { AcceptedEmail, envelopeOf } from '../../libs/emails/src/domain/accepted-email.js';
import { composedEmail, CompleteDraft, parseDraft } from '../../libs/emails/src/domain/draft.js';
import { RecipientChange } from '../../libs/emails/src/domain/email-events.js';
import { aRequest, anIdempotentRequest } from '../support/fakes/in-memory-sending.js';

export interface EmailsUnderTest {
  /** With the `AcceptedEmails` under test. */
  readonly acceptance: AcceptEmails;
  readonly emails: EmailRepository;
  readonly scheduled: ScheduledEmails;
  readonly unitOfWork: UnitOfWork;
  readonly domainId: string;
}

const hourMs = 3_600_000;

/** The tests that every `AcceptedEmails` with its `EmailRepository` and `ScheduledEmails` must pass. */
export function describeEmailPersistence(name: string, start: () => Promise<EmailsUnderTest>): void {
  describe(`emails ${name}`, () => {
    let subject: EmailsUnderTest;
    let teamId: string;
    beforeAll(async () => {
      subject = await start();
      teamId = newId();
    });

    const now = new Date();
    const inHours = (hours: number): Date => new Date(now.getTime() + hours * hourMs);
    const anEmail = (fields: object = {}, team = teamId): AcceptedEmail => {
      const { actor } = Principal.ofUser({ id: newId(), teamId: team, role: 'owner' });
      const draft = parseDraft(aRequest(fields), now) as CompleteDraft;
      return composedEmail(
        { teamId: team, actor, domainId: subject.domainId, region: 'eu-west-1' },
        draft,
        envelopeOf(draft.to),
        now,
      );
    };
    const accept = (emails: readonly AcceptedEmail[], key?: string, response: unknown = 'first') => {
      const request = key === undefined ? undefined : anIdempotentRequest(teamId, key);
      const claim = request && { request, response, claimedAt: now };
      return subject.acceptance.commit({ emails, claim, isLikelyRefused: false });
    };
    const acceptOne = async (fields: object = {}): Promise<string> => {
      const email = anEmail(fields);
      await accept([email]);
      return email.email.id;
    };
    const eventsOf = async (id: string) =>
      (await subject.emails.events(teamId, id, 0, 100)).map(({ seq, type, recipient }) => [seq, type, recipient]);
    const record = (changes: readonly RecipientChange[]) =>
      subject.unitOfWork.run((transaction) => subject.emails.recordChanges(changes, transaction));

    it('an accepted email can be read with its content, by its team only', async () => {
      const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('file') }];
      const accepted = anEmail({ html: '<p>Hi</p>', attachments, tags: [{ name: 'a', value: 'b' }] });
      expect(await accept([accepted])).toEqual({ kind: 'accepted' });
      const { id, actor } = accepted.email;
      const email = await subject.emails.find(id, teamId);
      expect(email).toMatchObject({ ...accepted.email });
      expect(email?.actor).toEqual(actor);
      expect(await subject.emails.find(id, newId())).toBeUndefined();
      const outgoing = (await subject.emails.load([id, newId()])).get(id);
      expect(outgoing?.body).toEqual({ html: '<p>Hi</p>', text: 'Hi' });
      expect([...(outgoing?.attachmentContents.values() ?? [])].map((bytes) => Buffer.from(bytes).toString())).toEqual([
        'file',
      ]);
      expect(await eventsOf(id)).toEqual([[1, 'email.sent', 'ada@sink.test']]);
      expect(await subject.unitOfWork.run((transaction) => subject.emails.teamsOf([id, newId()], transaction))).toEqual(
        new Map([[id, teamId]]),
      );
      const untagged = anEmail();
      await accept([untagged]);
      expect(await subject.emails.tagsOf([id, untagged.email.id, newId()])).toEqual(
        new Map([[id, [{ name: 'a', value: 'b' }]]]),
      );
    });

    it('only one of several concurrent requests with the same idempotency key is accepted', async () => {
      const attempts = [anEmail(), anEmail(), anEmail()];
      const results = await Promise.allSettled(attempts.map((email) => accept([email], 'same')));
      const kinds = results.map((result) => (result.status === 'fulfilled' ? result.value.kind : 'refused'));
      expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(1);
      expect(await accept([anEmail()], 'same', 'second')).toEqual({ kind: 'repeated', response: 'first' });
      const found = await Promise.all(attempts.map(({ email }) => subject.emails.find(email.id)));
      expect(found.filter((email) => email !== undefined)).toHaveLength(1);
    });

    it('emails are listed newest first, in pages forwards and backwards', async () => {
      const team = newId();
      const emails = Array.from({ length: 4 }, () => anEmail({}, team));
      await accept(emails);
      const ids = emails.map(({ email }) => email.id).reverse();
      const page = async (request: { after?: string; before?: string }) => {
        const { items, hasMore } = await subject.emails.list(team, { limit: 2, ...request });
        return [items.map(({ id }) => ids.indexOf(id)), hasMore];
      };
      expect(await page({})).toEqual([[0, 1], true]);
      expect(await page({ after: ids[1] })).toEqual([[2, 3], false]);
      expect(await page({ before: ids[3] })).toEqual([[1, 2], true]);
      await expect(page({ after: 'x' })).rejects.toThrow('cursor');
    });

    it('a recipient changes status until a final one, and each change adds an event', async () => {
      const id = await acceptOne({ to: ['a@sink.test', 'b@sink.test'] });
      const move = (recipientNo: number, status: RecipientChange['status'], event: RecipientChange['event']) => ({
        emailId: id,
        recipientNo,
        status,
        event,
        data: { [status]: true },
        at: new Date(),
      });
      await record([move(0, 'delayed', 'email.delivery_delayed')]);
      await record([move(0, 'delayed', 'email.delivery_delayed'), move(1, 'bounced', 'email.bounced')]);
      await record([move(0, 'delivered', 'email.delivered'), move(1, 'delivered', 'email.delivered')]);
      await record([move(0, 'complained', 'email.complained')]);
      await record([move(0, 'complained', 'email.complained')]);
      const locked = await subject.unitOfWork.run((transaction) => subject.emails.lockRecipient(id, 0, transaction));
      expect(locked).toEqual({ teamId, address: 'a@sink.test', status: 'complained', wasDelayed: true });
      expect((await eventsOf(id)).slice(2)).toEqual([
        [3, 'email.delivery_delayed', 'a@sink.test'],
        [4, 'email.bounced', 'b@sink.test'],
        [5, 'email.delivered', 'a@sink.test'],
        [6, 'email.complained', 'a@sink.test'],
      ]);
      expect((await subject.emails.find(id))?.lastEvent).toBe('complained');
      expect(await subject.emails.events(teamId, id, 5, 10)).toMatchObject([{ seq: 6, data: { complained: true } }]);
    });

    it('a scheduled email is released when it is due, by only one of two concurrent calls', async () => {
      const id = await acceptOne({ scheduledAt: inHours(1) });
      expect(await eventsOf(id)).toEqual([[1, 'email.scheduled', null]]);
      expect(await subject.scheduled.release(now, 10)).toBe(0);
      const released = await Promise.all([inHours(2), inHours(2)].map((due) => subject.scheduled.release(due, 10)));
      expect(released.sort()).toEqual([0, 1]);
      expect(await eventsOf(id)).toEqual([
        [1, 'email.scheduled', null],
        [2, 'email.sent', 'ada@sink.test'],
      ]);
      expect((await subject.emails.find(id))?.lastEvent).toBe('sent');
      expect(await subject.scheduled.reschedule(teamId, id, inHours(3))).toBe(false);
      expect(await subject.scheduled.cancel(teamId, id, now)).toBe(false);
    });

    it('release takes at most the given number of emails, the longest due first', async () => {
      const late = await acceptOne({ scheduledAt: inHours(2) });
      const early = await acceptOne({ scheduledAt: inHours(1) });
      const state = async () =>
        Promise.all([early, late].map(async (id) => (await subject.emails.find(id))?.lastEvent));
      expect(await subject.scheduled.release(inHours(3), 1)).toBe(1);
      expect(await state()).toEqual(['sent', 'scheduled']);
      expect(await subject.scheduled.release(inHours(3), 1)).toBe(1);
    });

    it('only its team can reschedule or cancel a scheduled email', async () => {
      const id = await acceptOne({ scheduledAt: inHours(1) });
      expect(await subject.scheduled.reschedule(newId(), id, inHours(5))).toBe(false);
      expect(await subject.scheduled.reschedule(teamId, id, inHours(5))).toBe(true);
      expect((await subject.emails.find(id))?.scheduledAt).toEqual(inHours(5));
      expect(await subject.scheduled.release(inHours(2), 10)).toBe(0);
      expect(await subject.scheduled.cancel(newId(), id, now)).toBe(false);
      expect(await subject.scheduled.cancel(teamId, id, now)).toBe(true);
      expect(await subject.scheduled.release(inHours(6), 10)).toBe(0);
      expect((await eventsOf(id)).at(-1)).toEqual([2, 'email.canceled', null]);
    });

    it('recipients are withdrawn from a scheduled email, and the last one cancels it', async () => {
      const id = await acceptOne({ to: ['a@sink.test', 'b@sink.test', 'c@sink.test'], scheduledAt: inHours(1) });
      await subject.scheduled.withdraw(newId(), id, [0], now);
      expect(await eventsOf(id)).toHaveLength(1);
      await subject.scheduled.withdraw(teamId, id, [0, 2], now);
      expect((await eventsOf(id)).slice(1)).toEqual([
        [2, 'email.suppressed', 'a@sink.test'],
        [3, 'email.suppressed', 'c@sink.test'],
      ]);
      expect((await subject.emails.find(id))?.lastEvent).toBe('scheduled');
      await subject.scheduled.release(inHours(2), 10);
      expect((await eventsOf(id)).slice(3)).toEqual([[4, 'email.sent', 'b@sink.test']]);
      const alone = await acceptOne({ scheduledAt: inHours(1) });
      await subject.scheduled.withdraw(teamId, alone, [0], now);
      expect((await eventsOf(alone)).at(-1)).toEqual([2, 'email.canceled', null]);
      expect(await subject.scheduled.release(inHours(6), 10)).toBe(0);
    });
  });
}
