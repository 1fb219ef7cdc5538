import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import { DomainRepository } from '../../libs/domains/src/application/ports/domain-repository.port.js';
import { Domain, NewSigningKey } from '../../libs/domains/src/domain/domain.js';
import { until } from '../support/runner/until.js';

export interface DomainsUnderTest {
  readonly domains: DomainRepository;
  readonly unitOfWork: UnitOfWork;
  /** The id of a new team. */
  readonly aTeam: () => Promise<string>;
}

/** What every `DomainRepository` keeps to. */
export function describeDomainRepository(name: string, start: () => Promise<DomainsUnderTest>): void {
  describe(`domains ${name}`, () => {
    let subject: DomainsUnderTest;
    let domains: DomainRepository;
    beforeAll(async () => {
      subject = await start();
      ({ domains } = subject);
    });

    const aDomain = (teamId: string, fields: Partial<Domain> = {}): Domain => {
      const id = newId();
      return {
        id,
        teamId,
        name: `${id}.test`,
        status: 'not_started',
        region: 'us-east-1',
        standIn: null,
        movedAt: null,
        failover: false,
        customReturnPath: 'send',
        tls: 'opportunistic',
        openTracking: false,
        clickTracking: true,
        trackingSubdomain: 'links',
        sending: true,
        receiving: false,
        dkimPublication: 'txt',
        dkimGeneration: 1,
        sandbox: false,
        checks: { spf: { purpose: 'sending', status: 'not_started' } },
        dnsProvider: null,
        brandLogo: null,
        checkedAt: null,
        nextCheckAt: null,
        version: 0,
        createdAt: new Date(),
        ...fields,
      };
    };
    const aKey = (domain: Domain, fields: Partial<NewSigningKey> = {}): NewSigningKey => ({
      id: newId(),
      domainId: domain.id,
      domainName: domain.name,
      selector: 'postrider',
      algorithm: 'rsa-sha256',
      publicKey: 'public',
      privateKey: 'private',
      signing: true,
      createdAt: new Date(),
      ...fields,
    });
    const insert = async (domain: Domain, ...keys: NewSigningKey[]): Promise<Domain> => {
      await subject.unitOfWork.run((transaction) => domains.insert(domain, keys, transaction));
      return domain;
    };
    const update = (domain: Domain) => subject.unitOfWork.run((transaction) => domains.update(domain, transaction));
    const remove = (id: string, teamId: string) =>
      subject.unitOfWork.run((transaction) => domains.delete(id, teamId, transaction));

    it('a domain is found by its id and its name', async () => {
      const domain = await insert(aDomain(await subject.aTeam()));
      const other = await subject.aTeam();
      expect({ ...(await domains.read(domain.id)) }).toEqual(domain);
      expect({ ...(await domains.findById(domain.id)) }).toEqual(domain);
      expect({ ...(await domains.findOwned(domain.name)) }).toEqual(domain);
      expect({ ...(await domains.findByName(domain.teamId, domain.name)) }).toEqual(domain);
      expect(await domains.findByName(other, domain.name)).toBeUndefined();
      expect(await domains.read(domain.id, other)).toBeUndefined();
      expect([await domains.countOf(domain.teamId), await domains.countOf(other)]).toEqual([1, 0]);
    });

    it('a name belongs to one team, and nothing stays of what is refused', async () => {
      const { name: taken } = await insert(aDomain(await subject.aTeam()));
      const second = aDomain(await subject.aTeam(), { name: taken });
      await expect(insert(second, aKey(second))).rejects.toThrow('has been registered already');
      expect(await domains.read(second.id)).toBeUndefined();
      expect(await domains.keys(second.id)).toEqual([]);
    });

    it('is changed where it has the version that it was read with', async () => {
      const domain = await insert(aDomain(await subject.aTeam()));
      const changes = {
        status: 'pending',
        tls: 'enforced',
        trackingSubdomain: null,
        checks: { spf: { purpose: 'sending', status: 'pending', found: ['x'] } },
        dnsProvider: 'Cloudflare',
        brandLogo: { isDmarcEnforced: true, host: 'default._bimi.a.test', mistake: null, isDeclined: false },
        nextCheckAt: new Date(),
      } as const;
      const results = await Promise.all([update({ ...domain, ...changes }), update({ ...domain, ...changes })]);
      expect(results.sort()).toEqual([false, true]);
      expect({ ...(await domains.read(domain.id)) }).toEqual({ ...domain, ...changes, version: 1 });
      await until(async () => (await domains.findByName(domain.teamId, domain.name))?.tls === 'enforced');
      expect(await update({ ...aDomain(domain.teamId) })).toBe(false);
    });

    it('another region stands in for the domains that want it, and those that moved are listed until they have settled', async () => {
      const region = `region-${newId().slice(-12)}`;
      const teamId = await subject.aTeam();
      const wants = await insert(aDomain(teamId, { region, failover: true }));
      const stays = await insert(aDomain(teamId, { region }));
      const now = new Date();
      expect(await domains.standIn(region, 'elsewhere', now)).toBe(1);
      expect(await domains.standIn(region, 'elsewhere', now)).toBe(0);
      expect(await domains.read(wants.id)).toMatchObject({ region, standIn: 'elsewhere', movedAt: now, version: 1 });
      expect(await domains.read(stays.id)).toMatchObject({ region, standIn: null, movedAt: null, version: 0 });
      await until(async () => (await domains.findById(wants.id))?.standIn === 'elsewhere');
      const moved = (await domains.moved(1_000)).filter(({ id }) => id === wants.id);
      expect(moved.map((domain) => ({ ...domain }))).toMatchObject([
        { teamId, sendingRegion: 'elsewhere', movedAt: now },
      ]);
      const [last] = moved;
      expect((await domains.moved(1_000, last)).map(({ id }) => id)).not.toContain(wants.id);
      await domains.settled(moved.map((domain) => ({ ...domain, movedAt: new Date(now.getTime() - 1) })));
      expect((await domains.read(wants.id))?.movedAt).toEqual(now);
      await domains.settled(moved);
      expect((await domains.read(wants.id))?.movedAt).toBeNull();
      expect(await domains.standIn(region, null, now)).toBe(1);
    });

    it('nothing stays of a transaction that fails', async () => {
      const domain = aDomain(await subject.aTeam());
      await insert(domain, aKey(domain));
      const failing = subject.unitOfWork.run(async (transaction) => {
        await domains.update({ ...domain, tls: 'enforced' }, transaction);
        await domains.delete(domain.id, domain.teamId, transaction);
        throw new Error('later');
      });
      await expect(failing).rejects.toThrow('later');
      expect({ ...(await domains.read(domain.id)) }).toEqual(domain);
      expect(await domains.keys(domain.id)).toHaveLength(1);
    });

    it('is deleted with its keys, by its team alone, and its name is free', async () => {
      const domain = aDomain(await subject.aTeam());
      await insert(domain, aKey(domain));
      const other = await subject.aTeam();
      expect(await remove(domain.id, other)).toBe(false);
      expect(await remove(domain.id, domain.teamId)).toBe(true);
      expect(await remove(domain.id, domain.teamId)).toBe(false);
      expect(await domains.keys(domain.id)).toEqual([]);
      await until(async () => (await domains.findOwned(domain.name)) === undefined);
      await insert(aDomain(other, { name: domain.name }));
    });

    it('those of a team are listed newest first, whole or in pages of both directions', async () => {
      const teamId = await subject.aTeam();
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) ids.unshift((await insert(aDomain(teamId))).id);
      const page = async (request?: { limit: number; after?: string; before?: string }) => {
        const { items, hasMore } = await domains.list(teamId, request);
        return [items.map(({ id }) => ids.indexOf(id)), hasMore];
      };
      expect(await page()).toEqual([[0, 1, 2, 3], false]);
      expect(await page({ limit: 2 })).toEqual([[0, 1], true]);
      expect(await page({ limit: 2, after: ids[1] })).toEqual([[2, 3], false]);
      expect(await page({ limit: 2, before: ids[3] })).toEqual([[1, 2], true]);
      await expect(domains.list(teamId, { limit: 2, after: 'x' })).rejects.toMatchObject({ kind: 'invalid' });
      const oldestFirst = await domains.listAll(ids[3], 2);
      expect(oldestFirst.map(({ id }) => ids.indexOf(id))).toEqual([2, 1]);
    });

    it('a check that is due is taken once, longest due first, and again when its lease ends', async () => {
      const teamId = await subject.aTeam();
      const due = new Date('2001-01-01T00:00:00Z');
      const at = (ms: number) => new Date(due.getTime() + ms);
      const created = [];
      for (const ms of [1, 0, 5_000]) {
        const domain = await insert(aDomain(teamId));
        await update({ ...domain, nextCheckAt: at(ms) });
        created.push(domain.id);
      }
      const [later, first] = created;
      expect(await domains.takeDueChecks(at(10), at(1_000), 1)).toEqual([first]);
      expect(await domains.takeDueChecks(at(10), at(1_000), 5)).toEqual([later]);
      expect(await domains.takeDueChecks(at(10), at(1_000), 5)).toEqual([]);
      expect([...(await domains.takeDueChecks(at(1_000), at(9_000), 5))].sort()).toEqual([first, later].sort());
    });

    it('keys are listed oldest first; those that sign have their private halves', async () => {
      const domain = aDomain(await subject.aTeam());
      const [signing, next] = [aKey(domain), aKey(domain, { selector: 'postrider2', signing: false })];
      await insert(domain, signing, next);
      const states = async () => (await domains.keys(domain.id)).map(({ id, state }) => [id, state]);
      expect(await states()).toEqual([
        [signing.id, 'signing'],
        [next.id, 'published'],
      ]);
      const { signing: _signing, ...key } = signing;
      expect(await domains.signingKeys(domain.id)).toEqual([key]);
      expect(await domains.signingKeys(newId())).toEqual([]);
      const found = await domains.findPublicKey(domain.name, 'postrider2');
      expect({ ...found }).toMatchObject({ algorithm: 'rsa-sha256', publicKey: 'public' });
      expect(await domains.findPublicKey(domain.name, 'other')).toBeUndefined();
    });

    it('keys move on, are added and removed', async () => {
      const domain = aDomain(await subject.aTeam());
      const [first, second] = [aKey(domain), aKey(domain, { selector: 'postrider2', signing: false })];
      await insert(domain, first);
      const retiredAt = new Date();
      await subject.unitOfWork.run(async (transaction) => {
        await domains.update(domain, transaction);
        await domains.insertKeys([second], transaction);
        const keys = (await domains.keys(domain.id)).filter(({ id }) => id === first.id);
        await domains.updateKeyStates(
          keys.map((key) => ({ ...key, state: 'retired', retiredAt })),
          transaction,
        );
      });
      expect(await domains.keys(domain.id)).toMatchObject([
        { id: first.id, state: 'retired', retiredAt },
        { id: second.id, state: 'published', retiredAt: null },
      ]);
      await until(async () => (await domains.signingKeys(domain.id)).length === 0);
      await subject.unitOfWork.run((transaction) => domains.deleteKeys([first.id], transaction));
      expect((await domains.keys(domain.id)).map(({ id }) => id)).toEqual([second.id]);
    });

    it('no key is sealed anew where all are sealed with the present secret', async () => {
      expect(await domains.resealKeys()).toBe(0);
    });
  });
}
