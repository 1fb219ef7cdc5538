import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { WebhookRepository } from '../../libs/webhooks/src/application/ports/webhook-repository.port.js';
import { Webhook } from '../../libs/webhooks/src/domain/webhook.js';

export interface WebhooksUnderTest {
  readonly webhooks: WebhookRepository;
  /** The id of a new team. */
  readonly aTeam: () => Promise<string>;
}

/** What every `WebhookRepository` keeps to. */
export function describeWebhookRepository(name: string, start: () => Promise<WebhooksUnderTest>): void {
  describe(`webhooks ${name}`, () => {
    let subject: WebhooksUnderTest;
    beforeAll(async () => {
      subject = await start();
    });

    const now = new Date();
    const later = new Date(now.getTime() + 1_000);
    const aWebhook = (teamId: string): Webhook => ({
      id: newId(),
      teamId,
      endpoint: 'https://hooks.test/',
      events: ['email.sent', 'email.bounced'],
      status: 'enabled',
      disabledReason: null,
      createdAt: now,
      format: 'postrider',
      domainId: null,
      settings: null,
    });
    const add = async (teamId: string): Promise<Webhook> => {
      const webhook = aWebhook(teamId);
      expect(await subject.webhooks.add(webhook, 'whsec_first', 10)).toBe(true);
      return webhook;
    };

    it('an endpoint is found with its secret, by its team alone', async () => {
      const webhook = await add(await subject.aTeam());
      const { id, teamId } = webhook;
      expect(await subject.webhooks.find(teamId, id)).toEqual(webhook);
      expect(await subject.webhooks.secretsOf(teamId, id, now)).toEqual({
        current: 'whsec_first',
        previous: undefined,
      });
      const other = await subject.aTeam();
      expect(await subject.webhooks.find(other, id)).toBeUndefined();
      expect(await subject.webhooks.secretsOf(other, id, now)).toBeUndefined();
    });

    it('a team has no more than it may, also where several are added at once', async () => {
      const teamId = await subject.aTeam();
      const attempts = [1, 2, 3, 4].map(() => subject.webhooks.add(aWebhook(teamId), 'whsec_x', 2));
      expect((await Promise.all(attempts)).sort()).toEqual([false, false, true, true]);
      expect((await subject.webhooks.list(teamId, { limit: 10 })).items).toHaveLength(2);
    });

    it('those of a team are listed newest first, in pages of both directions', async () => {
      const teamId = await subject.aTeam();
      await add(await subject.aTeam());
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) ids.unshift((await add(teamId)).id);
      const page = async (request: { after?: string; before?: string }) => {
        const { items, hasMore } = await subject.webhooks.list(teamId, { limit: 2, ...request });
        return [items.map(({ id }) => ids.indexOf(id)), hasMore];
      };
      expect(await page({})).toEqual([[0, 1], true]);
      expect(await page({ after: ids[1] })).toEqual([[2, 3], false]);
      expect(await page({ before: ids[3] })).toEqual([[1, 2], true]);
    });

    it('what is changed changes, and the rest stays', async () => {
      const webhook = await add(await subject.aTeam());
      const { id, teamId } = webhook;
      expect(await subject.webhooks.change(teamId, id, { status: 'disabled' })).toBe(true);
      expect(
        await subject.webhooks.change(teamId, id, { endpoint: 'https://new.test/', events: ['email.opened'] }),
      ).toBe(true);
      expect(await subject.webhooks.change(await subject.aTeam(), id, { status: 'enabled' })).toBe(false);
      const changed = { endpoint: 'https://new.test/', events: ['email.opened'], status: 'disabled' };
      expect(await subject.webhooks.find(teamId, id)).toEqual({ ...webhook, ...changed });
    });

    it('the secret before a rotation counts until its time is over', async () => {
      const { id, teamId } = await add(await subject.aTeam());
      expect(await subject.webhooks.rotate(teamId, id, 'whsec_second', later)).toBe(true);
      expect(await subject.webhooks.rotate(await subject.aTeam(), id, 'whsec_theirs', later)).toBe(false);
      const secretsAt = (at: Date) => subject.webhooks.secretsOf(teamId, id, at);
      expect(await secretsAt(now)).toEqual({ current: 'whsec_second', previous: 'whsec_first' });
      expect(await secretsAt(later)).toEqual({ current: 'whsec_second', previous: undefined });
      await subject.webhooks.forgetOldSecrets(now);
      expect((await secretsAt(now))?.previous).toBe('whsec_first');
      await subject.webhooks.forgetOldSecrets(later);
      expect(await secretsAt(now)).toEqual({ current: 'whsec_second', previous: undefined });
    });

    it('what only a format understands is kept, and changes', async () => {
      const of = { format: 'postmark', domainId: newId(), settings: '{"password":"x"}' };
      const webhook = { ...aWebhook(await subject.aTeam()), ...of };
      const { id, teamId } = webhook;
      await subject.webhooks.add(webhook, 'whsec_first', 10);
      expect((await subject.webhooks.list(teamId, { limit: 1 })).items).toEqual([webhook]);
      await subject.webhooks.change(teamId, id, { settings: '{}' });
      await subject.webhooks.reseal();
      expect(await subject.webhooks.find(teamId, id)).toEqual({ ...webhook, settings: '{}' });
    });

    it('secrets are the same after they were sealed anew', async () => {
      const { id, teamId } = await add(await subject.aTeam());
      await subject.webhooks.reseal();
      expect((await subject.webhooks.secretsOf(teamId, id, now))?.current).toBe('whsec_first');
    });

    it('is removed by its team alone, and once', async () => {
      const { id, teamId } = await add(await subject.aTeam());
      expect(await subject.webhooks.remove(await subject.aTeam(), id)).toBe(false);
      expect(await subject.webhooks.remove(teamId, id)).toBe(true);
      expect(await subject.webhooks.remove(teamId, id)).toBe(false);
      expect(await subject.webhooks.find(teamId, id)).toBeUndefined();
    });
  });
}
