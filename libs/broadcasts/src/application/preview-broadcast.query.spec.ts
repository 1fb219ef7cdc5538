import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/in-memory-broadcasting.js';
import { PreviewBroadcast } from './preview-broadcast.query.js';

let rig: InMemoryBroadcasting;
let preview: PreviewBroadcast;
beforeEach(() => {
  rig = new InMemoryBroadcasting();
  preview = new PreviewBroadcast(rig.broadcasts, rig.values, rig.members);
  rig.audience.properties.add(rig.sending.teamId, { key: 'plan', type: 'string', fallbackValue: 'free' });
});

const html = '{{{FIRST_NAME|you}}} {{{plan}}} {{{RESEND_UNSUBSCRIBE_URL}}}';

it('shows a broadcast as one contact, as someone of the segment, or as nobody', async () => {
  const id = await rig.draft({ html, text: 'T {{{plan}}}', subject: 'For {{{FIRST_NAME|you}}}', previewText: 'P' });
  const show = (key?: { readonly id: string } | { readonly email: string }) =>
    preview.execute(rig.sending.teamId, id, key);
  expect(await show()).toMatchObject({ contact: null, subject: 'For you', text: 'T free' });
  const segmentIds = [rig.segmentId];
  const ada = await rig.audience.add('ada@x.test', { patch: { firstName: '<Ada>', properties: { plan: 'pro' } } });
  await rig.audience.add('eve@x.test', { patch: { firstName: 'Eve' }, segmentIds });
  expect(await show()).toMatchObject({ contact: { email: 'eve@x.test' }, subject: 'For Eve' });
  const seen = await show({ id: ada });
  expect(seen.html).toMatch(/^<div .*P&#847;.*<\/div>&#60;Ada&#62; pro \{\{\{RESEND_UNSUBSCRIBE_URL\}\}\}$/);
  expect(await show({ email: 'ADA@x.test' })).toEqual(seen);
  await expect(show({ email: 'nobody@x.test' })).rejects.toThrow('Contact not found');
  await expect(preview.execute(newId(), id, undefined)).rejects.toThrow('Broadcast not found');
});

it('a preview is bounded', async () => {
  const id = await rig.draft({ html: `{{{plan}}}`.repeat(10_000) });
  await rig.audience.add('ada@x.test', { patch: { properties: { plan: 'x'.repeat(1_000) } } });
  await expect(preview.execute(rig.sending.teamId, id, { email: 'ada@x.test' })).rejects.toThrow('more than');
});
