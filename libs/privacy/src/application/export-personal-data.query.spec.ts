import { expect, it } from '@jest/globals';
import { InMemoryAudience } from '../../../../test/support/in-memory-audience.js';
import { ListedData } from '../../../../test/support/in-memory-privacy.js';
import { ExportPersonalData } from './export-personal-data.query.js';

it('reads every list, and only for those who may', async () => {
  const { principal, sender } = new InMemoryAudience();
  const query = new ExportPersonalData(new ListedData({ contacts: ['ada'], logs: ['one', 'two'] }));
  const read: object[] = [];
  for (const { name, records } of query.execute(principal, 'ada@x.test')) {
    for await (const record of records) read.push({ name, ...record });
  }
  expect(read).toEqual([
    { name: 'contacts', record: 'ada', address: 'ada@x.test' },
    { name: 'logs', record: 'one', address: 'ada@x.test' },
    { name: 'logs', record: 'two', address: 'ada@x.test' },
  ]);
  expect(() => query.execute(sender, 'ada@x.test')).toThrow();
});
