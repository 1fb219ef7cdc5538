import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { RecordedTeamEvents } from '../../../../test/support/fakes/recorded-team-events.js';
import { SuppressionOrigin } from '../domain/suppression.js';
import {
  InMemorySuppressionRepository,
  PlainAddressHashes,
} from '../../../../test/support/fakes/in-memory-suppressions.js';
import { SuppressedAddresses } from './suppressed-addresses.query.js';
import { NewSuppression, Suppressions } from './suppressions.use-case.js';

const teamId = newId();
const hashes = new PlainAddressHashes();
let rows: InMemorySuppressionRepository;
let events: RecordedTeamEvents;
let unitOfWork: InMemoryUnitOfWork;
let suppressions: Suppressions;

beforeEach(() => {
  rows = new InMemorySuppressionRepository();
  events = new RecordedTeamEvents();
  unitOfWork = new InMemoryUnitOfWork();
  suppressions = new Suppressions(rows, hashes, events, unitOfWork, new FakeClock());
});

const addition = (email: string, fields: Partial<NewSuppression> = {}): NewSuppression => ({
  teamId,
  email,
  origin: 'manual',
  sourceId: null,
  ...fields,
});
const find = (email: string) => rows.find(teamId, { emails: [email] });

it('an address is suppressed in lower case, with where it came from, and announced', async () => {
  const sourceId = newId();
  const [id] = await suppressions.add([addition('Ada@Sink.test', { origin: 'bounce', sourceId })]);
  expect(await find('ada@sink.test')).toMatchObject({ id, teamId, origin: 'bounce', sourceId });
  expect(events.committed).toMatchObject([
    { type: 'suppression.added', teamId, data: { id, email: 'ada@sink.test', origin: 'bounce', source_id: sourceId } },
  ]);
});

it('added again it keeps its id and its origin, and is not announced again', async () => {
  const [id] = await suppressions.add([addition('ada@sink.test')]);
  const ids = await suppressions.add([
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
    await suppressions.add([addition('ada@sink.test')], transaction);
    throw new Error('later');
  });
  await expect(failing).rejects.toThrow('later');
  expect(await find('ada@sink.test')).toBeUndefined();
  expect(events.committed).toEqual([]);
});

async function add(email: string, origin: SuppressionOrigin = 'manual'): Promise<string> {
  const [id] = await suppressions.add([{ teamId, email, origin, sourceId: null }]);
  return id as string;
}

it('finds a suppression by its id or its address, however they are written', async () => {
  const id = await add('ada@sink.test');
  for (const key of [id, id.toUpperCase(), 'Ada@SINK.test']) expect((await suppressions.find(teamId, key)).id).toBe(id);
  await expect(suppressions.find(newId(), id)).rejects.toThrow('Suppression not found');
  await expect(suppressions.find(teamId, 'eve@sink.test')).rejects.toThrow('Suppression not found');
});

it('lists newest first, all or those of one origin', async () => {
  await add('a@sink.test');
  await add('b@sink.test', 'bounce');
  await add('c@sink.test');
  const list = async (origin?: SuppressionOrigin) =>
    (await suppressions.list(teamId, { limit: 10 }, origin)).items.map(({ email }) => email);
  expect(await list()).toEqual(['c@sink.test', 'b@sink.test', 'a@sink.test']);
  expect(await list('bounce')).toEqual(['b@sink.test']);
});

it('removes one, announces that, and does not find it again', async () => {
  const id = await add('ada@sink.test');
  expect(await suppressions.remove(teamId, 'ADA@sink.test')).toEqual({ id });
  await expect(suppressions.remove(teamId, id)).rejects.toThrow('Suppression not found');
  expect(events.types).toEqual(['suppression.added', 'suppression.removed']);
  expect(events.committed.at(-1)?.data).toMatchObject({ id, email: 'ada@sink.test' });
});

it('removes many in the order asked and leaves out what is not there', async () => {
  const [ada, eve] = [await add('ada@sink.test'), await add('eve@sink.test')];
  expect(await suppressions.removeAll(newId(), { ids: [ada] })).toEqual([]);
  expect(await suppressions.removeAll(teamId, { ids: [eve, newId(), ada] })).toEqual([eve, ada]);
});

describe('a concealed address', () => {
  let id: string;

  beforeEach(async () => {
    id = await add('ada@sink.test', 'bounce');
    await unitOfWork.run((transaction) => suppressions.conceal(teamId, 'Ada@sink.test', transaction));
  });

  it('is in no entry, and still gets no mail', async () => {
    const { items } = await suppressions.list(teamId, { limit: 10 }, undefined);
    expect(JSON.stringify(items)).not.toContain('ada@sink.test');
    const found = await unitOfWork.run((transaction) =>
      new SuppressedAddresses(rows, hashes).among([{ teamId, address: 'ADA@sink.test' }], transaction),
    );
    expect(found.originOf(teamId, 'ada@sink.test')).toBe('bounce');
    expect(found.originOf(newId(), 'ada@sink.test')).toBeUndefined();
  });

  it('has an entry that is found and removed by the address', async () => {
    expect((await suppressions.find(teamId, 'Ada@Sink.test')).id).toBe(id);
    expect(await suppressions.remove(teamId, 'ada@sink.test')).toEqual({ id });
  });

  it('suppressed again it keeps its entry and stays concealed', async () => {
    const ids = await suppressions.add([
      { teamId, email: 'ada@sink.test', origin: 'complaint', sourceId: null },
      { teamId, email: 'eve@sink.test', origin: 'manual', sourceId: null },
    ]);
    expect(ids).toEqual([id, expect.any(String)]);
    const { items } = await suppressions.list(teamId, { limit: 10 }, undefined);
    expect(items.map(({ email }) => email)).toEqual(['eve@sink.test', expect.stringMatching(/^hmac:/)]);
    expect(events.types).toEqual(['suppression.added', 'suppression.added']);
  });
});
