import { expect, it } from '@jest/globals';
import { ReadContacts, SegmentHealth } from '#audience';
import { newId, NotFoundError } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/fakes/in-memory-broadcasting.js';
import { inMemoryFilters } from '../../../../test/support/fakes/in-memory-filtered-contacts.js';
import { noCounts } from '../domain/statistics.js';
import { BroadcastStatistics } from './ports/broadcast-statistics.port.js';
import { ReadAudienceHealth, ReadBroadcasts } from './read-broadcasts.query.js';

class NoStatistics extends BroadcastStatistics {
  readonly askedOf: string[] = [];

  async recipients() {
    return { items: [], hasMore: false };
  }

  async clickedLinks() {
    return { items: [], hasMore: false };
  }

  async progress() {
    return undefined;
  }

  async subjects() {
    return undefined;
  }

  async ofContact(contactId: string) {
    this.askedOf.push(contactId);
    return { items: [], hasMore: false };
  }
}

const contacts = {
  find: async (teamId: string, idOrEmail: string) => {
    if (teamId !== 'team') throw new NotFoundError('Contact');
    return { contact: { id: `id of ${idOrEmail}` } };
  },
} as unknown as ReadContacts;

it('broadcasts are read by their own team alone, and have no statistics before they start', async () => {
  const rig = new InMemoryBroadcasting();
  const read = new ReadBroadcasts(rig.broadcasts, new NoStatistics(), contacts);
  const { teamId } = rig.sending;
  const id = await rig.draft();
  expect((await read.list(teamId, { limit: 5 })).items).toMatchObject([{ id, html: null }]);
  expect((await read.findWithSubjects(teamId, id)).subjects).toBeUndefined();
  expect((await read.progress(teamId, id)).progress).toEqual({ counts: noCounts, pausedBecause: null });
  expect((await read.recipients(teamId, id, { kind: 'sent' }, { limit: 5 })).items).toEqual([]);
  for (const attempt of [
    read.find(newId(), id),
    read.findWithSubjects(newId(), id),
    read.progress(newId(), id),
    read.clickedLinks(newId(), id, { limit: 1 }),
    read.recipients(newId(), id, { kind: 'sent' }, { limit: 1 }),
  ]) {
    await expect(attempt).rejects.toThrow('Broadcast not found');
  }
});

it('lists what a contact got, whether it is asked by id or by address, and nothing of contacts of others', async () => {
  const statistics = new NoStatistics();
  const read = new ReadBroadcasts(new InMemoryBroadcasting().broadcasts, statistics, contacts);
  await read.ofContact('team', 'ada@b.test', { limit: 5 });
  await expect(read.ofContact('other', 'ada@b.test', { limit: 5 })).rejects.toThrow('Contact not found');
  expect(statistics.askedOf).toEqual(['id of ada@b.test']);
});

it('looks at the segment of the broadcast, and tells no other team', async () => {
  const rig = new InMemoryBroadcasting();
  const segments = new SegmentHealth(rig.audience.segments, inMemoryFilters(rig.audience).filtered);
  const health = new ReadAudienceHealth(rig.broadcasts, segments);
  const id = await rig.draft();
  await rig.audience.add('ada@x.test', { segmentIds: [rig.segmentId] });
  await rig.audience.add('bob@x.test');
  expect(await health.read(rig.sending.teamId, id)).toMatchObject({ members: 1, recipients: 1, isEstimated: false });
  await expect(health.read(newId(), id)).rejects.toThrow('Broadcast not found');
});
