import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import { ClaimRepository } from '../../libs/domains/src/application/ports/domain-repository.port.js';
import { DomainClaim } from '../../libs/domains/src/domain/domain-claim.js';

export interface ClaimsUnderTest {
  readonly claims: ClaimRepository;
  readonly unitOfWork: UnitOfWork;
  /** The id of a new team. */
  readonly aTeam: () => Promise<string>;
}

/** What every `ClaimRepository` keeps to. */
export function describeClaimRepository(name: string, start: () => Promise<ClaimsUnderTest>): void {
  describe(`claims of domains ${name}`, () => {
    let subject: ClaimsUnderTest;
    let claims: ClaimRepository;
    beforeAll(async () => {
      subject = await start();
      ({ claims } = subject);
    });

    const now = new Date('2001-01-01T00:00:00Z');
    const at = (ms: number): Date => new Date(now.getTime() + ms);
    const aClaim = async (fields: Partial<DomainClaim> = {}): Promise<DomainClaim> => {
      const id = newId();
      return {
        id,
        teamId: fields.teamId ?? (await subject.aTeam()),
        domainId: newId(),
        name: `${id}.test`,
        status: 'pending',
        settings: { name: `${id}.test`, tls: 'enforced' },
        token: 'token',
        blockedReason: null,
        failureReason: null,
        provenAt: null,
        nextCheckAt: null,
        createdAt: now,
        expiresAt: at(7 * 86_400_000),
        ...fields,
      };
    };
    const inserted = async (fields: Partial<DomainClaim> = {}): Promise<DomainClaim> => {
      const claim = await aClaim(fields);
      expect(await claims.insert(claim)).toBe(true);
      return claim;
    };
    const update = (claim: DomainClaim) => subject.unitOfWork.run((transaction) => claims.update(claim, transaction));

    it('a claim is found by its id, its name and its future domain', async () => {
      const claim = await inserted({ nextCheckAt: at(7 * 86_400_000) });
      expect(await claims.read(claim.id)).toEqual(claim);
      expect(await claims.findOpen(claim.teamId, claim.name)).toEqual(claim);
      expect(await claims.findByDomain(claim.teamId, claim.domainId)).toEqual(claim);
      const other = await subject.aTeam();
      expect(await claims.findOpen(other, claim.name)).toBeUndefined();
      expect(await claims.findByDomain(other, claim.domainId)).toBeUndefined();
      expect(await claims.read(newId())).toBeUndefined();
    });

    it('a team has one open claim of a name, and another one once that is closed', async () => {
      const { id, teamId, name: claimed } = await inserted();
      const again = await aClaim({ teamId, name: claimed });
      expect(await claims.insert(again)).toBe(false);
      expect(await claims.read(again.id)).toBeUndefined();
      await inserted({ name: claimed });
      const open = await claims.read(id);
      await update({ ...(open as DomainClaim), status: 'expired' });
      expect(await claims.insert(again)).toBe(true);
    });

    it('a claim is changed while it is open', async () => {
      const claim = await inserted();
      const changes = {
        status: 'blocked',
        blockedReason: 'grace_period',
        provenAt: at(1),
        nextCheckAt: at(2),
      } as const;
      expect(await update({ ...claim, ...changes })).toBe(true);
      expect(await claims.read(claim.id)).toEqual({ ...claim, ...changes });
      await update({ ...claim, status: 'completed' });
      expect(await update({ ...claim, status: 'pending' })).toBe(false);
      expect((await claims.read(claim.id))?.status).toBe('completed');
    });

    it('a claim that is due is taken once, longest due first, and again when its lease ends', async () => {
      const [later, first] = [await inserted(), await inserted()];
      await claims.makeDue(later.id, at(1));
      await claims.makeDue(first.id, at(0));
      expect(await claims.takeDue(at(10), at(1_000), 1)).toEqual([first.id]);
      expect(await claims.takeDue(at(10), at(1_000), 5)).toEqual([later.id]);
      expect(await claims.takeDue(at(10), at(1_000), 5)).toEqual([]);
      const again = await claims.takeDue(at(1_000), at(9_000_000), 5);
      expect([...again].sort()).toEqual([first.id, later.id].sort());
    });

    it('a closed claim does not become due', async () => {
      const claim = await inserted();
      await update({ ...claim, status: 'expired' });
      await claims.makeDue(claim.id, at(0));
      expect((await claims.read(claim.id))?.nextCheckAt).toBeNull();
    });

    it('a completed claim ends the other open ones of its name, with the transaction', async () => {
      const won = await inserted();
      const other = await inserted({ name: won.name });
      const closed = await inserted({ name: won.name });
      const elsewhere = await inserted();
      await update({ ...closed, status: 'expired' });
      const failing = subject.unitOfWork.run(async (transaction) => {
        await claims.supersedeOthers(won, transaction);
        throw new Error('later');
      });
      await expect(failing).rejects.toThrow('later');
      const statuses = async () =>
        Promise.all([won, other, closed, elsewhere].map(async ({ id }) => (await claims.read(id))?.status));
      expect(await statuses()).toEqual(['pending', 'pending', 'expired', 'pending']);
      await subject.unitOfWork.run((transaction) => claims.supersedeOthers(won, transaction));
      expect(await statuses()).toEqual(['pending', 'superseded', 'expired', 'pending']);
    });
  });
}
