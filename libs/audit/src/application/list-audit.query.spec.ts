import { expect, it } from '@jest/globals';
import { AuditLog } from './ports/audit-log.port.js';
import { ListAudit } from './list-audit.query.js';

it('a team sees its own changes, the operator all of them', async () => {
  const asked: (string | undefined)[] = [];
  const log = {
    list: async (teamId: string | undefined) => {
      asked.push(teamId);
      return { items: [], hasMore: false };
    },
  } as unknown as AuditLog;
  await new ListAudit(log).ofTeam('team', { limit: 1 });
  await new ListAudit(log).ofAll({ limit: 1 });
  expect(asked).toEqual(['team', undefined]);
});
