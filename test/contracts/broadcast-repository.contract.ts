import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import { BroadcastRepository } from '../../libs/broadcasts/src/application/ports/broadcast-repository.port.js';
import { BroadcastFilter } from '../../libs/broadcasts/src/domain/broadcast-filter.js';
import { Broadcast } from '../../libs/broadcasts/src/domain/broadcast.js';
import { until } from '../support/runner/until.js';

export interface BroadcastsUnderTest {
  readonly broadcasts: BroadcastRepository;
  readonly unitOfWork: UnitOfWork;
  /** The ids of the broadcasts of which `broadcastQueued` was sent. */
  readonly notified: readonly string[];
  /** The id of a new team. */
  readonly aTeam: () => Promise<string>;
}

/** What every `BroadcastRepository` keeps to. */
export function describeBroadcastRepository(name: string, start: () => Promise<BroadcastsUnderTest>): void {
  describe(`broadcasts ${name}`, () => {
    let subject: BroadcastsUnderTest;
    beforeAll(async () => {
      subject = await start();
    });

    const now = new Date('2026-11-21T10:00:00Z');

    async function inserted(fields: Partial<Broadcast> = {}): Promise<Broadcast> {
      const broadcast: Broadcast = {
        id: newId(),
        teamId: fields.teamId ?? (await subject.aTeam()),
        name: null,
        segmentId: newId(),
        topicId: null,
        from: 'news@acme.test',
        replyTo: null,
        subject: 'News',
        previewText: null,
        html: '<p>News</p>',
        text: null,
        document: '{"type":"doc"}',
        contentSource: 'editor',
        contentRevision: 3,
        status: 'draft',
        options: {},
        domainId: null,
        scheduledAt: null,
        queuedAt: null,
        sentAt: null,
        createdAt: now,
        updatedAt: now,
        actor: { kind: 'user', id: newId() },
        ...fields,
      };
      await subject.unitOfWork.run((transaction) => subject.broadcasts.insert(broadcast, transaction));
      return broadcast;
    }

    it('the workers are told of a queued broadcast at its commit', async () => {
      const one = await inserted();
      const other = await inserted({ status: 'queued', queuedAt: now });
      const update = (broadcast: Broadcast, fails: boolean): Promise<void> =>
        subject.unitOfWork.run(async (transaction) => {
          await subject.broadcasts.update(broadcast, transaction);
          if (fails) throw new Error('rolled back');
        });
      await expect(update({ ...one, status: 'queued', queuedAt: now }, true)).rejects.toThrow('rolled back');
      await update({ ...one, subject: 'Changed' }, false);
      await update({ ...other, status: 'paused' }, false);
      await update({ ...other, status: 'queued' }, false);
      await until(() => subject.notified.filter((id) => id === other.id).length === 2);
      expect(subject.notified).not.toContain(one.id);
    });

    it('a broadcast is found as it was written, locked or not, by its team alone', async () => {
      const broadcast = await inserted();
      const { teamId, id } = broadcast;
      expect(await subject.broadcasts.find(teamId, id)).toEqual(broadcast);
      expect(await subject.broadcasts.find(newId(), id)).toBeUndefined();
      const lock = (team: string) =>
        subject.unitOfWork.run((transaction) => subject.broadcasts.lock(team, id, transaction));
      expect([await lock(teamId), await lock(newId())]).toEqual([broadcast, undefined]);
    });

    it('every field can be changed, and a failed transaction changes nothing', async () => {
      const { teamId, id } = await inserted();
      const changed: Broadcast = {
        id,
        teamId,
        name: 'N',
        segmentId: newId(),
        topicId: newId(),
        from: 'b@acme.test',
        replyTo: ['c@acme.test'],
        subject: 'S',
        previewText: 'P',
        html: null,
        text: 'T',
        status: 'paused',
        options: { throttlePerHour: 5 },
        domainId: newId(),
        scheduledAt: now,
        queuedAt: now,
        sentAt: now,
        createdAt: now,
        updatedAt: new Date(),
        document: null,
        contentSource: 'html',
        contentRevision: 4,
        actor: { kind: 'api_key', id: newId() },
      };
      await subject.unitOfWork.run((transaction) => subject.broadcasts.update(changed, transaction));
      expect(await subject.broadcasts.find(teamId, id)).toEqual(changed);
      const failing = subject.unitOfWork.run(async (transaction) => {
        await subject.broadcasts.delete(changed, transaction);
        throw new Error('later');
      });
      await expect(failing).rejects.toThrow('later');
      expect(await subject.broadcasts.find(teamId, id)).toEqual(changed);
      await subject.unitOfWork.run((transaction) => subject.broadcasts.delete(changed, transaction));
      expect(await subject.broadcasts.find(teamId, id)).toBeUndefined();
    });

    it('those of a team are listed newest first, without bodies, in pages of both directions', async () => {
      const teamId = await subject.aTeam();
      await inserted();
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.unshift((await inserted({ teamId, text: 'T' })).id);
      const page = async (request: object) => {
        const { items, hasMore } = await subject.broadcasts.list(teamId, { limit: 2, ...request });
        expect(items.every(({ html, text }) => html === null && text === null)).toBe(true);
        return [items.map(({ id }) => ids.indexOf(id)), hasMore];
      };
      expect(await page({})).toEqual([[0, 1], true]);
      expect(await page({ after: ids[1] })).toEqual([[2], false]);
      expect(await page({ before: ids[2] })).toEqual([[0, 1], false]);
    });

    it('a filter finds states and parts of names and subjects, in pages of both directions', async () => {
      const teamId = await subject.aTeam();
      const ids: string[] = [];
      for (const fields of [
        { name: 'Spring NEWS', subject: 'Hello' },
        { name: 'Other', subject: 'What is news_100% true', status: 'sent' as const },
        { name: null, subject: 'News', status: 'canceled' as const },
        { name: 'Other', subject: 'Nothing' },
      ]) {
        ids.push((await inserted({ teamId, ...fields })).id);
      }
      const found = async (filter: BroadcastFilter, request: object = {}) => {
        const { items, hasMore, next } = await subject.broadcasts.list(teamId, { limit: 2, ...request }, filter);
        return [items.map(({ id }) => ids.indexOf(id)), hasMore, next == null ? next : ids.indexOf(next)];
      };
      expect(await found({ text: 'news' })).toEqual([[2, 1], true, 1]);
      expect(await found({ text: 'news' }, { after: ids[1] })).toEqual([[0], false, null]);
      expect(await found({ text: 'news' }, { before: ids[0] })).toEqual([[2, 1], false, null]);
      expect(await found({ text: 'news' }, { limit: 1, before: ids[0] })).toEqual([[1], true, 1]);
      expect(await found({ text: 's_100%' })).toEqual([[1], false, null]);
      expect(await found({ statuses: ['draft'] })).toEqual([[3, 0], false, null]);
      expect(await found({ statuses: ['sent', 'draft'], text: 'other' })).toEqual([[3, 1], false, null]);
      expect(await found({ text: 'absent' })).toEqual([[], false, null]);
    });

    it('those that are due are locked in the order of their times', async () => {
      const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
      const scheduled = (minutes: number) => inserted({ status: 'scheduled', scheduledAt: at(minutes) });
      const [second, first] = [await scheduled(2), await scheduled(1)];
      const ids = [first, second, await scheduled(4), await inserted({ scheduledAt: at(0) })].map(({ id }) => id);
      const due = await subject.unitOfWork.run((transaction) => subject.broadcasts.lockDue(at(3), 9, transaction));
      expect(due.map(({ id }) => ids.indexOf(id))).toEqual([0, 1]);
      const one = await subject.unitOfWork.run((transaction) => subject.broadcasts.lockDue(at(3), 1, transaction));
      expect(one).toEqual([first]);
    });
  });
}
