import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryDnsResolver, ServiceNames } from '#domains';
import { MissingPermissionError, Principal } from '#identity';
import { newId, NotFoundError } from '#kernel';
import type { ReadProviderReports } from '#provider-reports';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryAddresses } from '../../../../test/support/fakes/in-memory-pools.js';
import { AddressInPoolError, SendingAddressTakenError, KeepAddresses } from './keep-addresses.use-case.js';
import { ReverseNames } from './reverse-names.js';

class TwoRegions extends ServiceNames {
  readonly regions = ['eu', 'us'];

  hostsOf(): never {
    throw new Error('not asked');
  }
}

const operator = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner', isOperator: true });
const owner = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner', isOperator: false });
const fields = { address: '192.0.2.1', heloName: 'out1.mail.test', region: 'eu', state: 'active' } as const;
let repository: InMemoryAddresses;
let addresses: KeepAddresses;

beforeEach(() => {
  const clock = new FakeClock(new Date('2026-11-30T00:00:00Z'));
  repository = new InMemoryAddresses();
  addresses = new KeepAddresses(
    repository,
    new ReverseNames(new InMemoryDnsResolver(), clock),
    { ofAddresses: async () => [{ activity: undefined, blockedFor: 'spam' }] } as unknown as ReadProviderReports,
    new TwoRegions(),
    clock,
  );
});

it('an address is added, drained and removed', async () => {
  const { id } = await addresses.add(operator, fields);
  expect(await addresses.change(operator, id, { state: 'draining', region: null })).toMatchObject({
    address: '192.0.2.1',
    state: 'draining',
    region: undefined,
    reverseName: { verdict: 'missing' },
    snds: { blockedFor: 'spam' },
  });
  expect((await addresses.list(operator, { limit: 10 })).items).toHaveLength(1);
  await addresses.remove(operator, id);
  await expect(addresses.find(operator, id)).rejects.toThrow(NotFoundError);
  await expect(addresses.change(operator, id, {})).rejects.toThrow(NotFoundError);
  await expect(addresses.remove(operator, id)).rejects.toThrow(NotFoundError);
});

it('an address is there once, in a region that exists, and stays while a pool has it', async () => {
  const { id } = await addresses.add(operator, fields);
  await expect(addresses.add(operator, fields)).rejects.toThrow(SendingAddressTakenError);
  const elsewhere = { ...fields, address: '192.0.2.2', region: 'moon' };
  await expect(addresses.add(operator, elsewhere)).rejects.toMatchObject({ code: 'invalid_region' });
  await expect(addresses.change(operator, id, { region: 'moon' })).rejects.toMatchObject({ code: 'invalid_region' });
  repository.used.add(id);
  await expect(addresses.remove(operator, id)).rejects.toThrow(AddressInPoolError);
});

it('only the operator sees and changes addresses', async () => {
  const { id } = await addresses.add(operator, fields);
  for (const act of [
    () => addresses.add(owner, fields),
    () => addresses.find(owner, id),
    () => addresses.list(owner, { limit: 10 }),
    () => addresses.change(owner, id, {}),
    () => addresses.remove(owner, id),
  ]) {
    await expect(act()).rejects.toThrow(MissingPermissionError);
  }
});
