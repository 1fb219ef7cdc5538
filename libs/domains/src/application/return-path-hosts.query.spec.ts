import { expect, it } from '@jest/globals';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { ReturnPathHosts } from './return-path-hosts.query.js';

it('a host for bounces leads to its domain, and no other host does', async () => {
  const rig = new InMemoryDomains();
  const { id } = await rig.create();
  await rig.create({ name: 'inbox.test', sending: false, receiving: true });
  await rig.createSandbox('sandbox.test');
  const hosts = new ReturnPathHosts(rig.domains);
  expect(await hosts.domainAt('send.acme.test')).toMatchObject({ id });
  for (const host of ['acme.test', 'www.acme.test', 'send.inbox.test', 'send.sandbox.test', 'send.unknown.test', '']) {
    expect(await hosts.domainAt(host)).toBeUndefined();
  }
});
