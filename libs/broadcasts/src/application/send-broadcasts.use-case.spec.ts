import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Principal } from '#identity';
import { DomainError, newId } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/fakes/in-memory-broadcasting.js';
import { InMemoryFanOut } from '../../../../test/support/fakes/in-memory-fan-out.js';
import { sendingDomain } from '../../../../test/support/fakes/in-memory-sending.js';
import { sliceSize, sliceSizeBesideOthers } from './send-broadcasts.use-case.js';

describe('starting a broadcast', () => {
  let rig: InMemoryBroadcasting;
  beforeEach(() => {
    rig = new InMemoryBroadcasting();
  });

  const start = (id: string, at?: Date) => rig.start.start(rig.principal, id, at);
  const later = (ms: number) => new Date(rig.clock.now().getTime() + ms);

  it('a draft is queued, and those who send are told once', async () => {
    const id = await rig.draft();
    await start(id);
    expect(await rig.read(id)).toMatchObject({
      status: 'queued',
      queuedAt: rig.clock.now(),
      scheduledAt: null,
      domainId: rig.sending.domainId,
    });
    expect(rig.broadcasts.notified).toEqual([id]);
    await expect(start(id)).rejects.toThrow('Only draft and scheduled broadcasts can be sent.');
  });

  it('a time in the future is a schedule, which may change or end', async () => {
    const id = await rig.draft();
    await start(id, later(3_600_000));
    await start(id, later(7_200_000));
    expect(await rig.read(id)).toMatchObject({ status: 'scheduled', scheduledAt: later(7_200_000), queuedAt: null });
    expect(rig.broadcasts.notified).toEqual([]);
    await start(id);
    expect(await rig.read(id)).toMatchObject({ status: 'queued', scheduledAt: later(7_200_000) });
  });

  it('a time just past is now, and others are refused', async () => {
    const id = await rig.draft();
    await expect(start(id, later(-120_000))).rejects.toThrow('in the future');
    await expect(start(id, later(31 * 86_400_000))).rejects.toThrow('30 days');
    await start(id, later(-30_000));
    expect((await rig.read(id)).status).toBe('queued');
  });

  it('nothing is created that may not start', async () => {
    const stored = () => rig.broadcasts.rows.where(() => true).length;
    const create = (fields: object, at?: Date) => rig.start.create(rig.principal, { ...rig.fields, ...fields }, at);
    await expect(create({ from: 'a@other.test' })).rejects.toThrow('not verified');
    await expect(create({ subject: '{{{CITY}}}' })).rejects.toThrow('`CITY`');
    expect(stored()).toBe(0);
    expect((await rig.read(await create({}, later(60_000)))).status).toBe('scheduled');
  });

  it('a key for sending sends what others wrote, from its own domain', async () => {
    const id = await rig.draft();
    const key = (domainId: string) =>
      Principal.ofApiKey({ id: newId(), teamId: rig.sending.teamId, permission: 'sending_access', domainId });
    await expect(rig.start.start(key(newId()), id, undefined)).rejects.toThrow('one domain only');
    await expect(rig.start.create(key(rig.sending.domainId), rig.fields, undefined)).rejects.toThrow();
    await rig.start.start(key(rig.sending.domainId), id, undefined);
    expect(await rig.read(id)).toMatchObject({ status: 'queued', actor: { kind: 'api_key' } });
  });

  it('due broadcasts start once, and no others', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 52; n++) {
      const at = new Date(rig.clock.now().getTime() + (n === 51 ? 120_000 : 60_000));
      ids.push(await rig.start.create(rig.principal, rig.fields, at));
    }
    expect(await rig.start.startDue()).toBe(0);
    rig.clock.advance(60_000);
    expect(await rig.start.startDue()).toBe(51);
    expect(await rig.start.startDue()).toBe(0);
    expect(rig.broadcasts.notified).toHaveLength(51);
    expect(await rig.read(ids[0] ?? '')).toMatchObject({ status: 'queued', queuedAt: rig.clock.now() });
    expect((await rig.read(ids[51] ?? '')).status).toBe('scheduled');
  });
});

