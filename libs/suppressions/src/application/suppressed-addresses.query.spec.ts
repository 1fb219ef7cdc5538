import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import {
  InMemorySuppressionRepository,
  PlainAddressHashes,
} from '../../../../test/support/fakes/in-memory-suppressions.js';
import { SuppressedAddresses } from './suppressed-addresses.query.js';

it('tells of a whole batch which addresses are suppressed, each for its own team', async () => {
  const suppressions = new InMemorySuppressionRepository();
  const unitOfWork = new InMemoryUnitOfWork();
  const [teamId, other] = [newId(), newId()];
  const bounced = { id: newId(), teamId, email: 'ada@sink.test', origin: 'bounce' as const };
  const found = await unitOfWork.run(async (transaction) => {
    await suppressions.add([{ ...bounced, sourceId: null, createdAt: new Date() }], transaction);
    const asked = [
      { teamId, address: 'Ada@Sink.test' },
      { teamId: other, address: 'ada@sink.test' },
      { teamId, address: 'eve@sink.test' },
    ];
    return new SuppressedAddresses(suppressions, new PlainAddressHashes()).among(asked, transaction);
  });
  expect(found.originOf(teamId, 'ADA@sink.test')).toBe('bounce');
  expect(found.originOf(other, 'ada@sink.test')).toBeUndefined();
  expect(found.originOf(teamId, 'eve@sink.test')).toBeUndefined();
});
