import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { RecordedTeamEvents } from '../../../../test/support/recorded-team-events.js';
import { InMemorySuppressionRepository } from '../infrastructure/in-memory/in-memory-suppression-repository.js';
import { PlainAddressHashes } from '../infrastructure/in-memory/plain-address-hashes.js';
import { AddSuppression, NewSuppression } from './add-suppression.use-case.js';

const teamId = newId();
let suppressions: InMemorySuppressionRepository;
let events: RecordedTeamEvents;
let unitOfWork: InMemoryUnitOfWork;
let addSuppression: AddSuppression;

beforeEach(() => {
  suppressions = new InMemorySuppressionRepository();
  events = new RecordedTeamEvents();
  unitOfWork = new InMemoryUnitOfWork();
  addSuppression = new AddSuppression(suppressions, new PlainAddressHashes(), events, unitOfWork, new FakeClock());
});

const addition = (email: string, fields: Partial<NewSuppression> = {}): NewSuppression => ({
  teamId,
  email,
  origin: 'manual',
  sourceId: null,
  ...fields,
});
const find = (email: string) => suppressions.find(teamId, { emails: [email] });

it('an address is suppressed in lower case, with where it came from, and announced', async () => {
  const sourceId = newId();
  const [id] = await addSuppression.execute([addition('Ada@Sink.test', { origin: 'bounce', sourceId })]);
  expect(await find('ada@sink.test')).toMatchObject({ id, teamId, origin: 'bounce', sourceId });
  expect(events.committed).toMatchObject([
    { type: 'suppression.added', teamId, data: { id, email: 'ada@sink.test', origin: 'bounce', source_id: sourceId } },
  ]);
});

it('added again it keeps its id and its origin, and is not announced again', async () => {
  const [id] = await addSuppression.execute([addition('ada@sink.test')]);
  const ids = await addSuppression.execute([
    addition('eve@sink.test'),
    addition('ADA@sink.test', { origin: 'complaint' }),
    addition('Eve@sink.test'),
  ]);
  expect(ids).toEqual([ids[0], id, ids[0]]);
  expect((await find('ada@sink.test'))?.origin).toBe('manual');
  expect(events.types).toEqual(['suppression.added', 'suppression.added']);
});

it('nothing is suppressed or announced where the transaction that it belongs to fails', async () => {
  const failing = unitOfWork.run(async (transaction) => {
    await addSuppression.execute([addition('ada@sink.test')], transaction);
    throw new Error('later');
  });
  await expect(failing).rejects.toThrow('later');
  expect(await find('ada@sink.test')).toBeUndefined();
  expect(events.committed).toEqual([]);
});
