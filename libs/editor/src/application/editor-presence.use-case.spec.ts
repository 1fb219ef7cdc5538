import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryEditor } from '../../../../test/support/fakes/in-memory-editor.js';
import { Cursor } from '../domain/content.js';

let rig: InMemoryEditor;
beforeEach(() => {
  rig = new InMemoryEditor();
});

it('tabs write at once, tell where, and hear of the revision; programs are shown too', async () => {
  const ref = await rig.template();
  const [ada, bob] = [newId(), newId()];
  const arrive = (clientId: string | undefined, name = 'A', cursor?: Cursor) =>
    rig.presence.arrive(rig.principal, ref, { clientId, name, cursor });
  expect((await arrive(undefined, '')).people).toMatchObject([{ name: 'Agent', kind: 'agent', isWriting: false }]);
  expect(await arrive(ada, 'Ada', { anchor: 3, head: 7 })).toMatchObject({ isWriting: true, revision: 0 });
  await rig.editor.write(rig.principal, ref, { type: 'doc', content: [] });
  const room = await arrive(bob, 'Bob');
  expect(room).toMatchObject({ isWriting: true, revision: 1 });
  expect(room.people.map(({ name, cursor }) => [name, cursor])).toEqual([
    ['Agent', null],
    ['Ada', { anchor: 3, head: 7 }],
    ['Bob', null],
  ]);
  await rig.presence.leave(rig.principal, ref, { clientId: bob });
  expect((await arrive(ada)).people).toMatchObject([{ kind: 'agent' }, { clientId: ada, cursor: null }]);
});

it('who may only read, or what cannot be changed any more, is never written', async () => {
  const ref = await rig.template();
  const viewer = Principal.ofUser({ id: newId(), teamId: rig.principal.teamId, role: 'viewer' });
  expect((await rig.presence.arrive(viewer, ref, { clientId: newId() })).isWriting).toBe(false);
  const id = await rig.broadcasting.draft();
  const open = () => rig.presence.arrive(rig.principal, { type: 'broadcast', id }, { clientId: 'a' });
  expect((await open()).isWriting).toBe(true);
  await rig.broadcasting.start.start(rig.principal, id, undefined);
  expect((await open()).isWriting).toBe(false);
});
