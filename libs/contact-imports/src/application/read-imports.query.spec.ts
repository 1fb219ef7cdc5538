import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { anImport } from '../../../../test/contracts/import-repository.contract.js';
import { InMemoryImportRepository } from '../../../../test/support/fakes/in-memory-contact-imports.js';
import { noCounts } from '../domain/contact-import.js';
import { importLimits } from '../domain/import-errors.js';
import { ReadImports } from './read-imports.query.js';

const work = new InMemoryUnitOfWork();

it('the imports of another team are not found', async () => {
  const imports = new InMemoryImportRepository();
  const one = anImport(newId());
  await work.run((transaction) => imports.insert(one, transaction));
  const reads = new ReadImports(imports);
  expect(await reads.find(one.teamId, one.id)).toEqual(one);
  await expect(reads.find(newId(), one.id)).rejects.toThrow('Contact import not found');
  expect((await reads.list(one.teamId, { limit: 5 }, 'queued')).items).toEqual([one]);
});

it('the report has all refused rows that are kept, and says how many are missing', async () => {
  const imports = new InMemoryImportRepository();
  const one = anImport(newId());
  const refusals = Array.from({ length: 2_500 }, (_, no) => ({
    line: no + 2,
    column: 'e',
    value: '@say "hi"',
    reason: 'No.',
  }));
  await work.run(async (transaction) => {
    await imports.insert(one, transaction);
    await imports.advance(one.id, { position: one.position, counts: noCounts, refusals }, transaction);
  });
  const failed = importLimits.maxKeptRefusals + 5;
  let text = '';
  for await (const piece of new ReadImports(imports).report({ ...one, counts: { ...noCounts, failed } })) text += piece;
  const lines = text.split('\r\n');
  expect(lines).toHaveLength(2_503);
  expect(lines[1]).toBe(`2,"e","'@say ""hi""","No."`);
  expect(lines[2_501]).toBe(',,,"5 more rows were refused than this report holds."');
});
