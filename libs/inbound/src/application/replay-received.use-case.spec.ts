import { expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryReceivedEmails } from '../../../../test/support/in-memory-receiving.js';
import { ReplayReceived } from './replay-received.use-case.js';

const teamId = newId();

it('an event is replayed for its team, by a principal who may', async () => {
  const emails = new InMemoryReceivedEmails();
  const { id } = emails.add(teamId);
  const replay = new ReplayReceived(emails);
  const principal = (role: 'developer' | 'viewer') => Principal.ofUser({ id: newId(), teamId, role });
  await replay.execute(principal('developer'), id);
  expect(emails.announced).toEqual([id]);
  await expect(replay.execute(principal('viewer'), id)).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(replay.execute(principal('developer'), newId())).rejects.toThrow('Email not found');
});
