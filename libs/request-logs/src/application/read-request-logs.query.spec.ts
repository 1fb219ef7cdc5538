import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryRequestLogRepository } from '../infrastructure/in-memory/in-memory-request-log-repository.js';
import { ReadRequestLogs } from './read-request-logs.query.js';

it('shows its own requests to a team, newest first, and one with its bodies', async () => {
  const logs = new InMemoryRequestLogRepository();
  const readRequestLogs = new ReadRequestLogs(logs);
  const teamId = newId();
  const add = (of: string): string => {
    const id = newId();
    const fields = { method: 'GET', endpoint: '/emails', userAgent: null, responseStatus: 200 };
    const bodies = { requestJson: null, responseJson: '{"a":1}' };
    logs.add({ id, teamId: of, actor: { kind: 'service' }, createdAt: new Date(), ...fields, ...bodies });
    return id;
  };
  const [first, second, other] = [add(teamId), add(teamId), add(newId())];
  const { items } = await readRequestLogs.list(teamId, { limit: 10 });
  expect(items.map(({ id }) => id)).toEqual([second, first]);
  expect(await readRequestLogs.find(teamId, first)).toMatchObject({ id: first, responseBody: { a: 1 } });
  await expect(readRequestLogs.find(teamId, other)).rejects.toThrow('Log not found');
});
