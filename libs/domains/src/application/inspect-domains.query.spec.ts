import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { InspectDomains, InspectedDomain } from './inspect-domains.query.js';

let rig: InMemoryDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
});

async function inspected(): Promise<InspectedDomain[]> {
  const all: InspectedDomain[] = [];
  for await (const one of new InspectDomains(rig.domains, rig.records, rig.inspector, rig.clock).inspectAll())
    all.push(one);
  return all;
}

it('shows the records as they are now, and writes nothing down', async () => {
  const { id } = await rig.create();
  await rig.publish(id);
  const before = await rig.read(id);
  const [domain] = await inspected();
  expect(new Set(domain?.records.map(({ check }) => check?.status))).toEqual(new Set(['verified']));
  expect(await rig.read(id)).toEqual(before);
});

it('advises on what is missing', async () => {
  const { id } = await rig.createVerified();
  rig.dns.remove('send.acme.test');
  const [domain] = await inspected();
  const lost = domain?.records.filter(({ check }) => check?.status !== 'verified');
  expect(lost?.map(({ host, required }) => [host, required])).toEqual([
    ['send.acme.test', true],
    ['send.acme.test', true],
  ]);
  expect(lost?.[0]?.advice).toContain('send.acme.test');
  expect((await rig.read(id)).status).toBe('verified');
});

it('looks at every domain of every team but those of the sandbox, however many there are', async () => {
  await rig.createSandbox();
  const names = Array.from({ length: 60 }, (_, n) => `acme${n}.test`);
  for (const name of names) await rig.create({ name }, newId());
  expect((await inspected()).map(({ domain }) => domain.name)).toEqual(names);
});
