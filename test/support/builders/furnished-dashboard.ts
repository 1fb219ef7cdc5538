import { Database } from '#postgres/database';
import type { DashboardWorld } from './dashboard-world.js';
import { until } from '../runner/until.js';
import { WebhookReceiver } from '../servers/webhook-receiver.js';

export interface Furniture {
  readonly domainId: string;
  readonly webhookId: string;
  readonly logId: string;
  readonly receiver: WebhookReceiver;
}

/** Adds a domain with mistakes in its DNS, keys, a webhook that was called, suppressed addresses, and an operator. */
export async function furnish({ program, owner }: DashboardWorld): Promise<Furniture> {
  const post = async (path: string, body?: object): Promise<Record<string, string>> => {
    const response = await program.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  await program.postrider.app.get(Database).execute({
    text: 'INSERT INTO operators (user_id, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
    values: [owner.id],
  });
  const receiver = await WebhookReceiver.listen();
  const { id: domainId = '' } = await post('/domains', { name: 'acme.test' });
  await post(`/domains/${domainId}/verify`);
  await post('/api-keys', { name: 'Production server', permission: 'sending_access' });
  await post('/api-keys', { name: 'Nightly reports' });
  const { id: webhookId = '' } = await post('/webhooks', {
    endpoint: receiver.url,
    events: ['email.delivered', 'email.bounced', 'suppression.added'],
  });
  await post('/suppressions/batch/add', { emails: ['left@example.org', 'gone@harbour.test', 'never@meadow.test'] });
  await post(`/webhooks/${webhookId}/events/test`);
  await program.request('/emails/0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57');
  const logId = await until(async () => {
    const response = await program.request('/logs?status=2xx&method=POST&limit=1');
    return ((await response.json()) as { data: { id: string }[] }).data[0]?.id;
  });
  return { domainId, webhookId, logId, receiver };
}
