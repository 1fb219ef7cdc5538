import { expect, it } from '@jest/globals';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { anImport } from '../../../../test/contracts/import-repository.contract.js';
import {
  arriving,
  EnoughRoom,
  InMemoryImportFiles,
  InMemoryImportRepository,
} from '../../../../test/support/in-memory-contact-imports.js';
import { StoreUpload } from './store-upload.use-case.js';

const files = new InMemoryImportFiles();
const imports = new InMemoryImportRepository();
const uploads = new StoreUpload(files, imports, new EnoughRoom());

const stored = (id: string): string => Buffer.concat(files.files.get(id) ?? []).toString();

it('a file is stored as UTF-8 without its mark, and its encoding is known', async () => {
  const utf8 = await uploads.execute(newId(), arriving('\uFEFFemail\nzoë@x.test'));
  expect([stored(utf8.id), utf8.encoding, utf8.size]).toEqual(['email\nzoë@x.test', 'utf-8', 17]);
  const utf16 = await uploads.execute(newId(), arriving(Buffer.from('\uFEFFemail\n😀', 'utf16le'), 3));
  expect([stored(utf16.id), utf16.encoding]).toEqual(['email\n😀', 'utf-8']);
  const ansi = await uploads.execute(newId(), arriving(Buffer.from('email\nzoë', 'latin1')));
  expect(ansi.encoding).toBe('windows-1252');
  await uploads.discard(ansi);
  expect(files.files.has(ansi.id)).toBe(false);
});

it('a few broken characters among many good ones do not make a file another encoding', async () => {
  const damaged = Buffer.concat([Buffer.from('é'.repeat(50)), Buffer.from([0xe9, 0x2c])]);
  expect((await uploads.execute(newId(), arriving(damaged))).encoding).toBe('utf-8');
});

it('another kind of file is refused, and nothing is kept of a file that breaks off', async () => {
  const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(2_000)]);
  await expect(uploads.execute(newId(), arriving(zip))).rejects.toThrow('an Excel workbook');
  const before = files.files.size;
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(10);
    throw new Error('the client is gone');
  }
  await expect(uploads.execute(newId(), broken())).rejects.toThrow('the client is gone');
  expect(files.files.size).toBe(before);
});

it('a team with too many unfinished imports is refused before it sends a file', async () => {
  const teamId = newId();
  await new InMemoryUnitOfWork().run(async (transaction) => {
    for (let no = 0; no < 10; no++) await imports.insert(anImport(teamId), transaction);
  });
  await expect(uploads.execute(teamId, arriving('email'))).rejects.toThrow('10 imports that are not completed');
});
