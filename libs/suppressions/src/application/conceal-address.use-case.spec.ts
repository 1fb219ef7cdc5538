import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { RecordedTeamEvents } from '../../../../test/support/recorded-team-events.js';
import { InMemorySuppressionRepository } from '../infrastructure/in-memory/in-memory-suppression-repository.js';
import { PlainAddressHashes } from '../infrastructure/in-memory/plain-address-hashes.js';
import { AddSuppression } from './add-suppression.use-case.js';
import { ConcealAddress } from './conceal-address.use-case.js';
import { ManageSuppressions } from './manage-suppressions.use-case.js';
import { SuppressedAddresses } from './suppressed-addresses.query.js';

const teamId = newId();
const hashes = new PlainAddressHashes();
const unitOfWork = new InMemoryUnitOfWork();
let suppressions: InMemorySuppressionRepository;
let events: RecordedTeamEvents;
let add: AddSuppression;
let manage: ManageSuppressions;
let id: string;

beforeEach(async () => {
  suppressions = new InMemorySuppressionRepository();
  events = new RecordedTeamEvents();
  add = new AddSuppression(suppressions, hashes, events, unitOfWork, new FakeClock());
  manage = new ManageSuppressions(suppressions, hashes, events, unitOfWork, new FakeClock());
  [id = ''] = await add.execute([{ teamId, email: 'ada@sink.test', origin: 'bounce', sourceId: null }]);
  const conceal = new ConcealAddress(suppressions, hashes);
  await unitOfWork.run((transaction) => conceal.execute(teamId, 'Ada@sink.test', transaction));
});

it('a concealed address is in no entry, and still gets no mail', async () => {
  const { items } = await manage.list(teamId, { limit: 10 }, undefined);
  expect(JSON.stringify(items)).not.toContain('ada@sink.test');
  const found = await unitOfWork.run((transaction) =>
    new SuppressedAddresses(suppressions, hashes).among([{ teamId, address: 'ADA@sink.test' }], transaction),
  );
  expect(found.originOf(teamId, 'ada@sink.test')).toBe('bounce');
  expect(found.originOf(newId(), 'ada@sink.test')).toBeUndefined();
});

it('its entry is found and removed by the address', async () => {
  expect((await manage.find(teamId, 'Ada@Sink.test')).id).toBe(id);
  expect(await manage.remove(teamId, 'ada@sink.test')).toEqual({ id });
});

it('suppressed again it keeps its entry and stays concealed', async () => {
  const ids = await add.execute([
    { teamId, email: 'ada@sink.test', origin: 'complaint', sourceId: null },
    { teamId, email: 'eve@sink.test', origin: 'manual', sourceId: null },
  ]);
  expect(ids).toEqual([id, expect.any(String)]);
  const { items } = await manage.list(teamId, { limit: 10 }, undefined);
  expect(items.map(({ email }) => email)).toEqual(['eve@sink.test', expect.stringMatching(/^hmac:/)]);
  expect(events.types).toEqual(['suppression.added', 'suppression.added']);
});
