import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ImportBatch, ImportedContacts, PreparedContacts, WrittenRows } from '#audience';
import { newId, Transaction } from '#kernel';
import { inMemory, InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { anImport } from '../../../../test/contracts/import-repository.contract.js';
import {
  arriving,
  InMemoryImportFiles,
  InMemoryImportRepository,
} from '../../../../test/support/fakes/in-memory-contact-imports.js';
import { until } from '../../../../test/support/runner/until.js';
import { ContactImport } from '../domain/contact-import.js';
import { CsvParseReader } from '../infrastructure/csv/csv-parse-reader.js';
import { ImportContacts } from './import-contacts.use-case.js';

/** Keeps the addresses of what is committed. */
class WrittenContacts extends ImportedContacts {
  readonly emails: string[] = [];
  prepared = 0;
  writes = 0;
  beforeWrite: () => void | Promise<void> = () => undefined;

  async prepare({ rows }: ImportBatch): Promise<PreparedContacts> {
    this.prepared++;
    const emails = rows.map(({ email }) => email);
    return { write: (transaction) => this.write(emails, transaction) };
  }

  private async write(emails: readonly string[], transaction: Transaction): Promise<WrittenRows> {
    this.writes++;
    await this.beforeWrite();
    inMemory(transaction).onCommit(() => this.emails.push(...emails));
    return { created: emails.length, updated: 0, skipped: 0, refused: [] };
  }
}

let imports: InMemoryImportRepository;
let files: InMemoryImportFiles;
let contacts: WrittenContacts;
let runs: ImportContacts;

beforeEach(() => {
  imports = new InMemoryImportRepository();
  files = new InMemoryImportFiles();
  contacts = new WrittenContacts();
  runs = aWorker();
});

const work = new InMemoryUnitOfWork();
const running = new AbortController().signal;

/** Works on the next import. Returns whether there was one. */
async function step(worker: ImportContacts, stopping = running): Promise<boolean> {
  const lease = await worker.claim();
  if (lease !== undefined) await worker.work(lease, stopping);
  return lease !== undefined;
}

const aWorker = (): ImportContacts =>
  new ImportContacts(imports, files, new CsvParseReader(), contacts, work, { now: () => new Date(5) });

async function add(text: string, teamId = newId(), more: Partial<ContactImport> = {}): Promise<ContactImport> {
  const one = anImport(teamId, { size: text.length, ...more });
  await files.write(one.id, arriving(text, 100_000));
  await work.run((transaction) => imports.insert(one, transaction));
  return one;
}

const rowsOf = (count: number, name = 'user'): string =>
  `email\n${Array.from({ length: count }, (_, no) => `${name}${no}@x.test\n`).join('')}`;

describe('an import', () => {
  it('is worked on to its end, and its file is removed', async () => {
    const { id, teamId } = await add(`${rowsOf(10_000)}\nnot an address\n`);
    expect([await step(runs), await step(runs)]).toEqual([true, false]);
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

  it('writes fewer contacts at once the more segments they are added to', async () => {
    const segmentIds = Array.from({ length: 100 }, () => newId());
    await add(rowsOf(1_000), newId(), { segmentIds });
    await step(runs);
    expect(contacts.emails).toHaveLength(1_000);
    expect(contacts.writes).toBeGreaterThan(1);
  });

  it('goes on behind its last slice after an error, and nothing comes twice', async () => {
    const { id, teamId } = await add(rowsOf(20_000));
    let writes = 0;
    contacts.beforeWrite = (): void => {
      if (++writes === 3) throw new Error('the process ran into a fault');
    };
    await expect(step(runs)).rejects.toThrow('fault');
    expect(await imports.find(teamId, id)).toMatchObject({ status: 'in_progress' });
    await step(aWorker());
    expect(await imports.find(teamId, id)).toMatchObject({ status: 'completed', counts: { total: 20_000 } });
    expect(contacts.emails).toHaveLength(20_000);
    expect(new Set(contacts.emails).size).toBe(20_000);
  });

  it('fails where errors do not end, and holds up no other', async () => {
    const { id, teamId } = await add(rowsOf(1));
    contacts.beforeWrite = (): never => {
      throw new Error('broken');
    };
    for (let turn = 0; turn < 10; turn++) await step(runs).catch(() => undefined);
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
    for (let turn = 0; turn < 20; turn++) await step(runs).catch(() => undefined);
    expect(await imports.find(teamId, id)).toMatchObject({ status: 'in_progress' });
  });

  it('makes progress through empty lines, and takes no file that has a million of them', async () => {
    const few = await add(`email\na@x.test\n${'\n'.repeat(120_000)}b@x.test\n`);
    await step(runs);
    expect(await imports.find(few.teamId, few.id)).toMatchObject({ status: 'completed', counts: { total: 2 } });
    const { id, teamId } = await add(`email\na@x.test\n${'\n'.repeat(1_000_100)}b@x.test\n`);
    await step(runs);
    expect(await imports.find(teamId, id)).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('too many empty lines'),
      counts: { total: 1 },
    });
  });

  it('passes over rows of empty cells, and over empty cells behind the last column', async () => {
    const { id, teamId } = await add('email\na@x.test,,\n,,,\n" ",\n ,\nb@x.test, \nc@x.test,,x\n');
    await step(runs);
    expect(contacts.emails).toEqual(['a@x.test', 'b@x.test']);
    expect(await imports.find(teamId, id)).toMatchObject({ counts: { total: 3, failed: 1 } });
    expect(await imports.refusals(id, 0, 5)).toMatchObject([{ line: 7, value: 'x' }]);
  });

  it('fails at a line that is no CSV, and keeps what came before', async () => {
    const { id, teamId } = await add('email\na@x.test\n"b@x.test\n');
    await step(runs);
    expect(await imports.find(teamId, id)).toMatchObject({
      status: 'failed',
      failure: 'Line 3: a quote is opened and never closed.',
      counts: { total: 1, created: 1 },
    });
  });
});

describe('a slice that was prepared while the one before it was written', () => {
  /** Lets the second slice of three wait until the third is prepared, and then does something to it. */
  const atSecond = (then: () => unknown): void => {
    contacts.beforeWrite = async (): Promise<void> => {
      if (contacts.writes !== 2) return;
      await until(() => contacts.prepared === 3);
      await then();
    };
  };

  it('is not written where that one fails', async () => {
    const { id, teamId } = await add(rowsOf(20_000));
    atSecond(() => {
      throw new Error('the process ran into a fault');
    });
    await expect(step(runs)).rejects.toThrow('fault');
    expect(contacts.writes).toBe(2);
    expect(await imports.find(teamId, id)).toMatchObject({ counts: { total: contacts.emails.length } });
  });

  it('is not written where the lease is lost', async () => {
    const { id, teamId } = await add(rowsOf(20_000));
    atSecond(() => {
      imports.expire(id);
      return imports.claim(newId());
    });
    await step(runs);
    const { emails, prepared } = contacts;
    expect(prepared).toBe(3);
    expect(await imports.find(teamId, id)).toMatchObject({ status: 'in_progress', counts: { total: emails.length } });
    expect(emails.length).toBeLessThan(20_000);
  });

  it('is one at a time, however slow the writing is', async () => {
    await add(rowsOf(100_000));
    let most = 0;
    contacts.beforeWrite = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      most = Math.max(most, contacts.prepared - contacts.writes);
    };
    await step(runs);
    expect(most).toBe(1);
  });
});

it('a worker that stops gives its import back after the present slice', async () => {
  const { id, teamId } = await add(rowsOf(50_000));
  const stopping = new AbortController();
  contacts.beforeWrite = (): void => stopping.abort();
  await step(runs, stopping.signal);
  expect(contacts.emails.length).toBeLessThan(30_000);
  contacts.beforeWrite = (): void => undefined;
  await step(aWorker());
  expect(await imports.find(teamId, id)).toMatchObject({ status: 'completed', counts: { total: 50_000 } });
});