describe('the fan-out of broadcasts', () => {
  let rig: InMemoryFanOut;
  beforeEach(() => {
    rig = new InMemoryFanOut();
  });

  class Refusal extends DomainError {}
  const quotaExceeded = new Refusal('limited', 'daily_quota_exceeded', 'Used up.');

  /** Refuses slices that have more emails than remain of a quota. */
  function limit(quota: { left: number }): void {
    const { acceptEmails } = rig.sending;
    const write = acceptEmails.write.bind(acceptEmails);
    acceptEmails.write = async (emails, ...others) => {
      if (emails.length > quota.left) throw quotaExceeded;
      quota.left -= emails.length;
      return write(emails, ...others);
    };
  }

  it('works on a broadcast until everybody has it', async () => {
    const { id: segmentId } = rig.segment(2 * sliceSize + 3);
    const { run } = rig.start({ segmentId });
    await rig.drain();
    expect(run.status).toBe('sent');
    expect(new Set(rig.addressees).size).toBe(2 * sliceSize + 3);
  });

  it('an empty audience ends at once', async () => {
    const { run } = rig.start({ segmentId: rig.segment(0).id });
    await rig.drain();
    expect(run.status).toBe('sent');
  });

  it('uses up what remains of a quota, pauses until the next day, and then goes on', async () => {
    const { run } = rig.start({ segmentId: rig.segment(10).id });
    const quota = { left: 7 };
    limit(quota);
    await rig.drain();
    expect(rig.addressees).toHaveLength(7);
    expect(run).toMatchObject({ status: 'paused', because: 'daily_quota_exceeded' });
    expect(run.retryAt?.toISOString()).toMatch(/T00:00:00\.000Z$/);
    expect(await rig.run.resumeHeld()).toBe(0);
    quota.left = 3;
    rig.clock.advance(25 * 3_600_000);
    expect(await rig.run.resumeHeld()).toBe(1);
    await rig.drain();
    expect(new Set(rig.addressees).size).toBe(10);
  });

  it('sends nothing for an API key that was deleted', async () => {
    const { run } = rig.start({ segmentId: rig.segment(3).id });
    run.isKeyGone = true;
    await rig.drain();
    expect(run).toMatchObject({ status: 'paused', because: 'api_key_deleted', retryAt: null });
    expect(rig.addressees).toEqual([]);
  });

  it('pauses where the domain may not send any more', async () => {
    const { run } = rig.start({ segmentId: rig.segment(1).id, from: 'a@other.test' });
    rig.sending.domains.require = async () => {
      throw new Refusal('forbidden', 'validation_error', 'The domain is not verified.');
    };
    await rig.drain();
    expect(run).toMatchObject({ status: 'paused', because: 'domain_not_verified' });
    expect(rig.addressees).toEqual([]);
  });

  it('waits without a pause where there is no room for mail', async () => {
    const { run } = rig.start({ segmentId: rig.segment(1).id });
    rig.sending.room.isFull = true;
    await rig.drain();
    expect(run.status).toBe('queued');
    rig.sending.room.isFull = false;
    await rig.drain();
    expect(run.status).toBe('sent');
  });

  it('an unexpected error lets others go first, and pauses after the tenth', async () => {
    const { run } = rig.start({ segmentId: rig.segment(1).id });
    await rig.run.step();
    rig.audience.read = async () => {
      throw new Error('a fault of ours');
    };
    for (let no = 0; no < 10; no++) {
      await expect(rig.run.step()).rejects.toThrow('a fault of ours');
      rig.clock.advance(6_000);
    }
    expect(run).toMatchObject({ status: 'paused', because: 'unexpected_fault' });
  });

  it('an audience that takes too long to read lets others go first, and pauses after the third try', async () => {
    const { run } = rig.start({ segmentId: rig.segment(1).id });
    rig.runs.fixAudience = async () => {
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    };
    for (let no = 0; no < 3; no++) {
      expect(run.status).toBe('queued');
      await expect(rig.run.step()).rejects.toThrow('timeout');
      rig.clock.advance(6_000);
    }
    expect(run).toMatchObject({ status: 'paused', because: 'unexpected_fault' });
  });

  it('a first share that bounces while the rest waits pauses its broadcast', async () => {
    const firstShare = { percent: 50, waitMinutes: 60, maxBouncePercent: 5, maxComplaintPercent: 5 };
    const { run } = rig.start({ segmentId: rig.segment(10).id, options: { firstShare } });
    await rig.drain();
    await rig.run.watchShares();
    expect([run.status, run.decideAt === null]).toEqual(['queued', false]);
    Object.assign(run, { delivered: 3, bounced: 2 });
    await rig.run.watchShares();
    expect(run).toMatchObject({ status: 'paused', because: 'too_many_bounces' });
  });

  it('teams take turns', async () => {
    const first = rig.start({ segmentId: rig.segment(3 * sliceSize).id });
    const other = newId();
    const { domains, teamId } = rig.sending;
    const own = await domains.require(teamId, sendingDomain);
    domains.require = async () => own;
    const second = rig.start({ segmentId: rig.segment(3 * sliceSize).id, teamId: other });
    for (let no = 0; no < 6; no++) await rig.run.step();
    expect(first.run.results.length).toBeGreaterThan(0);
    expect(second.run.results.length).toBeGreaterThan(0);
  });

  it('rests between slices while other mail is accepted, and not otherwise', () => {
    expect(rig.run.restMs(80)).toBe(0);
    jest.spyOn(rig.sending.acceptEmails, 'isInDemand', 'get').mockReturnValue(true);
    expect([rig.run.restMs(80), rig.run.restMs(60_000)]).toEqual([80, 200]);
  });

  it('sends smaller slices while other mail is accepted', async () => {
    const { run } = rig.start({ segmentId: rig.segment(sliceSize).id });
    jest.spyOn(rig.sending.acceptEmails, 'isInDemand', 'get').mockReturnValue(true);
    while (run.results.length === 0) await rig.run.step();
    expect(run.results).toHaveLength(sliceSizeBesideOthers);
  });

  it('does nothing once it is stopped', async () => {
    const { run } = rig.start({ segmentId: rig.segment(1).id });
    rig.run.stop();
    expect(await rig.run.step()).toBe(false);
    expect(run.isPlanned).toBe(false);
  });

  it('writes the members down once', async () => {
    const { work, run } = rig.start({ segmentId: rig.segment(5).id });
    expect(await rig.run.fixAudience(work)).toBe(true);
    expect(run.waves.flatMap(({ contacts }) => contacts)).toHaveLength(5);
    expect(await rig.run.fixAudience(work)).toBe(false);
  });

  it('pauses where the segment is gone, and does nothing for a broadcast that is', async () => {
    const { work, run } = rig.start({ segmentId: newId() });
    expect(await rig.run.fixAudience(work)).toBe(true);
    expect(run).toMatchObject({ status: 'paused', because: 'segment_deleted', isPlanned: false });
    expect(await rig.run.fixAudience({ ...work, broadcastId: newId() })).toBe(false);
  });

  it('divides an audience by what the options say', async () => {
    const segmentId = rig.segment(10).id;
    const contactsOf = async (options: object): Promise<readonly number[]> => {
      const { work, run } = rig.start({ segmentId, options, scheduledAt: rig.clock.now() });
      await rig.run.fixAudience(work);
      const counts = new Map<number, number>();
      for (const { wave, contacts } of run.waves) counts.set(wave, (counts.get(wave) ?? 0) + contacts.length);
      return [...counts.values()];
    };
    const limits = { waitMinutes: null, maxBouncePercent: 5, maxComplaintPercent: 1 };
    expect(await contactsOf({ firstShare: { ...limits, percent: 25 } })).toEqual([3, 7]);
    expect(await contactsOf({ firstShare: { ...limits, contacts: 4 } })).toEqual([4, 6]);
    expect(await contactsOf({ test: { subjects: ['B'], sharePercent: 20, waitMinutes: 5, winner: 'opens' } })).toEqual([
      2, 8,
    ]);
    expect(await contactsOf({ localTime: { property: 'zone', timeZone: 'UTC' } })).toEqual([10]);
  });

  it('accepts an email for each contact that wants it, and says why the others get none', async () => {
    const { id: segmentId, contacts } = rig.segment(6);
    const [unsubscribed, undecided, suppressed, deleted, invalid, ada] = contacts.map((contact) => ({
      ...contact,
      subscription: 'opt_in' as const,
    }));
    for (const contact of [unsubscribed, undecided, suppressed, invalid, ada])
      if (contact) rig.change(contact, contact);
    rig.change(unsubscribed as never, { unsubscribed: true });
    rig.change(undecided as never, { subscription: 'opt_out' });
    rig.sending.suppressed.set('2@sink.test', 'complaint');
    rig.audience.known.delete(deleted?.id ?? '');
    rig.change(invalid as never, { email: 'nobody@example.com' });
    const { work, run } = rig.start({ segmentId, topicId: newId() });
    await rig.drain();
    const reasons = new Map(
      run.results.map((result) => [result.contactId, 'reason' in result ? result.reason : 'sent']),
    );
    expect(contacts.map(({ id }) => reasons.get(id))).toEqual([
      'unsubscribed',
      'not_subscribed',
      'suppressed',
      'deleted',
      'invalid',
      'sent',
    ]);
    const email = [...rig.sending.emails.byId.values()].find(({ email: { lastEvent } }) => lastEvent === 'sent');
    expect(email?.email).toMatchObject({ subject: 'Hi Name 5', mergeValues: { first_name: 'Name 5' } });
    expect(await rig.run.sendSlice(work, 10)).toBe(false);
  });

  it('dates an email before the moment at which its contact was read', async () => {
    const { work } = rig.start({ segmentId: rig.segment(1).id });
    await rig.run.fixAudience(work);
    const contacts = rig.audience.read.bind(rig.audience);
    let readAt = 0;
    rig.audience.read = async (asked) => {
      readAt = rig.clock.now().getTime();
      const found = await contacts(asked);
      // From here on the contact may unsubscribe.
      rig.clock.advance(1_000);
      return found;
    };
    await rig.run.sendSlice(work, 10);
    const [sent] = [...rig.sending.emails.byId.values()];
    expect(sent?.email.createdAt.getTime()).toBe(readAt);
  });

  it('leaves nothing of a slice behind where it fails', async () => {
    const { work, run } = rig.start({ segmentId: rig.segment(3).id });
    await rig.run.fixAudience(work);
    rig.runs.record = async () => {
      throw new Error('the database is gone');
    };
    await expect(rig.run.sendSlice(work, 10)).rejects.toThrow('the database is gone');
    expect([rig.sending.emails.byId.size, run.results.length]).toEqual([0, 0]);
  });

  it('sends nothing of a broadcast that is paused, or gone', async () => {
    const { work, run } = rig.start({ segmentId: rig.segment(3).id });
    await rig.run.fixAudience(work);
    run.status = 'paused';
    expect(await rig.run.sendSlice(work, 10)).toBe(false);
    expect(await rig.run.sendSlice({ ...work, broadcastId: newId() }, 10)).toBe(false);
    expect(rig.addressees).toEqual([]);
  });

  it('removes the audience of a broadcast that is over, and keeps that of others', async () => {
    const { work, run } = rig.start({ segmentId: rig.segment(3).id });
    await rig.run.fixAudience(work);
    expect(await rig.run.tidy()).toBe(false);
    await rig.drain();
    expect(await rig.run.tidy()).toBe(true);
    expect(run.waves.flatMap(({ contacts }) => contacts)).toEqual([]);
    expect(await rig.run.tidy()).toBe(false);
    rig.run.stop();
    expect(await rig.run.tidy()).toBe(false);
  });
});
