import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import { InboxRepository } from '../../libs/inboxes/src/application/ports/inbox-repository.port.js';
import { Inbox, InboxLabel } from '../../libs/inboxes/src/domain/inbox.js';

interface Rig {
  readonly inboxes: InboxRepository;
  readonly unitOfWork: UnitOfWork;
  /** Makes a team. */
  readonly aTeam: () => Promise<string>;
}

/** What every store of inboxes must do. */
export function describeInboxRepository(name: string, rig: () => Promise<Rig>): void {
  describe(`the inboxes ${name}`, () => {
    let inboxes: InboxRepository;
    let unitOfWork: UnitOfWork;
    let teamId: string;
    let otherTeamId: string;

    beforeEach(async () => {
      const given = await rig();
      ({ inboxes, unitOfWork } = given);
      [teamId, otherTeamId] = [await given.aTeam(), await given.aTeam()];
    });

    const inboxOf = (team: string, address: string, fields: Partial<Inbox> = {}): Inbox => ({
      id: newId(),
      teamId: team,
      domainId: newId(),
      address,
      receivingAddress: null,
      name: null,
      fromName: null,
      unread: 0,
      lastReceivedAt: null,
      agent: { instructions: null, tone: null, actions: [] },
      createdAt: new Date('2026-11-28T10:00:00.123Z'),
      updatedAt: new Date('2026-11-28T10:00:00.123Z'),
      ...fields,
    });
    const add = (inbox: Inbox, max = 10) => unitOfWork.run((transaction) => inboxes.add(inbox, max, transaction));
    const labelOf = (name: string, color = '#E5484D'): InboxLabel => ({
      id: newId(),
      name,
      color,
      createdAt: new Date('2026-11-28T10:00:00Z'),
    });

    it('keep an inbox for its team', async () => {
      const inbox = inboxOf(teamId, 'a@acme.test', {
        name: 'Support',
        fromName: 'Acme',
        receivingAddress: `r${newId()}@x`,
      });
      expect(await add(inbox)).toBe('added');
      expect(await inboxes.find(teamId, inbox.id)).toEqual(inbox);
      expect(await inboxes.find(teamId, 'a@acme.test')).toEqual(inbox);
      expect(await inboxes.find(otherTeamId, inbox.id)).toBeUndefined();
      expect(await inboxes.find(otherTeamId, 'a@acme.test')).toBeUndefined();
      expect(await inboxes.ofReceivingAddress(inbox.receivingAddress ?? '')).toMatchObject({ teamId });
      expect(await inboxes.ofReceivingAddress('other@x')).toBeUndefined();
      expect(await inboxes.openDrafts(inbox.id)).toBe(0);
    });

    it('have an address once in a team, and at most as many as allowed', async () => {
      expect(await add(inboxOf(teamId, 'a@acme.test'), 2)).toBe('added');
      expect(await add(inboxOf(teamId, 'a@acme.test'), 2)).toBe('taken');
      expect(await add(inboxOf(otherTeamId, 'a@acme.test'), 2)).toBe('added');
      const results = await Promise.all(['b', 'c', 'd'].map((local) => add(inboxOf(teamId, `${local}@acme.test`), 2)));
      expect(results.sort()).toEqual(['added', 'full', 'full']);
      expect((await inboxes.addresses(teamId)).size).toBe(2);
    });

    it('are listed newest first', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) {
        const inbox = inboxOf(teamId, `${n}@acme.test`);
        ids.unshift(inbox.id);
        await add(inbox);
      }
      const page = await inboxes.list(teamId, { limit: 2 });
      expect(page).toMatchObject({ items: [{ id: ids[0] }, { id: ids[1] }], hasMore: true });
      const next = await inboxes.list(teamId, { limit: 2, after: ids[1] });
      expect(next).toMatchObject({ items: [{ id: ids[2] }], hasMore: false });
      expect((await inboxes.list(otherTeamId, { limit: 2 })).items).toEqual([]);
    });

    it('are changed and removed', async () => {
      const inbox = inboxOf(teamId, 'a@acme.test', { name: 'Support' });
      await add(inbox);
      await inboxes.addLabel(inbox.id, labelOf('Urgent'), 10);
      const changed: Inbox = {
        ...inbox,
        name: null,
        fromName: 'Acme',
        agent: { instructions: 'Be kind.', tone: 'concise_casual', actions: ['archive', 'add_labels'] },
        updatedAt: new Date('2026-11-28T11:00:00Z'),
      };
      await unitOfWork.run(async (transaction) => {
        expect(await inboxes.lock(otherTeamId, inbox.id, transaction)).toBeUndefined();
        expect(await inboxes.lock(teamId, inbox.id, transaction)).toEqual(inbox);
        await inboxes.update(changed, transaction);
      });
      expect(await inboxes.find(teamId, inbox.id)).toEqual(changed);
      const remove = (team: string) => unitOfWork.run((transaction) => inboxes.remove(team, inbox.id, transaction));
      expect([await remove(otherTeamId), await remove(teamId), await remove(teamId)]).toEqual([false, true, false]);
      expect(await inboxes.labels(inbox.id)).toEqual([]);
      expect(await inboxes.addLabel(inbox.id, labelOf('Urgent'), 10)).toBeUndefined();
      expect(await inboxes.changeLabel(inbox.id, newId(), { name: 'x' })).toBeUndefined();
    });

    it('have labels, whose names differ in more than case', async () => {
      const [inbox, other] = [inboxOf(teamId, 'a@acme.test'), inboxOf(teamId, 'b@acme.test')];
      for (const each of [inbox, other]) await add(each);
      const [urgent, bug] = [labelOf('Urgent'), labelOf('bug')];
      expect(await inboxes.addLabel(inbox.id, urgent, 2)).toBe('added');
      expect(await inboxes.addLabel(inbox.id, labelOf('URGENT'), 2)).toBe('taken');
      expect(await inboxes.addLabel(inbox.id, bug, 2)).toBe('added');
      expect(await inboxes.addLabel(inbox.id, labelOf('More'), 2)).toBe('full');
      expect(await inboxes.addLabel(other.id, labelOf('Urgent'), 2)).toBe('added');
      expect(await inboxes.labels(inbox.id)).toEqual([bug, urgent]);

      expect(await inboxes.changeLabel(inbox.id, bug.id, { name: 'urgent' })).toBe('taken');
      expect(await inboxes.changeLabel(other.id, bug.id, { color: '#000000' })).toBeUndefined();
      expect(await inboxes.changeLabel(inbox.id, bug.id, { color: '#000000' })).toEqual({ ...bug, color: '#000000' });
      expect(await inboxes.changeLabel(inbox.id, urgent.id, { name: 'URGENT' })).toEqual({ ...urgent, name: 'URGENT' });
      expect(await inboxes.removeLabel(other.id, bug.id)).toBe(false);
      expect(await inboxes.removeLabel(inbox.id, bug.id)).toBe(true);
      expect(await inboxes.removeLabel(inbox.id, bug.id)).toBe(false);
      expect((await inboxes.labels(inbox.id)).map(({ id }) => id)).toEqual([urgent.id]);
    });
  });
}
