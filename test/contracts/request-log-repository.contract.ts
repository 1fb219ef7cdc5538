import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { RequestLogRepository } from '../../libs/request-logs/src/application/ports/request-log-repository.port.js';
import { NewRequestLog } from '../../libs/request-logs/src/domain/request-log.js';
import { until } from '../support/runner/until.js';

/** What every `RequestLogRepository` keeps to. */
export function describeRequestLogRepository(name: string, start: () => Promise<RequestLogRepository>): void {
  describe(`request logs ${name}`, () => {
    let logs: RequestLogRepository;
    beforeAll(async () => {
      logs = await start();
    });

    const aLog = (teamId: string, fields: Partial<NewRequestLog> = {}): NewRequestLog => ({
      id: newId(),
      teamId,
      actor: { kind: 'user', id: newId() },
      fromPage: false,
      createdAt: new Date(),
      method: 'POST',
      endpoint: '/emails',
      responseStatus: 200,
      userAgent: 'curl/8',
      requestJson: '{"subject":"héllo","n":[1]}',
      responseJson: '{"id":"x"}',
      ...fields,
    });
    /** Added, and readable: within a second. */
    const added = async (log: NewRequestLog): Promise<string> => {
      logs.add(log);
      await until(() => logs.find(log.teamId, log.id));
      return log.id;
    };

    it('a request is soon there with its bodies, for its team alone', async () => {
      const {
        actor: _actor,
        fromPage: _page,
        teamId,
        requestJson: _request,
        responseJson: _response,
        ...summary
      } = aLog(newId());
      await added(aLog(teamId, { id: summary.id, createdAt: summary.createdAt }));
      const bodies = { requestBody: { subject: 'héllo', n: [1] }, responseBody: { id: 'x' } };
      expect(await logs.find(teamId, summary.id)).toEqual({ ...summary, ...bodies });
      expect(await logs.find(newId(), summary.id)).toBeUndefined();
      expect((await logs.list(teamId, { limit: 1 })).items).toEqual([summary]);
    });

    it('what a request did not have is null', async () => {
      const log = aLog(newId(), { actor: { kind: 'service' }, userAgent: null, requestJson: null, responseJson: null });
      await added(log);
      expect(await logs.find(log.teamId, log.id)).toMatchObject({
        userAgent: null,
        requestBody: null,
        responseBody: null,
      });
    });

    it('are found by who asked: programs or pages', async () => {
      const teamId = newId();
      const ofPage = await added(aLog(teamId, { fromPage: true }));
      const ofKey = await added(aLog(teamId, { actor: { kind: 'api_key', id: newId() } }));
      const found = async (fromPage: boolean) =>
        (await logs.search(teamId, { limit: 5 }, { fromPage })).items.map(({ id }) => id);
      expect(await found(true)).toEqual([ofPage]);
      expect(await found(false)).toEqual([ofKey]);
    });

    it('those of a team are listed newest first, in pages of both directions', async () => {
      const teamId = newId();
      await added(aLog(newId()));
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) ids.unshift(await added(aLog(teamId)));
      const page = async (request: { after?: string; before?: string }) => {
        const { items, hasMore } = await logs.list(teamId, { limit: 2, ...request });
        return [items.map(({ id }) => ids.indexOf(id)), hasMore];
      };
      expect(await page({})).toEqual([[0, 1], true]);
      expect(await page({ after: ids[1] })).toEqual([[2, 3], false]);
      expect(await page({ before: ids[3] })).toEqual([[1, 2], true]);
    });
  });
}
