import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import { ApiKeyRepository, TeamRepository } from '../../libs/identity/src/application/ports/teams-and-api-keys.port.js';
import { ApiKey } from '../../libs/identity/src/domain/api-key.js';
import { anApiKey } from '../support/fakes/in-memory-identity.js';

export interface IdentityUnderTest {
  readonly apiKeys: ApiKeyRepository;
  readonly teams: TeamRepository;
  readonly unitOfWork: UnitOfWork;
}

/** The tests that every `ApiKeyRepository` and `TeamRepository` must pass. */
export function describeIdentityRepositories(name: string, start: () => Promise<IdentityUnderTest>): void {
  describe(`keys and teams ${name}`, () => {
    let subject: IdentityUnderTest;
    beforeAll(async () => {
      subject = await start();
    });

    const aTeam = async (): Promise<string> => {
      const id = newId();
      await subject.unitOfWork.run((transaction) =>
        subject.teams.insert({ id, name: 'Team', defaultFrom: null, createdAt: new Date() }, transaction),
      );
      return id;
    };
    const add = async (teamId: string, fields: Partial<ApiKey> = {}): Promise<ApiKey> => {
      const key = anApiKey({ teamId, ...fields });
      await subject.unitOfWork.run((transaction) => subject.apiKeys.insert(key, transaction));
      return key;
    };
    const find = ({ tokenHash }: ApiKey) => subject.apiKeys.findByTokenHash(tokenHash);

    it('a key is found by the hash of its token', async () => {
      const key = await add(await aTeam(), { permission: 'sending_access', domainId: newId() });
      expect(await find(key)).toMatchObject({ ...key, tokenHash: expect.anything() });
      expect(await find(anApiKey({ teamId: newId() }))).toBeUndefined();
      expect(await subject.apiKeys.findById(key.id)).toMatchObject({ id: key.id, teamId: key.teamId });
      expect(await subject.apiKeys.findById(newId())).toBeUndefined();
    });

    it('a transaction that fails stores nothing', async () => {
      const key = anApiKey({ teamId: await aTeam() });
      const failing = subject.unitOfWork.run(async (transaction) => {
        await subject.apiKeys.insert(key, transaction);
        throw new Error('later');
      });
      await expect(failing).rejects.toThrow('later');
      expect(await find(key)).toBeUndefined();
    });

    it('the keys of a team are listed newest first, in pages forwards and backwards', async () => {
      const teamId = await aTeam();
      await add(await aTeam());
      const ids: string[] = [];
      for (let i = 0; i < 4; i++) ids.unshift((await add(teamId)).id);
      const page = async (request: { after?: string; before?: string }) => {
        const { items, hasMore } = await subject.apiKeys.list(teamId, { limit: 2, ...request });
        return [items.map(({ id }) => ids.indexOf(id)), hasMore];
      };
      expect(await page({})).toEqual([[0, 1], true]);
      expect(await page({ after: ids[1] })).toEqual([[2, 3], false]);
      expect(await page({ before: ids[3] })).toEqual([[1, 2], true]);
      expect(await page({ before: ids[1] })).toEqual([[0], false]);
    });

    it('only the team of a key finds and changes it, and what is not given stays', async () => {
      const rules = { allowedIps: ['192.0.2.0/24'], allowedRecipientDomains: ['a.test'], dailyLimit: 5 };
      const key = await add(await aTeam(), rules);
      expect(await subject.apiKeys.find(newId(), key.id)).toBeUndefined();
      expect(await subject.apiKeys.change(newId(), key.id, { name: 'Theirs' })).toBe('unknown');
      expect(await find(key)).toMatchObject({ name: 'Key', ...rules });
      expect(await subject.apiKeys.change(key.teamId, key.id, { name: 'New' })).toBe('changed');
      expect(await subject.apiKeys.change(key.teamId, key.id, { allowedIps: null, dailyLimit: 7 })).toBe('changed');
      const changed = { ...rules, name: 'New', allowedIps: null, dailyLimit: 7 };
      expect(await subject.apiKeys.find(key.teamId, key.id)).toMatchObject(changed);
      // The cached key as well.
      expect(await find(key)).toMatchObject(changed);
    });

    it('the last key with full access cannot be deleted, even if two are deleted at the same time', async () => {
      const teamId = await aTeam();
      const [one, other] = [await add(teamId), await add(teamId)];
      const sending = await add(teamId, { permission: 'sending_access' });
      const results = await Promise.all([one, other].map(({ id }) => subject.apiKeys.delete(teamId, id)));
      expect(results.sort()).toEqual(['deleted', 'last']);
      expect(await subject.apiKeys.delete(newId(), sending.id)).toBe('unknown');
      expect(await subject.apiKeys.delete(teamId, sending.id)).toBe('deleted');
      expect(await find(sending)).toBeUndefined();
      expect(await subject.apiKeys.delete(teamId, sending.id)).toBe('unknown');
    });

    it('an earlier use does not replace the time of a later one', async () => {
      const { id, teamId } = await add(await aTeam());
      const lastUse = async () => (await subject.apiKeys.list(teamId, { limit: 1 })).items[0]?.lastUsedAt;
      const [early, late] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-02T00:00:00Z')];
      for (const at of [late, early])
        await subject.apiKeys.recordUse(
          new Map([
            [id, at],
            [newId(), at],
          ]),
        );
      expect(await lastUse()).toEqual(late);
    });

    it('teams are listed newest first, or those whose name has a text, in pages', async () => {
      const ids = [newId(), newId(), newId()];
      const names = ['100% Shoes', '100 shoes', 'Hats'];
      await subject.unitOfWork.run(async (transaction) => {
        for (const [no, id] of ids.entries()) {
          await subject.teams.insert(
            { id, name: names[no] ?? '', defaultFrom: null, createdAt: new Date() },
            transaction,
          );
        }
      });
      const found = async (search: string, after?: string) =>
        (await subject.teams.list({ limit: 1, after }, search)).items.map(({ name }) => name);
      expect([await found('SHOES'), await found('SHOES', ids[1]), await found('SHOES', ids[0])]).toEqual([
        ['100 shoes'],
        ['100% Shoes'],
        [],
      ]);
      expect(await found('0%')).toEqual(['100% Shoes']);
      expect((await subject.teams.list({ limit: 1 })).items.map(({ name }) => name)).toEqual(['Hats']);
    });

    it('anyExists is true once there is a team', async () => {
      await aTeam();
      expect(await subject.unitOfWork.run((transaction) => subject.teams.anyExists(transaction))).toBe(true);
    });
  });
}
