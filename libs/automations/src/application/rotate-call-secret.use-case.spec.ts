import { expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { CallSecretRepository, CallSecrets } from './ports/step-calls.port.js';
import { RotateCallSecret } from './rotate-call-secret.use-case.js';

class RememberedSecrets extends CallSecretRepository {
  readonly rotated: unknown[] = [];

  async of(): Promise<CallSecrets> {
    throw new Error('not asked for');
  }

  async rotate(...given: unknown[]): Promise<void> {
    this.rotated.push(given);
  }

  async reseal(): Promise<void> {}
}

it('a new secret is shown to those who may change automations, and the previous one signs for a day', async () => {
  const repository = new RememberedSecrets();
  const secrets = new RotateCallSecret(repository, new FakeClock(new Date('2026-07-01T12:00:00Z')));
  const teamId = newId();
  const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
  const secret = await secrets.rotate(owner);
  expect(secret).toMatch(/^whsec_/);
  expect(repository.rotated).toEqual([[teamId, secret, new Date('2026-07-02T12:00:00Z')]]);
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  await expect(secrets.rotate(viewer)).rejects.toThrow();
});
