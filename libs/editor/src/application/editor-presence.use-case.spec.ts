import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryEditor } from '../../../../test/support/fakes/in-memory-editor.js';

let rig: InMemoryEditor;
beforeEach(() => {
  rig = new InMemoryEditor();
});

it('one tab writes, another may take over, and a program never stands in the way', async () => {
  const ref = await rig.template();
  const [ada, bob] = [newId(), newId()];
  const arrive = (clientId: string | undefined, takesOver = false, name = 'A') =>
    rig.presence.arrive(rig.principal, ref, { clientId, name, takesOver });
  expect((await arrive(undefined, false, '')).people).toMatchObject([
    { name: 'Agent', kind: 'agent', isWriting: false },
  ]);
  expect((await arrive(ada)).isWriting).toBe(true);
  expect((await arrive(bob)).isWriting).toBe(false);
  expect((await arrive(bob, true)).isWriting).toBe(true);
  expect((await arrive(ada)).isWriting).toBe(false);
  await rig.presence.leave(rig.principal, ref, { clientId: bob });
  expect(await arrive(ada)).toMatchObject({ isWriting: true, people: [{ kind: 'agent' }, { clientId: ada }] });
});

it('who may only read, or what cannot be changed any more, is never written', async () => {
  const ref = await rig.template();
  const viewer = Principal.ofUser({ id: newId(), teamId: rig.principal.teamId, role: 'viewer' });
  expect((await rig.presence.arrive(viewer, ref, { clientId: newId(), takesOver: true })).isWriting).toBe(false);
  const id = await rig.broadcasting.draft();
  const open = () => rig.presence.arrive(rig.principal, { type: 'broadcast', id }, { clientId: 'a', takesOver: false });
  expect((await open()).isWriting).toBe(true);
  await rig.broadcasting.start.start(rig.principal, id, undefined);
  expect((await open()).isWriting).toBe(false);
});
