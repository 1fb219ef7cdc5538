import { beforeEach, describe, expect, it } from '@jest/globals';
import { Cells } from '#cells';
import { OwnedDomains, ReceivingDomains, SendingDomains } from '#domains';
import { Principal } from '#identity';
import { newId, parseEmailAddress } from '#kernel';
import type { EmailAddress } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { InMemoryInboxes } from '../../../../test/support/fakes/in-memory-inbox-repository.js';
import { maxInboxes } from '../domain/inbox.js';
import { InboxDomains } from './inbox-domains.js';
import { Inboxes, NewInbox } from './inboxes.use-case.js';

let rig: InMemoryDomains;
let stored: InMemoryInboxes;
let inboxes: Inboxes;
let principal: Principal;

beforeEach(() => {
  rig = new InMemoryDomains();
  stored = new InMemoryInboxes();
  const domains = new InboxDomains(
    new ReceivingDomains(rig.domains, Cells.none),
    new SendingDomains(rig.domains, { allowsSandboxDomains: true }, Cells.none),
    new OwnedDomains(rig.domains),
    rig.names,
  );
  inboxes = new Inboxes(stored, domains, rig.events, rig.unitOfWork, rig.clock);
  principal = keyOf(rig.teamId);
});

const keyOf = (teamId: string): Principal =>
  Principal.ofApiKey({ id: newId(), teamId, permission: 'full_access', domainId: null });
const given = (address: string, fields: Partial<NewInbox> = {}): NewInbox => ({
  address: parseEmailAddress(address) as EmailAddress,
  name: null,
  fromName: null,
  forwarding: false,
  ...fields,
});
const happened = () => rig.events.committed.filter(({ type }) => type.startsWith('inbox.'));

describe('a new inbox', () => {
  it('belongs to a domain that receives, and its event tells of it', async () => {
    const domain = await rig.createVerified({ receiving: true });
    const inbox = await inboxes.add(principal, given('support@acme.test', { name: 'Support' }));
    expect(inbox).toMatchObject({
      address: 'support@acme.test',
      domainId: domain.id,
      receivingAddress: null,
      unread: 0,
      drafts: 0,
    });
    expect(happened()).toMatchObject([
      { type: 'inbox.created', data: { source: 'api', inbox_id: inbox.id, inbox: { name: 'Support' } } },
    ]);
  });

  it('needs a verified domain of the team', async () => {
    await expect(inboxes.add(principal, given('a@acme.test'))).rejects.toMatchObject({ kind: 'forbidden' });
    await rig.create({ receiving: true });
    await expect(inboxes.add(principal, given('a@acme.test'))).rejects.toThrow('is not verified');
    await rig.createVerified({ name: 'other.test', receiving: true }, newId());
    await expect(inboxes.add(principal, given('a@other.test'))).rejects.toThrow('is not verified');
    expect(happened()).toEqual([]);
  });

  it('at a domain that does not receive is told to forward, and then gets an address that nobody guesses', async () => {
    await rig.createVerified({ region: 'eu-west-1' });
    await expect(inboxes.add(principal, given('a@acme.test'))).rejects.toThrow('Receiving is disabled');
    const first = await inboxes.add(principal, given('a@acme.test', { forwarding: true }));
    const second = await inboxes.add(principal, given('b@acme.test', { forwarding: true }));
    expect(first.receivingAddress).toMatch(/^inbox-[0-9a-f]{32}@mail\.eu\.service\.test$/);
    expect(second.receivingAddress).not.toBe(first.receivingAddress);
    await expect(inboxes.add(principal, given('a@other.test', { forwarding: true }))).rejects.toThrow('not verified');
  });

  it('is refused where its address has one, and where the team has as many as it may', async () => {
    const { id: domainId } = await rig.createVerified({ receiving: true });
    const { id, ...fields } = await inboxes.add(principal, given('a@acme.test'));
    await expect(inboxes.add(principal, given('a@acme.test'))).rejects.toMatchObject({ kind: 'invalid' });
    for (let n = 1; n < maxInboxes; n++) stored.inboxes.set({ ...fields, id: newId(), domainId, address: `${n}` });
    await expect(inboxes.add(principal, given('b@acme.test'))).rejects.toMatchObject({ kind: 'forbidden' });
    expect(happened().map(({ data }) => data)).toMatchObject([{ inbox_id: id }]);
  });
});

