import type { DashboardWorld } from './dashboard-world.js';
import { testSender } from '../programs/program.js';
import { until } from '../runner/until.js';

export interface FurnishedAutomations {
  readonly welcome: string;
  /** Sixty steps, of which some divide the contacts. */
  readonly sixty: string;
  readonly run: string;
}

const html = `<body style="margin:0;padding:32px;font-family:Helvetica,Arial,sans-serif;color:#17171c">
  <h1 style="font-size:22px">Welcome aboard</h1>
  <p>You are on the {{{PLAN}}} plan. Here is how to begin.</p>
</body>`;

/** Automations with runs in several states, and one of sixty steps. */
export async function furnishAutomations({ program }: DashboardWorld): Promise<FurnishedAutomations> {
  const ask = async <Body = { id: string }>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await program.request(path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const variables = [{ key: 'PLAN', type: 'string', fallback_value: 'our' }];
  for (const [name, subject] of [
    ['Welcome', 'Welcome aboard'],
    ['First steps', 'Three things to try first'],
    ['Upgrade offer', 'What the pro plan adds'],
  ] as const) {
    const { id } = await ask('POST', '/templates', {
      name,
      alias: name.toLowerCase().replace(' ', '-'),
      subject,
      from: testSender,
      html,
      variables,
    });
    await ask('POST', `/templates/${id}/publish`);
  }
  await ask('POST', '/events', { name: 'user.created', schema: { plan: 'string', seats: 'number' } });
  await ask('POST', '/events', { name: 'order.paid', schema: { total: 'number', currency: 'string', at: 'date' } });
  await ask('POST', '/events', { name: 'trial.ending' });
  const plan = { variables: { PLAN: { var: 'event.plan' } } };
  const { id: welcome } = await ask('POST', '/automations', {
    name: 'Welcome series',
    status: 'enabled',
    steps: [
      { key: 'Signed up', type: 'trigger', config: { event_name: 'user.created' } },
      { key: 'Welcome email', type: 'send_email', config: { template: { id: 'welcome', ...plan } } },
      {
        key: 'On the pro plan?',
        type: 'condition',
        config: { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' },
      },
      { key: 'First steps', type: 'send_email', config: { template: { id: 'first-steps', ...plan } } },
      { key: 'First order', type: 'wait_for_event', config: { event_name: 'order.paid', timeout: '3 days' } },
      { key: 'Remember', type: 'contact_update', config: { first_name: 'Customer' } },
      { key: 'Offer', type: 'send_email', config: { template: { id: 'upgrade-offer', ...plan } } },
    ],
    connections: [
      { from: 'Signed up', to: 'Welcome email' },
      { from: 'Welcome email', to: 'On the pro plan?' },
      { from: 'On the pro plan?', to: 'First steps', type: 'condition_met' },
      { from: 'On the pro plan?', to: 'First order', type: 'condition_not_met' },
      { from: 'First order', to: 'Remember', type: 'event_received' },
      { from: 'First order', to: 'Offer', type: 'timeout' },
    ],
  });
  await ask('POST', '/automations', {
    name: 'Trial ending',
    steps: [{ key: 'Trial ends', type: 'trigger', config: { event_name: 'trial.ending' } }],
    connections: [],
  });
  const keys = Array.from({ length: 59 }, (_, no) => `step ${no}`);
  const { id: sixty } = await ask('POST', '/automations', {
    name: 'Sixty steps',
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: 'x' } },
      ...keys.map((key, no) =>
        no % 7 === 3
          ? { key, type: 'split', config: { percent: 50 } }
          : { key, type: 'delay', config: { duration: '2 days' } },
      ),
    ],
    connections: [
      { from: 'start', to: 'step 0' },
      ...keys
        .slice(1)
        .map((key, no) => ({ from: `step ${no}`, to: key, ...(no % 7 === 3 ? { type: 'condition_met' } : {}) })),
    ],
  });
  for (const [email, payload] of [
    ['ada@harbour.test', { plan: 'pro', seats: 5 }],
    ['grace@harbour.test', { plan: 'free' }],
    ['alan@harbour.test', { plan: 'free' }],
    ['radia@harbour.test', { plan: 'pro' }],
    ['barbara@harbour.test', { plan: 'free' }],
  ] as const) {
    await ask('POST', '/events/send', { event: 'user.created', email, payload });
  }
  type Runs = { readonly data: readonly { readonly id: string }[] };
  let run = '';
  await until(async () => {
    const { data } = await ask<Runs>('GET', `/automations/${welcome}/runs?status=completed`);
    run = data[0]?.id ?? '';
    return data.length === 2;
  });
  await ask('POST', '/events/send', { event: 'order.paid', email: 'alan@harbour.test', payload: { total: 42 } });
  return { welcome, sixty, run };
}
