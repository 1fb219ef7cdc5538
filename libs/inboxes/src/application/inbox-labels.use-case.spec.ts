import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryInboxes } from '../../../../test/support/fakes/in-memory-inbox-repository.js';
import { Inbox, maxLabels } from '../domain/inbox.js';
import { InboxLabels } from './inbox-labels.use-case.js';
import { Inboxes } from './inboxes.use-case.js';

const teamId = newId();
const principal = Principal.ofApiKey({ id: newId(), teamId, permission: 'full_access', domainId: null });
const [box, otherBox] = ['support@acme.test', 'sales@acme.test'];
let labels: InboxLabels;

beforeEach(() => {
  const stored = new InMemoryInboxes();
  for (const address of [box, otherBox]) stored.inboxes.set({ id: newId(), teamId, address } as unknown as Inbox);
  const inboxes = new Inboxes(stored, ...([] as unknown as [never, never, never, never]));
  labels = new InboxLabels(inboxes, stored, new FakeClock());
});

it('labels have a name and a colour, and stand in the order of their names', async () => {
  const urgent = await labels.add(principal, box, { name: 'Urgent', color: '#E5484D' });
  await labels.add(principal, 'SUPPORT@acme.test', { name: 'bug' });
  const all = await labels.list(teamId, box);
  expect(all.map(({ name }) => name)).toEqual(['bug', 'Urgent']);
  expect(all[1]).toEqual(urgent);
  expect(all[0]?.color).toMatch(/^#[0-9A-F]{6}$/);
  expect(await labels.list(teamId, otherBox)).toEqual([]);
});

it('a name is there once in an inbox, in any case', async () => {
  const { id } = await labels.add(principal, box, { name: 'Urgent' });
  const bug = await labels.add(principal, box, { name: 'Bug' });
  await labels.add(principal, otherBox, { name: 'Urgent' });
  await expect(labels.add(principal, box, { name: 'URGENT' })).rejects.toThrow('has a label');
  await expect(labels.change(principal, box, bug.id, { name: 'urgent' })).rejects.toThrow('has a label');
  expect(await labels.change(principal, box, id, { name: 'URGENT' })).toMatchObject({ id, name: 'URGENT' });
});

it('an inbox has a limited number of labels', async () => {
  for (let n = 0; n < maxLabels; n++) await labels.add(principal, box, { name: `Label ${n}` });
  await expect(labels.add(principal, box, { name: 'More' })).rejects.toMatchObject({ kind: 'invalid' });
});

it('a label is changed and removed in its own inbox only', async () => {
  const { id, color } = await labels.add(principal, box, { name: 'Bug' });
  await expect(labels.change(principal, otherBox, id, { name: 'x' })).rejects.toThrow('Label not found');
  await expect(labels.remove(principal, otherBox, id)).rejects.toThrow('Label not found');
  await expect(labels.remove(principal, 'nobody@acme.test', id)).rejects.toThrow('Inbox not found');
  expect(await labels.change(principal, box, id, { name: 'Fault' })).toMatchObject({ name: 'Fault', color });
  await labels.remove(principal, box, id);
  await expect(labels.remove(principal, box, id)).rejects.toThrow('Label not found');
});

it('labels are changed only with the permission', async () => {
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  await expect(labels.add(viewer, box, { name: 'Bug' })).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(labels.change(viewer, box, newId(), {})).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(labels.remove(viewer, box, newId())).rejects.toMatchObject({ kind: 'forbidden' });
});
