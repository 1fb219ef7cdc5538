import { beforeEach, expect, it } from '@jest/globals';
import { Cells } from '#cells';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { SendingDomains } from './sending-domains.query.js';

let rig: InMemoryDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
});

const sending = (allowsSandboxDomains = true) => new SendingDomains(rig.domains, { allowsSandboxDomains }, Cells.none);

it('mail may be sent from a verified domain of the team, by its own name', async () => {
  const { id } = await rig.createVerified();
  expect(await sending().require(rig.teamId, 'acme.test')).toMatchObject({ id });
  await expect(sending().require(newId(), 'acme.test')).rejects.toThrow('is not verified');
  await expect(sending().require(rig.teamId, 'sub.acme.test')).rejects.toThrow('is not verified');
});

it('a domain may send while a record is lost for the moment, and before receiving works', async () => {
  const { id } = await rig.createVerified({ receiving: true });
  rig.dns.remove('send.acme.test');
  await rig.checks.check(id);
  expect((await rig.read(id)).status).toBe('temporary_failure');
  expect(await sending().require(rig.teamId, 'acme.test')).toMatchObject({ id });
});

it('refuses a domain that is not verified, or whose sending is disabled', async () => {
  await rig.create();
  await expect(sending().require(rig.teamId, 'acme.test')).rejects.toThrow('is not verified');
  await rig.createVerified({ name: 'receiving.test', sending: false, receiving: true });
  await expect(sending().require(rig.teamId, 'receiving.test')).rejects.toThrow('Sending is disabled');
});

it('a sandbox domain sends only where its mail stays on this machine', async () => {
  const { id } = await rig.createSandbox('sandbox.test');
  expect(await sending(true).require(rig.teamId, 'sandbox.test')).toMatchObject({ id });
  await expect(sending(false).require(rig.teamId, 'sandbox.test')).rejects.toThrow('built-in inbox only');
});

it('gives the keys that sign now, with their private halves', async () => {
  const { id } = await rig.createVerified();
  await rig.change.rotateKeys(rig.teamId, id);
  const keys = await sending().signingKeys(id);
  expect(keys.map(({ selector }) => selector)).toEqual(['postrider', 'postrider-ed25519']);
  expect(keys[0]?.privateKey).toContain('private key');
  expect(await sending().signingKeys(newId())).toEqual([]);
  expect(await sending().findById(id)).toMatchObject({ id });
});
