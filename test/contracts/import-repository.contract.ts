import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import {
  ImportLease,
  ImportRepository,
} from '../../libs/contact-imports/src/application/ports/import-repository.port.js';
import { ContactImport, noCounts } from '../../libs/contact-imports/src/domain/contact-import.js';

export interface ImportsUnderTest {
  readonly imports: ImportRepository;
  readonly unitOfWork: UnitOfWork;
  /** The id of a new team. */
  readonly aTeam: () => Promise<string>;
}

export function anImport(teamId: string, fields: Partial<ContactImport> = {}): ContactImport {
  return {
    id: newId(),
    teamId,
    actor: { kind: 'api_key', id: newId() },
    fileName: 'customers.csv',
    status: 'queued',
    format: { encoding: 'utf-8', delimiter: ',' },
    mapping: { columns: ['email'], fields: { email: 0 }, properties: [] },
    onConflict: 'upsert',
    segmentIds: [newId()],
    topics: [{ id: newId(), subscription: 'opt_in' }],
    size: 3_000_000_000,
    position: { chunk: 0, offset: 6, line: 2 },
    counts: noCounts,
    failure: null,
    createdAt: new Date(),
    completedAt: null,
    ...fields,
  };
}

/** What every `ImportRepository` keeps to. */
export function describeImportRepository(name: string, start: () => Promise<ImportsUnderTest>): void {
  describe(`imports ${name}`, () => {
    let subject: ImportsUnderTest;
    beforeAll(async () => {
      subject = await start();
    });

    const add = async (teamId: string): Promise<ContactImport> => {
      const one = anImport(teamId);
      await subject.unitOfWork.run((transaction) => subject.imports.insert(one, transaction));
      return one;
    };
    const end = (lease: ImportLease, failure: string | null = null): Promise<void> =>
      subject.unitOfWork.run(async (transaction) => {
        expect(await subject.imports.hold(lease, transaction)).toBe(true);
        await subject.imports.end(lease.import.id, new Date(), failure, transaction);
      });
    /** Claims until there is nothing to claim, and ends all of it. */
    const drained = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (let lease = await subject.imports.claim(newId()); lease; lease = await subject.imports.claim(newId())) {
        ids.push(lease.import.id);
        await end(lease);
      }
      return ids;
    };

    it('an import is found and listed by its team alone', async () => {
      const teamId = await subject.aTeam();
      const [first, second] = [await add(teamId), await add(teamId)];
      expect(await subject.imports.find(teamId, first.id)).toEqual(first);
      expect(await subject.imports.find(await subject.aTeam(), first.id)).toBeUndefined();
      expect((await subject.imports.list(teamId, { limit: 5 }, undefined)).items).toEqual([second, first]);
      expect((await subject.imports.list(teamId, { limit: 1 }, 'queued')).hasMore).toBe(true);
      expect((await subject.imports.list(teamId, { limit: 5 }, 'failed')).items).toEqual([]);
      expect(await subject.imports.countUnfinished(teamId)).toBe(2);
      await drained();
      expect(await subject.imports.countUnfinished(teamId)).toBe(0);
    });

    it('a team has one turn at a time, its oldest import first, and teams take turns', async () => {
      const [busy, small] = [await subject.aTeam(), await subject.aTeam()];
      const [one, two, three] = [await add(busy), await add(busy), await add(small)];
      const first = (await subject.imports.claim(newId())) as ImportLease;
      expect(first.import).toEqual({ ...one, status: 'in_progress' });
      expect([await subject.imports.othersWait(busy), await subject.imports.othersWait(small)]).toEqual([true, false]);
      expect((await subject.imports.claim(newId()))?.import.id).toBe(three.id);
      expect(await subject.imports.claim(newId())).toBeUndefined();
      await end(first, 'Line 3: no.');
      expect(await subject.imports.find(busy, one.id)).toMatchObject({ status: 'failed', failure: 'Line 3: no.' });
      expect((await subject.imports.claim(newId()))?.import.id).toBe(two.id);
      await subject.imports.release({ import: two, holder: newId() });
      expect(await subject.imports.claim(newId())).toBeUndefined();
      for (const one of [two, three]) {
        const held = await subject.imports.find(one.teamId, one.id);
        expect(held?.status).toBe('in_progress');
      }
    });

    it('progress is added up, and belongs to the holder of the lease', async () => {
      await drained();
      const teamId = await subject.aTeam();
      const { id } = await add(teamId);
      const lease = (await subject.imports.claim(newId())) as ImportLease;
      const refusal = { line: 7, column: 'email', value: 'x', reason: 'No.' };
      const progress = {
        position: { chunk: 1, offset: 5, line: 9 },
        counts: { total: 4, created: 1, updated: 1, skipped: 1, failed: 1 },
        refusals: [refusal],
      };
      await subject.unitOfWork.run(async (transaction) => {
        expect(await subject.imports.hold({ ...lease, holder: newId() }, transaction)).toBe(false);
        await subject.imports.advance(id, progress, transaction);
      });
      const next = { ...progress, refusals: [{ ...refusal, line: 11 }] };
      await subject.unitOfWork.run((transaction) => subject.imports.advance(id, next, transaction));
      expect(await subject.imports.find(teamId, id)).toMatchObject({
        position: progress.position,
        counts: { total: 8, created: 2, updated: 2, skipped: 2, failed: 2 },
      });
      expect(await subject.imports.refusals(id, 0, 5)).toEqual([refusal, { ...refusal, line: 11 }]);
      expect(await subject.imports.refusals(id, 7, 5)).toHaveLength(1);
      expect(await subject.imports.refusals(id, 0, 1)).toHaveLength(1);
      await subject.imports.release(lease);
      expect((await subject.imports.claim(newId()))?.import.position).toEqual(progress.position);
    });

    it('errors are counted until there is progress', async () => {
      const teamId = await subject.aTeam();
      await add(teamId);
      const lease = (await subject.imports.claim(newId())) as ImportLease;
      expect(await subject.imports.postpone(lease)).toBe(1);
    });
  });
}