describe('an inbox', () => {
  it('is found by its id or its address in any case, and by no other team', async () => {
    await rig.createVerified({ receiving: true });
    const { id } = await inboxes.add(principal, given('support@acme.test'));
    for (const name of [id, id.toUpperCase(), 'support@acme.test', 'Support@ACME.test'])
      expect((await inboxes.find(rig.teamId, name)).id).toBe(id);
    for (const name of [newId(), 'sales@acme.test', 'support', '', '\0@acme.test', "' or 1=1"])
      await expect(inboxes.find(rig.teamId, name)).rejects.toThrow('Inbox not found');
    await expect(inboxes.find(newId(), id)).rejects.toThrow('Inbox not found');
    expect((await inboxes.list(rig.teamId, { limit: 10 })).items.map((inbox) => inbox.id)).toEqual([id]);
    stored.drafts.set(id, 3);
    expect((await inboxes.show(rig.teamId, id)).drafts).toBe(3);
  });

  it('keeps what a change does not name, and a change of nothing makes no event', async () => {
    await rig.createVerified({ receiving: true });
    const { id } = await inboxes.add(principal, given('a@acme.test', { name: 'Support', fromName: 'Acme' }));
    rig.clock.advance(1_000);
    const changed = await inboxes.change(principal, id, { fromName: null });
    expect(changed).toMatchObject({ name: 'Support', fromName: null, updatedAt: rig.clock.now() });
    rig.clock.advance(1_000);
    expect((await inboxes.change(principal, id, { name: 'Support' })).updatedAt).toEqual(changed.updatedAt);
    expect(happened().map(({ type }) => type)).toEqual(['inbox.created', 'inbox.updated']);
  });

  it('keeps the settings of its agent', async () => {
    await rig.createVerified({ receiving: true });
    const { id } = await inboxes.add(principal, given('a@acme.test'));
    await inboxes.changeAgent(principal, id, { instructions: 'Be kind.', actions: ['archive'] });
    await inboxes.changeAgent(principal, id, { tone: 'concise_casual' });
    const settings = { instructions: 'Be kind.', tone: 'concise_casual', actions: ['archive'] };
    expect(await inboxes.agent(rig.teamId, id)).toEqual(settings);
    await inboxes.changeAgent(principal, id, { instructions: null, tone: null, actions: [] });
    expect(await inboxes.agent(rig.teamId, id)).toEqual({ instructions: null, tone: null, actions: [] });
  });

  it('is removed once, by a person in the dashboard', async () => {
    await rig.createVerified({ receiving: true });
    const { id } = await inboxes.add(principal, given('a@acme.test'));
    const user = Principal.ofUser({ id: newId(), teamId: rig.teamId, role: 'admin' });
    expect(await inboxes.remove(user, 'A@acme.test')).toMatchObject({ id });
    await expect(inboxes.remove(user, id)).rejects.toThrow('Inbox not found');
    expect(happened().at(-1)).toMatchObject({
      type: 'inbox.deleted',
      data: { source: 'dashboard', inbox_id: id, inbox: undefined },
    });
  });

  it('is changed only with the permission', async () => {
    await rig.createVerified({ receiving: true });
    const { id } = await inboxes.add(principal, given('a@acme.test'));
    const viewer = Principal.ofUser({ id: newId(), teamId: rig.teamId, role: 'viewer' });
    await expect(inboxes.add(viewer, given('b@acme.test'))).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(inboxes.change(viewer, id, { name: 'x' })).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(inboxes.changeAgent(viewer, id, { tone: null })).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(inboxes.remove(viewer, id)).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
