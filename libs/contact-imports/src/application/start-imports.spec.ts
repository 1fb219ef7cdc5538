import { describe, expect, it } from '@jest/globals';
import { ImportTargets } from '#audience';
import { Principal, TeamRepository } from '#identity';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { anImport } from '../../../../test/contracts/import-repository.contract.js';
import {
  arriving,
  InMemoryImportFiles,
  InMemoryImportRepository,
} from '../../../../test/support/fakes/in-memory-contact-imports.js';
import { CsvParseReader } from '../infrastructure/csv/csv-parse-reader.js';
import { ImportRequest, StartImports } from './import-contacts.use-case.js';
import { ReadHeader, StoredUpload } from './read-header.query.js';

const teamId = newId();
const principal = Principal.ofUser({ id: newId(), teamId, role: 'admin' });
const work = new InMemoryUnitOfWork();

function rig(): {
  imports: InMemoryImportRepository;
  prepared: unknown[];
  files: InMemoryImportFiles;
  starts: StartImports;
  start: (text: string, fields?: Partial<ImportRequest>) => Promise<unknown>;
} {
  const imports = new InMemoryImportRepository();
  const files = new InMemoryImportFiles();
  const prepared: unknown[] = [];
  const targets = {
    propertyTypes: async () => new Map(),
    prepare: async (_teamId: string, named: unknown) => void prepared.push(named),
  } as unknown as ImportTargets;
  const teams = { lock: async () => undefined } as unknown as TeamRepository;
  const header = new ReadHeader(files, new CsvParseReader());
  const starts = new StartImports(files, header, targets, imports, teams, work, { now: () => new Date(9) });
  return {
    imports,
    files,
    starts,
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
      return starts.start(principal, { id, fileName: null, size, encoding: 'utf-8' }, request);
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

describe('the file of an import', () => {
  const { imports, files, starts } = rig();
  const stored = (id: string): string => Buffer.concat(files.files.get(id) ?? []).toString();
  const store = (bytes: AsyncIterable<Uint8Array>): Promise<StoredUpload> => starts.store(teamId, bytes);

  it('a file is stored as UTF-8 without its mark, and its encoding is known', async () => {
    const utf8 = await store(arriving('\uFEFFemail\nzoë@x.test'));
    expect([stored(utf8.id), utf8.encoding, utf8.size]).toEqual(['email\nzoë@x.test', 'utf-8', 17]);
    const utf16 = await store(arriving(Buffer.from('\uFEFFemail\n😀', 'utf16le'), 3));
    expect([stored(utf16.id), utf16.encoding]).toEqual(['email\n😀', 'utf-8']);
    const ansi = await store(arriving(Buffer.from('email\nzoë', 'latin1')));
    expect(ansi.encoding).toBe('windows-1252');
    await starts.discard(ansi);
    expect(files.files.has(ansi.id)).toBe(false);
  });

  it('a few broken characters among many good ones do not make a file another encoding', async () => {
    const damaged = Buffer.concat([Buffer.from('é'.repeat(50)), Buffer.from([0xe9, 0x2c])]);
    expect((await store(arriving(damaged))).encoding).toBe('utf-8');
  });

  it('another kind of file is refused, and nothing is kept of a file that breaks off', async () => {
    const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(2_000)]);
    await expect(store(arriving(zip))).rejects.toThrow('an Excel workbook');
    const before = files.files.size;
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(10);
      throw new Error('the client is gone');
    }
    await expect(store(broken())).rejects.toThrow('the client is gone');
    expect(files.files.size).toBe(before);
  });

  it('a team with too many unfinished imports is refused before it sends a file', async () => {
    await work.run(async (transaction) => {
      for (let no = 0; no < 10; no++) await imports.insert(anImport(teamId), transaction);
    });
    await expect(store(arriving('email'))).rejects.toThrow('10 imports that are not completed');
  });
});
