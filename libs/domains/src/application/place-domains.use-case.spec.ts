import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { sendingRegion } from '../domain/domain.js';
import { maxMovedAtOnce } from './ports/domain-repository.port.js';
import { PlaceDomains } from './place-domains.use-case.js';

let rig: InMemoryDomains;
let place: PlaceDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
  place = new PlaceDomains(rig.domains, rig.clock);
});

const [first = '', second = ''] = new InMemoryDomains().names.regions;

it('another region sends for the domains that want it, until their own takes them back', async () => {
  const wants = await rig.createVerified({ name: 'wants.test', region: first, failover: true });
  const stays = await rig.createVerified({ name: 'stays.test', region: first });
  expect(await place.standIn(first, second)).toBe(1);
  expect(await place.standIn(first, second)).toBe(0);
  expect(sendingRegion(await rig.read(wants.id))).toBe(second);
  expect(sendingRegion(await rig.read(stays.id))).toBe(first);
  expect(await place.moved(10)).toMatchObject([{ id: wants.id, sendingRegion: second }]);
  expect(await place.standIn(first, null)).toBe(1);
  expect(sendingRegion(await rig.read(wants.id))).toBe(first);
});

it('domains are moved until a call finds fewer than it may move', async () => {
  const counts = [maxMovedAtOnce, maxMovedAtOnce, 3];
  rig.domains.standIn = () => Promise.resolve(counts.shift() ?? 0);
  expect(await place.standIn(first, second)).toBe(2 * maxMovedAtOnce + 3);
  expect(counts).toEqual([]);
});

it('a domain that moves again is not settled by what was known before', async () => {
  const { id } = await rig.createVerified({ region: first, failover: true });
  await place.standIn(first, second);
  const known = await place.moved(10);
  rig.clock.advance(1_000);
  await place.standIn(first, null);
  await place.settled(known);
  const [moved] = await place.moved(10);
  expect(moved).toMatchObject({ id, sendingRegion: first });
  await place.settled(moved === undefined ? [] : [moved]);
  expect(await place.moved(10)).toEqual([]);
});

it('a team moves its domain by naming another region, and ends a stand-in by not wanting one', async () => {
  const { id, teamId } = await rig.createVerified({ region: first, failover: true });
  await place.standIn(first, second);
  expect(sendingRegion(await rig.change.update(teamId, id, { failover: false }))).toBe(first);
  const moved = await rig.change.update(teamId, id, { region: second });
  expect([moved.region, sendingRegion(moved)]).toEqual([second, second]);
  expect((await place.moved(10)).map((domain) => domain.sendingRegion)).toEqual([second]);
  await expect(rig.change.update(teamId, id, { region: 'moon-1' })).rejects.toThrow('region');
});

it('what changes no region moves nothing', async () => {
  const { id, teamId } = await rig.createVerified({ region: first });
  await rig.change.update(teamId, id, { region: first, failover: true, tls: 'enforced' });
  expect(await place.moved(10)).toEqual([]);
});
