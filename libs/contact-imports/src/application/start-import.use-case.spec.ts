import { expect, it } from '@jest/globals';
import { ImportTargets } from '#audience';
import { Principal, TeamTurns } from '#identity';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { anImport } from '../../../../test/contracts/import-repository.contract.js';
import {
  arriving,
  InMemoryImportFiles,
  InMemoryImportRepository,
} from '../../../../test/support/in-memory-contact-imports.js';
import { CsvParseReader } from '../infrastructure/csv/csv-parse-reader.js';
import { ReadHeader } from './read-header.query.js';
import { ImportRequest, StartImport } from './start-import.use-case.js';

const teamId = newId();
const principal = Principal.ofUser({ id: newId(), teamId, role: 'admin' });
const work = new InMemoryUnitOfWork();

function rig(): {
  imports: InMemoryImportRepository;
  prepared: unknown[];
  start: (text: string, fields?: Partial<ImportRequest>) => Promise<unknown>;
} {
  const imports = new InMemoryImportRepository();
  const files = new InMemoryImportFiles();
  const prepared: unknown[] = [];
  const targets = {
    propertyTypes: async () => new Map(),
    prepare: async (_teamId: string, named: unknown) => void prepared.push(named),
  } as unknown as ImportTargets;
  const turns = { take: async () => undefined } as unknown as TeamTurns;
  const header = new ReadHeader(files, new CsvParseReader());
  const start = new StartImport(header, targets, imports, turns, work, { now: () => new Date(9) });
  return {
    imports,
    prepared,
    start: async (text, fields = {}) => {
      const id = newId();
      const size = await files.write(id, arriving(text, 1_000));
      const request = {
        columnMap: { fields: {}, properties: [] },
        onConflict: 'skip',
        segmentIds: [],
        topics: [],
        ...fields,
      } as const;
      return start.execute(principal, { id, size, encoding: 'utf-8' }, request);
    },
  };
}

it('an import is queued with who made it, behind its header', async () => {
  const { imports, prepared, start } = rig();
  const properties = [
    { key: 'age', column: 'Age', type: 'number' as const },
    { key: 'vip', column: 'VIP', type: 'boolean' as const },
  ];
  const segmentIds = [newId()];
  await start('email,Age,VIP\na@x.test,1,yes\n', { columnMap: { fields: {}, properties }, segmentIds });
  const [stored] = (await imports.list(teamId, { limit: 5 }, 'queued')).items;
  expect(stored).toMatchObject({
    actor: principal.actor,
    onConflict: 'skip',
    position: { chunk: 0, offset: 14, line: 2 },
    createdAt: new Date(9),
  });
  expect(prepared).toEqual([
    {
      properties: [
        { key: 'age', type: 'number' },
        { key: 'vip', type: 'string' },
      ],
      segmentIds,
      topicIds: [],
    },
  ]);
});

it('a team has at most ten unfinished imports', async () => {
  const { imports, start } = rig();
  await work.run(async (transaction) => {
    for (let no = 0; no < 10; no++) await imports.insert(anImport(teamId), transaction);
  });
  await expect(start('email\n')).rejects.toThrow('10 imports that are not completed');
  expect(await imports.countUnfinished(teamId)).toBe(10);
});
