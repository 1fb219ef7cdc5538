import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/fakes/in-memory-broadcasting.js';
import { TryBroadcast } from './try-broadcast.use-case.js';

let rig: InMemoryBroadcasting;
let tries: TryBroadcast;
beforeEach(() => {
  rig = new InMemoryBroadcasting();
  tries = new TryBroadcast(rig.broadcasts, rig.check, rig.values, rig.members, rig.sendShared);
  rig.audience.properties.add(rig.sending.teamId, { key: 'plan', type: 'string', fallbackValue: 'free' });
});

const html = '{{{FIRST_NAME|you}}} {{{plan}}} {{{RESEND_UNSUBSCRIBE_URL}}}';

it('shows a broadcast as one contact, as someone of the segment, or as nobody', async () => {
  const id = await rig.draft({ html, text: 'T {{{plan}}}', subject: 'For {{{FIRST_NAME|you}}}', previewText: 'P' });
  const show = (key?: { readonly id: string } | { readonly email: string }) =>
    tries.preview(rig.sending.teamId, id, key);
  expect(await show()).toMatchObject({ contact: null, subject: 'For you', text: 'T free' });
  const segmentIds = [rig.segmentId];
  const ada = await rig.audience.add('ada@x.test', { patch: { firstName: '<Ada>', properties: { plan: 'pro' } } });
  await rig.audience.add('eve@x.test', { patch: { firstName: 'Eve' }, segmentIds });
  expect(await show()).toMatchObject({ contact: { email: 'eve@x.test' }, subject: 'For Eve' });
  const seen = await show({ id: ada });
  expect(seen.html).toMatch(/^<div .*P&#847;.*<\/div>&#60;Ada&#62; pro \{\{\{RESEND_UNSUBSCRIBE_URL\}\}\}$/);
  expect(await show({ email: 'ADA@x.test' })).toEqual(seen);
  await expect(show({ email: 'nobody@x.test' })).rejects.toThrow('Contact not found');
  await expect(tries.preview(newId(), id, undefined)).rejects.toThrow('Broadcast not found');
});

it('a preview is bounded', async () => {
  const id = await rig.draft({ html: `{{{plan}}}`.repeat(10_000) });
  await rig.audience.add('ada@x.test', { patch: { properties: { plan: 'x'.repeat(1_000) } } });
  await expect(tries.preview(rig.sending.teamId, id, { email: 'ada@x.test' })).rejects.toThrow('more than');
});

const send = (id: string, to: readonly string[]) => tries.sendTest(rig.principal, id, to);

it('a test is one email for each address, with the values of the contact or the fallbacks', async () => {
  await rig.audience.add('ada@x.test', { patch: { firstName: 'Ada' } });
  const id = await rig.draft({ html: '{{{FIRST_NAME|you}}} {{{plan}}} {{{EMAIL}}}' });
  expect(await send(id, ['Ada <ADA@x.test>', 'o@x.test', 'O@x.test'])).toHaveLength(2);
  const plan = { value: 'free', fallback: true };
  expect(rig.shared.requests).toMatchObject([
    {
      subject: '[Test] News',
      recipients: [
        { to: 'ADA@x.test', values: { first_name: 'Ada', email: 'ADA@x.test', plan } },
        { to: 'O@x.test', values: { first_name: '', email: 'O@x.test', plan } },
      ],
    },
  ]);
});

it('is refused for bad addresses, gaps, other teams, and who may not send', async () => {
  const id = await rig.draft();
  await expect(send(id, [])).rejects.toThrow('1 to 10 addresses');
  await expect(
    send(
      id,
      Array.from({ length: 11 }, (_, n) => `${n}@x.test`),
    ),
  ).rejects.toThrow('1 to 10 addresses');
  await expect(send(id, ['x'])).rejects.toThrow('Invalid `to` field');
  await expect(send(await rig.draft({ html: '{{{CITY}}}' }), ['a@x.test'])).rejects.toThrow('`CITY`');
  const { teamId } = rig.sending;
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  const stranger = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
  await expect(tries.sendTest(viewer, id, ['a@x.test'])).rejects.toThrow('broadcasts:send');
  await expect(tries.sendTest(stranger, id, ['a@x.test'])).rejects.toThrow('Broadcast not found');
  expect(rig.shared.requests).toEqual([]);
});
