import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { RecordedTeamEvents } from '../../../../test/support/recorded-team-events.js';
import { SuppressionOrigin } from '../domain/suppression.js';
import { InMemorySuppressionRepository } from '../infrastructure/in-memory/in-memory-suppression-repository.js';
import { PlainAddressHashes } from '../infrastructure/in-memory/plain-address-hashes.js';
import { AddSuppression } from './add-suppression.use-case.js';
import { ManageSuppressions } from './manage-suppressions.use-case.js';

const teamId = newId();
let events: RecordedTeamEvents;
let addSuppression: AddSuppression;
let manage: ManageSuppressions;

beforeEach(() => {
  const [suppressions, unitOfWork, clock] = [
    new InMemorySuppressionRepository(),
    new InMemoryUnitOfWork(),
    new FakeClock(),
  ];
  events = new RecordedTeamEvents();
  addSuppression = new AddSuppression(suppressions, new PlainAddressHashes(), events, unitOfWork, clock);
  manage = new ManageSuppressions(suppressions, new PlainAddressHashes(), events, unitOfWork, clock);
});

async function add(email: string, origin: SuppressionOrigin = 'manual'): Promise<string> {
  const [id] = await addSuppression.execute([{ teamId, email, origin, sourceId: null }]);
  return id as string;
}

it('finds a suppression by its id or its address, however they are written', async () => {
  const id = await add('ada@sink.test');
  for (const key of [id, id.toUpperCase(), 'Ada@SINK.test']) expect((await manage.find(teamId, key)).id).toBe(id);
  await expect(manage.find(newId(), id)).rejects.toThrow('Suppression not found');
  await expect(manage.find(teamId, 'eve@sink.test')).rejects.toThrow('Suppression not found');
});

it('lists newest first, all or those of one origin', async () => {
  await add('a@sink.test');
  await add('b@sink.test', 'bounce');
  await add('c@sink.test');
  const list = async (origin?: SuppressionOrigin) =>
    (await manage.list(teamId, { limit: 10 }, origin)).items.map(({ email }) => email);
  expect(await list()).toEqual(['c@sink.test', 'b@sink.test', 'a@sink.test']);
  expect(await list('bounce')).toEqual(['b@sink.test']);
});

it('removes one, announces that, and does not find it again', async () => {
  const id = await add('ada@sink.test');
  expect(await manage.remove(teamId, 'ADA@sink.test')).toEqual({ id });
  await expect(manage.remove(teamId, id)).rejects.toThrow('Suppression not found');
  expect(events.types).toEqual(['suppression.added', 'suppression.removed']);
  expect(events.committed.at(-1)?.data).toMatchObject({ id, email: 'ada@sink.test' });
});

it('removes many in the order asked and leaves out what is not there', async () => {
  const [ada, eve] = [await add('ada@sink.test'), await add('eve@sink.test')];
  expect(await manage.removeAll(newId(), { ids: [ada] })).toEqual([]);
  expect(await manage.removeAll(teamId, { ids: [eve, newId(), ada] })).toEqual([eve, ada]);
});
