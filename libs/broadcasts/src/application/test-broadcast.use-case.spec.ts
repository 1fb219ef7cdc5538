import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryBroadcasting } from '../../../../test/support/in-memory-broadcasting.js';
import { TestBroadcast } from './test-broadcast.use-case.js';

let rig: InMemoryBroadcasting;
let test: TestBroadcast;
beforeEach(() => {
  rig = new InMemoryBroadcasting();
  test = new TestBroadcast(rig.broadcasts, rig.check, rig.values, rig.sendShared);
  rig.audience.properties.add(rig.sending.teamId, { key: 'plan', type: 'string', fallbackValue: 'free' });
});

const send = (id: string, to: readonly string[]) => test.execute(rig.principal, id, to);

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
  await expect(test.execute(viewer, id, ['a@x.test'])).rejects.toThrow('broadcasts:send');
  await expect(test.execute(stranger, id, ['a@x.test'])).rejects.toThrow('Broadcast not found');
  expect(rig.shared.requests).toEqual([]);
});
