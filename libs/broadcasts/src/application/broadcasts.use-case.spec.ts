import { beforeEach, describe, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/fakes/in-memory-broadcasting.js';

let rig: InMemoryBroadcasting;
beforeEach(() => {
  rig = new InMemoryBroadcasting();
});

const change = (id: string, fields: object) => rig.write.change(rig.principal, id, fields);

it('a draft is written and changed, and absent fields stay', async () => {
  const id = await rig.draft({ name: 'November', previewText: 'New', replyTo: ['a@x.test'] });
  const topicId = rig.audience.addTopic();
  await change(id, { subject: 'Changed', topicId });
  expect(await rig.read(id)).toMatchObject({
    status: 'draft',
    name: 'November',
    subject: 'Changed',
    previewText: 'New',
    replyTo: ['a@x.test'],
    topicId,
    actor: rig.principal.actor,
  });
  await change(id, { topicId: null, previewText: ' ', replyTo: [] });
  expect(await rig.read(id)).toMatchObject({ topicId: null, previewText: null, replyTo: null });
});

it('two changes of one millisecond are told apart', async () => {
  const id = await rig.draft();
  const before = await rig.read(id);
  await change(id, { subject: 'One' });
  await change(id, { subject: 'Two' });
  expect(Number((await rig.read(id)).updatedAt)).toBe(Number(before.updatedAt) + 2);
});

it('a change begins again where someone else was faster, and gives up at last', async () => {
  const id = await rig.draft();
  let rivals = 2;
  const before = await rig.read(id);
  const attempt = rig.write.rewrite(before.teamId, id, async (broadcast) => {
    if (rivals-- > 0) await change(id, { name: `Rival ${rivals}` });
    return { ...broadcast, subject: 'Mine' };
  });
  expect(await attempt).toMatchObject({ name: 'Rival 0', subject: 'Mine' });
  const hopeless = rig.write.rewrite(before.teamId, id, async (broadcast) => {
    await change(id, { name: newId() });
    return broadcast;
  });
  await expect(hopeless).rejects.toThrow('being changed by someone else');
});

it('fields are refused by name', async () => {
  const refused = (fields: object) => expect(rig.draft(fields)).rejects;
  for (const field of ['from', 'segment_id', 'subject']) {
    const [first = '', second = ''] = field.split('_');
    const key = second === '' ? first : 'segmentId';
    await refused({ [key]: undefined }).toThrow(`Missing \`${field}\` field.`);
  }
  await refused({ from: 'x' }).toThrow('Invalid `from` field');
  await refused({ replyTo: ['x'] }).toThrow('Invalid `reply_to` field');
  await refused({ replyTo: Array.from({ length: 51 }, () => 'a@x.test') }).toThrow('at most 50');
  await refused({ subject: 'a\r\nBcc: b@x.test' }).toThrow('`subject` field must not contain line breaks');
  await refused({ name: 'x'.repeat(257) }).toThrow('`name` field may have at most 256');
  await refused({ previewText: 'a\nb' }).toThrow('`preview_text` field must not contain line breaks');
  await refused({ html: '\0' }).toThrow('`html` field must not contain NUL');
  await refused({ text: '\ud800' }).toThrow('`text` field must not contain NUL');
  await refused({ html: 'ü'.repeat(600_000) }).toThrow('more than');
  await refused({ segmentId: 'x' }).toThrow('`segment_id` must be a valid UUID');
  await refused({ segmentId: newId() }).toThrow('does not exist');
  await refused({ topicId: newId() }).toThrow('does not exist');
});

it('what is being sent keeps everything but its name', async () => {
  const id = await rig.draft();
  await rig.start.start(rig.principal, id, undefined);
  await change(id, { name: 'Renamed' });
  expect((await rig.read(id)).name).toBe('Renamed');
  await expect(change(id, { name: 'x', subject: 'y' })).rejects.toThrow('Only draft and scheduled');
  await expect(rig.write.remove(rig.principal, id)).rejects.toThrow('Only draft and scheduled');
});

it('what is scheduled stays so when it is changed, and is checked again', async () => {
  const id = await rig.draft();
  const at = new Date(rig.clock.now().getTime() + 60_000);
  await rig.start.start(rig.principal, id, at);
  await change(id, { subject: 'Changed' });
  expect(await rig.read(id)).toMatchObject({ status: 'scheduled', scheduledAt: at, subject: 'Changed' });
  await expect(change(id, { html: '{{{x}}}' })).rejects.toThrow('`x`');
  await rig.write.remove(rig.principal, id);
  await expect(rig.read(id)).rejects.toThrow('There is no broadcast');
});

it('a copy is a draft of its own', async () => {
  const id = await rig.draft({ options: { throttle_per_hour: 5 } });
  await rig.start.start(rig.principal, id, undefined);
  const copy = await rig.read(await rig.write.duplicate(rig.principal, id));
  expect(copy).toMatchObject({
    status: 'draft',
    name: 'News (copy)',
    queuedAt: null,
    domainId: null,
    options: { throttlePerHour: 5 },
  });
  const long = await rig.draft({ name: 'x'.repeat(256) });
  expect((await rig.read(await rig.write.duplicate(rig.principal, long))).name).toHaveLength(70);
});

it('needs the permission, in the same team', async () => {
  const id = await rig.draft();
  const viewer = Principal.ofUser({ id: newId(), teamId: rig.sending.teamId, role: 'viewer' });
  const stranger = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
  await expect(rig.write.create(viewer, rig.fields)).rejects.toThrow('broadcasts:write');
  for (const principal of [viewer, stranger]) {
    await expect(rig.write.change(principal, id, {})).rejects.toThrow();
    await expect(rig.write.duplicate(principal, id)).rejects.toThrow();
    await expect(rig.write.remove(principal, id)).rejects.toThrow();
  }
});

async function queued(): Promise<string> {
  const id = await rig.draft();
  await rig.start.start(rig.principal, id, undefined);
  return id;
}

it('a schedule that is canceled is a draft again', async () => {
  const id = await rig.draft();
  await rig.start.start(rig.principal, id, new Date(rig.clock.now().getTime() + 60_000));
  await rig.write.cancel(rig.principal, id);
  expect(await rig.read(id)).toMatchObject({ status: 'draft', scheduledAt: null });
  await expect(rig.write.cancel(rig.principal, id)).rejects.toThrow('can be canceled');
});

it('sending stops for good, or until it is resumed', async () => {
  const id = await queued();
  await expect(rig.write.resume(rig.principal, id)).rejects.toThrow('Only paused');
  await rig.write.pause(rig.principal, id);
  await expect(rig.write.pause(rig.principal, id)).rejects.toThrow('Only queued');
  expect((await rig.read(id)).status).toBe('paused');
  await rig.write.resume(rig.principal, id);
  expect(rig.broadcasts.notified).toEqual([id, id]);
  await rig.write.pause(rig.principal, id);
  await rig.write.cancel(rig.principal, id);
  expect((await rig.read(id)).status).toBe('canceled');
  await expect(rig.write.resume(rig.principal, id)).rejects.toThrow('Only paused');
});

it('is sent by the one who resumed it, who must be allowed to send from its domain', async () => {
  const id = await queued();
  await rig.write.pause(rig.principal, id);
  const user = Principal.ofUser({ id: newId(), teamId: rig.sending.teamId, role: 'owner' });
  await rig.write.resume(user, id);
  expect((await rig.read(id)).actor).toEqual(user.actor);
  await rig.write.pause(rig.principal, id);
  const elsewhere = { ...(await rig.read(id)), from: 'Acme <news@other.test>' };
  await rig.work.run((transaction) => rig.broadcasts.update(elsewhere, transaction));
  await expect(rig.write.resume(user, id)).rejects.toThrow('other.test');
  expect((await rig.read(id)).status).toBe('paused');
});

it('needs permission in the same team', async () => {
  const id = await queued();
  const viewer = Principal.ofUser({ id: newId(), teamId: rig.sending.teamId, role: 'viewer' });
  const stranger = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
  await expect(rig.write.cancel(viewer, id)).rejects.toThrow('broadcasts:write');
  await expect(rig.write.resume(viewer, id)).rejects.toThrow('broadcasts:send');
  await expect(rig.write.pause(stranger, id)).rejects.toThrow('Broadcast not found');
});

describe('a content that was composed', () => {
  const content = { document: '{"type":"doc"}', html: '<p>a</p>', text: 'a' };
  const origin = async (id: string): Promise<object> => {
    const { document, contentSource, contentRevision, html } = await rig.read(id);
    return { document, contentSource, contentRevision, html };
  };

  it('takes the place of what was there, unless that has changed meanwhile', async () => {
    const id = await rig.draft({ html: undefined });
    expect(await rig.write.compose(rig.principal, id, content, 0)).toBe(1);
    expect(await origin(id)).toEqual({
      document: content.document,
      contentSource: 'editor',
      contentRevision: 1,
      html: content.html,
    });
    await expect(rig.write.compose(rig.principal, id, content, 0)).rejects.toThrow(
      'has been changed since it was read',
    );
    expect(await rig.write.compose(rig.principal, id, content, undefined)).toBe(2);
  });

  it('is kept beside html that is written over it, which the same html is not', async () => {
    const id = await rig.draft();
    await rig.write.compose(rig.principal, id, content, undefined);
    await change(id, { subject: 'S', html: content.html, text: content.text });
    expect(await origin(id)).toMatchObject({ contentSource: 'editor', contentRevision: 1 });
    await change(id, { html: '<p>b</p>' });
    expect(await origin(id)).toMatchObject({ document: content.document, contentSource: 'html', contentRevision: 2 });
    const copy = await rig.write.duplicate(rig.principal, id);
    expect(await origin(copy)).toMatchObject({ document: content.document, html: '<p>b</p>' });
  });
});
