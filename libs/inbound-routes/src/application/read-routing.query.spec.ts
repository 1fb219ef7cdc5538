import { expect, it } from '@jest/globals';
import { ReceivedEmails } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { newId } from '#kernel';
import { RouteResult, RouteResults } from './ports/route-results.port.js';
import { ReadRouting } from './read-routing.query.js';

it('tells what routes did for an email of the team, and of no other', async () => {
  const [teamId, id] = [newId(), newId()];
  const received = {
    find: async (team: string, wanted: string) =>
      team === teamId && wanted === id ? ({ id } as ReceivedEmail) : undefined,
  } as unknown as ReceivedEmails;
  const result = { receivedId: id, key: 'webhook' } as RouteResult;
  const results: RouteResults = {
    add: async () => undefined,
    doneAmong: async () => new Set(),
    of: async () => [result],
  };
  const query = new ReadRouting(received, results);
  expect(await query.execute(teamId, id)).toEqual([result]);
  await expect(query.execute(newId(), id)).rejects.toThrow('Email not found');
});
