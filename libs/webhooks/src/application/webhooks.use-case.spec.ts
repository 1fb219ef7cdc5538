import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryWebhookRepository } from '../../../../test/support/fakes/in-memory-webhooks.js';
import { Webhooks } from './webhooks.use-case.js';

const teamId = newId();
const hook = { endpoint: 'https://hooks.test/a', events: ['email.sent'] };
let clock: FakeClock;
let webhooks: InMemoryWebhookRepository;
let woken: string[];
let manage: Webhooks;

beforeEach(() => {
  clock = new FakeClock();
  webhooks = new InMemoryWebhookRepository();
  woken = [];
  manage = new Webhooks(
    webhooks,
    { allowPrivate: false, allowsAddress: (address) => !address.startsWith('10.') },
    { tell: async (_topic, id) => void woken.push(id) },
    clock,
  );
});

describe('creating a webhook', () => {
  it('enables it and shows its secret', async () => {
    const { id, secret } = await manage.create(teamId, { ...hook, events: ['email.sent', 'email.sent'] });
    expect(await manage.findWithSecret(teamId, id)).toEqual({
      webhook: {
        id,
        teamId,
        ...hook,
        status: 'enabled',
        disabledReason: null,
        createdAt: clock.now(),
        format: 'postrider',
        domainId: null,
        settings: null,
      },
      secret,
    });
  });

  it.each([
    ['plain HTTP', { endpoint: 'http://hooks.test/' }, 'must be an `https` URL'],
    ['what is no URL', { endpoint: 'hooks' }, 'must be a URL'],
    ['a private address', { endpoint: 'https://10.0.0.1/' }, 'public address'],
    ['an unknown event', { events: ['email.eaten'] }, 'unknown event: `email.eaten`'],
    ['no event', { events: [] }, 'at least 1 item'],
  ])('refuses %s', async (_, fields, message) => {
    await expect(manage.create(teamId, { ...hook, ...fields })).rejects.toThrow(message);
    expect((await manage.list(teamId, { limit: 10 })).items).toEqual([]);
  });

  it('keeps what belongs to the format of another provider, and finds the webhooks of a format', async () => {
    await manage.create(teamId, hook);
    const other = { format: 'postmark', domainId: newId(), settings: '{}' };
    const { id, secret } = await manage.create(teamId, { ...hook, ...other, secret: 'whsec_own' });
    expect(secret).toBe('whsec_own');
    expect(await manage.inFormat(teamId, 'postmark')).toMatchObject([{ id, ...other }]);
  });

  it('refuses more than 50 of a team, and takes another after one is removed', async () => {
    const created = [];
    for (let n = 0; n < 50; n++) created.push(await manage.create(teamId, hook));
    await expect(manage.create(teamId, hook)).rejects.toThrow('at most 50 webhooks');
    await manage.create(newId(), hook);
    await manage.remove(teamId, created[0]?.id ?? '');
    await manage.create(teamId, hook);
  });
});

it('a change is stored, what is not named stays, and whoever sends to it is told', async () => {
  const { id } = await manage.create(teamId, hook);
  await manage.change(teamId, id, { status: 'disabled' });
  expect(await manage.find(teamId, id)).toMatchObject({ ...hook, status: 'disabled' });
  await manage.change(teamId, id, { endpoint: 'https://hooks.test/b', events: ['email.bounced'] });
  expect(await manage.find(teamId, id)).toMatchObject({ endpoint: 'https://hooks.test/b', status: 'disabled' });
  expect(woken).toEqual([id, id]);
  await expect(manage.change(teamId, id, { endpoint: 'http://hooks.test/' })).rejects.toThrow('https');
});

it('a rotated secret signs beside the new one for a day', async () => {
  const { id, secret } = await manage.create(teamId, hook);
  const next = await manage.rotateSecret(teamId, id);
  expect(next).not.toBe(secret);
  expect((await manage.findWithSecret(teamId, id)).secret).toBe(next);
  clock.advance(24 * 3_600_000 - 1);
  expect(await webhooks.secretsOf(teamId, id, clock.now())).toEqual({ current: next, previous: secret });
  clock.advance(1);
  expect(await webhooks.secretsOf(teamId, id, clock.now())).toEqual({ current: next, previous: undefined });
});

it('a removed webhook is gone, and whoever sends to it is told', async () => {
  const { id } = await manage.create(teamId, hook);
  await manage.remove(teamId, id);
  await expect(manage.find(teamId, id)).rejects.toThrow('Webhook not found');
  expect(woken).toEqual([id]);
});

it("another team's webhook is not there, and nobody is told of it", async () => {
  const { id } = await manage.create(newId(), hook);
  const attempts = [
    manage.find(teamId, id),
    manage.findWithSecret(teamId, id),
    manage.change(teamId, id, { status: 'disabled' }),
    manage.rotateSecret(teamId, id),
    manage.remove(teamId, id),
  ];
  for (const attempt of attempts) await expect(attempt).rejects.toThrow('Webhook not found');
  expect(woken).toEqual([]);
});
