import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import { SuppressionRepository } from '../../libs/suppressions/src/application/ports/suppression-repository.port.js';
import { concealedPrefix, Suppression, SuppressionOrigin } from '../../libs/suppressions/src/domain/suppression.js';

export interface SuppressionsUnderTest {
  readonly suppressions: SuppressionRepository;
  readonly unitOfWork: UnitOfWork;
  /** The id of a new team. */
  readonly aTeam: () => Promise<string>;
}

/** What every `SuppressionRepository` keeps to. */
export function describeSuppressionRepository(name: string, start: () => Promise<SuppressionsUnderTest>): void {
  describe(`suppressions ${name}`, () => {
    let subject: SuppressionsUnderTest;
    beforeAll(async () => {
      subject = await start();
    });

    const aSuppression = (teamId: string, email: string, fields: Partial<Suppression> = {}): Suppression => ({
      id: newId(),
      teamId,
      email,
      origin: 'manual',
      sourceId: null,
      createdAt: new Date(),
      ...fields,
    });
    const add = (...added: Suppression[]) =>
      subject.unitOfWork.run((transaction) => subject.suppressions.add(added, transaction));
    const remove = (teamId: string, choice: { ids: string[] } | { emails: string[] }) =>
      subject.unitOfWork.run((transaction) => subject.suppressions.remove(teamId, choice, transaction));

    it('a suppression is found by its id and its address, by its team alone', async () => {
      const teamId = await subject.aTeam();
      const one = aSuppression(teamId, 'ada@sink.test', { origin: 'bounce', sourceId: newId() });
      expect(await add(one)).toEqual([one.id]);
      expect(await subject.suppressions.find(teamId, { ids: [one.id] })).toEqual(one);
      expect(await subject.suppressions.find(teamId, { emails: [one.email] })).toEqual(one);
      expect(await subject.suppressions.find(await subject.aTeam(), { ids: [one.id] })).toBeUndefined();
    });

    it('an address that is there keeps its entry, also within one call and for the other team', async () => {
      const [teamId, other] = [await subject.aTeam(), await subject.aTeam()];
      const first = aSuppression(teamId, 'ada@sink.test');
      await add(first);
      const [twice, theirs] = [aSuppression(teamId, 'eve@sink.test'), aSuppression(other, 'ada@sink.test')];
      const again = aSuppression(teamId, 'ada@sink.test', { origin: 'complaint' });
      expect(await add(twice, again, aSuppression(teamId, 'eve@sink.test'), theirs)).toEqual([
        twice.id,
        first.id,
        twice.id,
        theirs.id,
      ]);
      expect((await subject.suppressions.find(teamId, { ids: [first.id] }))?.origin).toBe('manual');
    });

    it('nothing stays of a transaction that fails', async () => {
      const teamId = await subject.aTeam();
      const kept = aSuppression(teamId, 'kept@sink.test');
      await add(kept);
      const failing = subject.unitOfWork.run(async (transaction) => {
        await subject.suppressions.add([aSuppression(teamId, 'new@sink.test')], transaction);
        await subject.suppressions.remove(teamId, { ids: [kept.id] }, transaction);
        throw new Error('later');
      });
      await expect(failing).rejects.toThrow('later');
      const { items } = await subject.suppressions.list(teamId, { limit: 10 }, undefined);
      expect(items).toEqual([kept]);
    });

    it('those of a team are listed newest first, all or of one origin, in pages of both directions', async () => {
      const teamId = await subject.aTeam();
      await add(aSuppression(await subject.aTeam(), 'other@sink.test'));
      const origins: SuppressionOrigin[] = ['bounce', 'manual', 'bounce', 'bounce'];
      const all = origins.map((origin, n) => aSuppression(teamId, `${n}@sink.test`, { origin }));
      await add(...all);
      const page = async (request: { after?: string; before?: string }, origin?: SuppressionOrigin) => {
        const { items, hasMore } = await subject.suppressions.list(teamId, { limit: 2, ...request }, origin);
        return [items.map(({ email }) => Number(email[0])), hasMore];
      };
      expect(await page({})).toEqual([[3, 2], true]);
      expect(await page({ after: all[2]?.id })).toEqual([[1, 0], false]);
      expect(await page({ before: all[0]?.id })).toEqual([[2, 1], true]);
      expect(await page({ after: all[2]?.id }, 'bounce')).toEqual([[0], false]);
    });

    it('what is removed comes back in the order asked, without what is not there', async () => {
      const teamId = await subject.aTeam();
      const [ada, eve] = [aSuppression(teamId, 'ada@sink.test'), aSuppression(teamId, 'eve@sink.test')];
      await add(ada, eve);
      expect(await remove(await subject.aTeam(), { ids: [ada.id] })).toEqual([]);
      expect(await remove(teamId, { emails: ['eve@sink.test', 'no@sink.test', 'ada@sink.test'] })).toEqual([eve, ada]);
      expect(await remove(teamId, { ids: [ada.id] })).toEqual([]);
    });

    it('of many addresses it tells those that are suppressed for the team beside them', async () => {
      const [teamId, other] = [await subject.aTeam(), await subject.aTeam()];
      await add(aSuppression(teamId, 'ada@sink.test', { origin: 'complaint' }), aSuppression(other, 'eve@sink.test'));
      const asked = [
        { teamId, email: 'ada@sink.test' },
        { teamId, email: 'eve@sink.test' },
        { teamId: other, email: 'ada@sink.test' },
      ];
      const found = await subject.unitOfWork.run((transaction) => subject.suppressions.among(asked, transaction));
      expect(found.map(({ email, origin }) => [email, origin])).toEqual([['ada@sink.test', 'complaint']]);
    });

    it('it tells the teams that have concealed addresses', async () => {
      const [teamId, other, third] = [await subject.aTeam(), await subject.aTeam(), await subject.aTeam()];
      await add(aSuppression(teamId, 'ada@sink.test'), aSuppression(other, 'ada@sink.test'));
      await add(aSuppression(third, 'ada@sink.test'));
      const conceal = (id: string): Promise<unknown> =>
        subject.unitOfWork.run((transaction) =>
          subject.suppressions.replaceAddress(id, 'ada@sink.test', `${concealedPrefix}3q2-7w`, transaction),
        );
      await conceal(teamId);
      await conceal(third);
      const teams = await subject.unitOfWork.run((transaction) =>
        subject.suppressions.teamsThatConceal([teamId, other], transaction),
      );
      expect([...teams]).toEqual([teamId]);
    });
  });
}
