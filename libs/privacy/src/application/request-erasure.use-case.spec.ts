import { expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { InMemoryAudience } from '../../../../test/support/in-memory-audience.js';
import { InMemoryErasures } from '../../../../test/support/in-memory-privacy.js';
import { AddressHash } from './ports/address-hash.port.js';
import { RequestErasure } from './request-erasure.use-case.js';

class ShortHash extends AddressHash {
  async of(_teamId: string, address: string): Promise<string> {
    return `hash of ${address.length}`;
  }
}

it('a request names who asked and the address as a hash, and waits until its own log is written', async () => {
  const [erasures, clock, { principal, sender, stranger }] = [
    new InMemoryErasures(),
    new FakeClock(),
    new InMemoryAudience(),
  ];
  const request = new RequestErasure(erasures, new ShortHash(), clock);
  const { id } = await request.execute(principal, 'ada@x.test');
  const erasure = await request.find(principal.teamId, id);
  expect(erasure).toMatchObject({ addressHash: 'hash of 10', status: 'pending', actor: { kind: 'api_key' } });
  expect(erasures.rows.get(id)?.dueAt.getTime()).toBeGreaterThan(clock.now().getTime());
  expect((await request.list(principal.teamId, { limit: 5 })).items).toHaveLength(1);
  await expect(request.find(stranger.teamId, id)).rejects.toThrow('Erasure not found');
  await expect(request.execute(sender, 'ada@x.test')).rejects.toThrow();
});
