import { beforeEach, describe, expect, it } from '@jest/globals';
import { ImportBatch, ImportedContacts, WrittenRows } from '#audience';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { anImport } from '../../../../test/contracts/import-repository.contract.js';
import {
  arriving,
  InMemoryImportFiles,
  InMemoryImportRepository,
} from '../../../../test/support/in-memory-contact-imports.js';
import { ContactImport } from '../domain/contact-import.js';
import { CsvParseReader } from '../infrastructure/csv/csv-parse-reader.js';
import { RunImports } from './run-imports.use-case.js';

class WrittenContacts extends ImportedContacts {
  readonly emails: string[] = [];
  beforeWrite: () => void | Promise<void> = () => undefined;

  async write({ rows }: ImportBatch): Promise<WrittenRows> {
    await this.beforeWrite();
    this.emails.push(...rows.map(({ email }) => email));
    return { created: rows.length, updated: 0, skipped: 0 };
  }
}

let imports: InMemoryImportRepository;
let files: InMemoryImportFiles;
let contacts: WrittenContacts;
let runs: RunImports;

beforeEach(() => {
  imports = new InMemoryImportRepository();
  files = new InMemoryImportFiles();
  contacts = new WrittenContacts();
  runs = aWorker();
});

const work = new InMemoryUnitOfWork();
const aWorker = (): RunImports =>
  new RunImports(imports, files, new CsvParseReader(), contacts, work, { now: () => new Date(5) });

async function add(text: string, teamId = newId()): Promise<ContactImport> {
  const one = anImport(teamId, { size: text.length });
  await files.write(one.id, arriving(text, 100_000));
  await work.run((transaction) => imports.insert(one, transaction));
  return one;
}

const rowsOf = (count: number, name = 'user'): string =>
  `email\n${Array.from({ length: count }, (_, no) => `${name}${no}@x.test\n`).join('')}`;

describe('an import', () => {
  it('is worked on to its end, and its file is removed', async () => {
    const { id, teamId } = await add(`${rowsOf(10_000)}\nnot an address\n`);
    expect([await runs.step(), await runs.step()]).toEqual([true, false]);
    expect(await imports.find(teamId, id)).toMatchObject({
      status: 'completed',
      completedAt: new Date(5),
      counts: { total: 10_001, created: 10_000, failed: 1 },
    });
    expect(contacts.emails).toHaveLength(10_000);
    expect(new Set(contacts.emails).size).toBe(10_000);
    expect(files.files.size).toBe(0);
    expect(await imports.refusals(id, 0, 5)).toMatchObject([{ line: 10_003, column: 'email' }]);
  });

  it('goes on behind its last slice after an error, and nothing comes twice', async () => {
    const { id, teamId } = await add(rowsOf(20_000));
    let writes = 0;
    contacts.beforeWrite = (): void => {
      if (++writes === 3) throw new Error('the process ran into a fault');
    };
    await expect(runs.step()).rejects.toThrow('fault');
    expect(await imports.find(teamId, id)).toMatchObject({ status: 'in_progress' });
    await aWorker().step();
    expect(await imports.find(teamId, id)).toMatchObject({ status: 'completed', counts: { total: 20_000 } });
    expect(contacts.emails).toHaveLength(20_000);
    expect(new Set(contacts.emails).size).toBe(20_000);
  });

  it('fails where errors do not end, and holds up no other', async () => {
    const { id, teamId } = await add(rowsOf(1));
    contacts.beforeWrite = (): never => {
      throw new Error('broken');
    };
    for (let turn = 0; turn < 10; turn++) await runs.step().catch(() => undefined);
    expect(await imports.find(teamId, id)).toMatchObject({
      status: 'failed',
      failure: 'An unexpected fault of the service.',
    });
  });

  it('does not fail while the database is away', async () => {
    const { id, teamId } = await add(rowsOf(1));
    contacts.beforeWrite = (): never => {
      throw Object.assign(new Error('Connection terminated'), { code: '57P01' });
    };
    for (let turn = 0; turn < 20; turn++) await runs.step().catch(() => undefined);
    expect(await imports.find(teamId, id)).toMatchObject({ status: 'in_progress' });
  });

  it('makes progress through empty lines, and takes no file that has a million of them', async () => {
    const few = await add(`email\na@x.test\n${'\n'.repeat(120_000)}b@x.test\n`);
    await runs.step();
    expect(await imports.find(few.teamId, few.id)).toMatchObject({ status: 'completed', counts: { total: 2 } });
    const { id, teamId } = await add(`email\na@x.test\n${'\n'.repeat(1_000_100)}b@x.test\n`);
    await runs.step();
    expect(await imports.find(teamId, id)).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('too many empty lines'),
      counts: { total: 1 },
    });
  });

  it('fails at a line that is no CSV, and keeps what came before', async () => {
    const { id, teamId } = await add('email\na@x.test\n"b@x.test\n');
    await runs.step();
    expect(await imports.find(teamId, id)).toMatchObject({
      status: 'failed',
      failure: 'Line 3: a quote is opened and never closed.',
      counts: { total: 1, created: 1 },
    });
  });
});

it('a worker that has lost its lease writes nothing more', async () => {
  const { id, teamId } = await add(rowsOf(20_000));
  const other = aWorker();
  let writes = 0;
  contacts.beforeWrite = async (): Promise<void> => {
    if (++writes !== 2) return;
    imports.expire(id);
    await other.step();
  };
  await runs.step();
  expect(await imports.find(teamId, id)).toMatchObject({ status: 'completed' });
});

it('a worker that stops gives its import back after the present slice', async () => {
  const { id, teamId } = await add(rowsOf(50_000));
  contacts.beforeWrite = (): void => runs.stop();
  await runs.step();
  expect(contacts.emails.length).toBeLessThan(20_000);
  contacts.beforeWrite = (): void => undefined;
  await aWorker().step();
  expect(await imports.find(teamId, id)).toMatchObject({ status: 'completed', counts: { total: 50_000 } });
});
