import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';

let rig: InMemoryDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
});

it('a new domain has its keys and its records, and waits for nothing until it is verified', async () => {
  const { id } = await rig.create({ name: ' Acme.TEST ' });
  const domain = await rig.read(id);
  expect(domain).toMatchObject({ name: 'acme.test', status: 'not_started', region: 'us-east-1', nextCheckAt: null });
  expect(Object.keys(domain.checks).sort()).toEqual([
    'dkim:postrider',
    'dkim:postrider-ed25519',
    'dmarc',
    'return-path',
    'spf',
  ]);
  expect(rig.events.types).toEqual(['domain.created']);
});

it('the RSA key signs at once, the Ed25519 key once its record is seen', async () => {
  const { id } = await rig.create();
  expect(await rig.keyStates(id, 'rsa-sha256')).toEqual(['signing']);
  expect(await rig.keyStates(id, 'ed25519-sha256')).toEqual(['published']);
});

it('a name belongs to one team, and what is refused leaves nothing behind', async () => {
  const { id } = await rig.create();
  await expect(rig.create({}, newId())).rejects.toThrow('has been registered already');
  expect(await rig.domains.findOwned('acme.test')).toMatchObject({ id, teamId: rig.teamId });
  expect(rig.events.types).toEqual(['domain.created']);
});

it.each([
  ['a name that is none', { name: 'no name' }, 'not a valid domain name'],
  ['a public suffix', { name: 'co.uk' }, 'public suffix'],
  ['a region that is not configured', { region: 'moon-1' }, 'must be one of us-east-1, eu-west-1'],
  ['a domain for nothing', { sending: false }, 'At least one of the `capabilities`'],
  ['a return path that is no label', { customReturnPath: '-a' }, '`custom_return_path`'],
])('refuses %s', async (_, fields, message) => {
  await expect(rig.create(fields)).rejects.toThrow(message);
  expect(await rig.domains.countOf(rig.teamId)).toBe(0);
});

it('the sandbox domain is verified without DNS', async () => {
  const { id } = await rig.createSandbox();
  expect(await rig.read(id)).toMatchObject({ status: 'verified', sandbox: true, checks: {} });
  expect(await rig.keyStates(id)).toEqual(['signing']);
});
