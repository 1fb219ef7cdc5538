import { expect, it } from '@jest/globals';
import { Suppressions } from '#suppressions';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { InMemoryErasures, ListedData } from '../../../../test/support/fakes/in-memory-privacy.js';
import { PersonalRecords } from './personal-records.use-case.js';

const { principal, sender, stranger } = new InMemoryAudience();
const shortHash = { hashOf: async (_teamId: string, address: string) => `hash of ${address.length}` };

it('a request names who asked and the address as a hash, and waits until its own log is written', async () => {
  const [erasures, clock] = [new InMemoryErasures(), new FakeClock()];
  const records = new PersonalRecords(new ListedData({}), erasures, shortHash as unknown as Suppressions, clock);
  const { id } = await records.requestErasure(principal, 'ada@x.test');
  const erasure = await records.findErasure(principal.teamId, id);
  expect(erasure).toMatchObject({ addressHash: 'hash of 10', status: 'pending', actor: { kind: 'api_key' } });
  expect(erasures.rows.get(id)?.dueAt.getTime()).toBeGreaterThan(clock.now().getTime());
  expect((await records.listErasures(principal.teamId, { limit: 5 })).items).toHaveLength(1);
  await expect(records.findErasure(stranger.teamId, id)).rejects.toThrow('Erasure not found');
  await expect(records.requestErasure(sender, 'ada@x.test')).rejects.toThrow();
});

it('reads every list, and only for those who may', async () => {
  const data = new ListedData({ contacts: ['ada'], logs: ['one', 'two'] });
  const suppressions = shortHash as unknown as Suppressions;
  const records = new PersonalRecords(data, new InMemoryErasures(), suppressions, new FakeClock());
  const read: object[] = [];
  for (const { name, records: listed } of records.export(principal, 'ada@x.test')) {
    for await (const record of listed) read.push({ name, ...record });
  }
  expect(read).toEqual([
    { name: 'contacts', record: 'ada', address: 'ada@x.test' },
    { name: 'logs', record: 'one', address: 'ada@x.test' },
    { name: 'logs', record: 'two', address: 'ada@x.test' },
  ]);
  expect(() => records.export(sender, 'ada@x.test')).toThrow();
});
