import type { DashboardWorld } from './dashboard-world.js';
import { testSender } from '../programs/program.js';
import { until } from '../runner/until.js';

export interface FurnishedBroadcasts {
  readonly draft: string;
  readonly done: string;
  /** Sends one email, and then none for an hour. */
  readonly slow: string;
  /** Tries two subjects. */
  readonly tried: string;
}

const names = ['Grace', 'Alan', 'Radia', 'Barbara', 'Edsger'];

const html = `<body style="margin:0;padding:32px;font-family:Helvetica,Arial,sans-serif;color:#17171c">
  <h1 style="font-size:22px">Hello {{{FIRST_NAME|there}}}</h1>
  <p>The new season is here: lighter jackets, and boots that forgive the rain.</p>
  <p><a href="https://acme.test/spring" style="color:#4338ca">Have a look</a></p>
  <p style="font-size:12px;color:#696975"><a href="{{{RESEND_UNSUBSCRIBE_URL}}}" style="color:#696975">Unsubscribe</a></p>
</body>`;

/** Broadcasts in several states, to a segment with five subscribed contacts. */
export async function furnishBroadcasts({ program }: DashboardWorld): Promise<FurnishedBroadcasts> {
  const ask = async <Body = { id: string }>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await program.request(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const { id: segment_id } = await ask('POST', '/segments', { name: 'Readers' });
  const segments = [{ id: segment_id }];
  for (const first_name of names) {
    await ask('POST', '/contacts', { email: `${first_name.toLowerCase()}@harbour.test`, first_name, segments });
  }
  await ask('POST', '/contacts', { email: 'gone@harbour.test', unsubscribed: true, segments });
  const content = {
    from: testSender,
    segment_id,
    html,
    preview_text: 'Lighter jackets, and boots that forgive the rain',
  };
  const create = async (name: string, more: object = {}): Promise<string> =>
    (await ask('POST', '/broadcasts', { ...content, name, subject: name, ...more })).id;
  const draft = await create('Spring sale');
  const done = await create('Autumn letter', { send: true });
  const slow = await create('Weekly digest', { send: true, options: { throttle_per_hour: 1 } });
  const tried = await create('Harvest news', {
    send: true,
    options: {
      subject_test: { subjects: ['What the harvest brought'], share_percent: 80, wait_minutes: 1, winner: 'clicks' },
    },
  });
  await create('New year greetings', { send: true, scheduled_at: 'in 3 days' });
  await until(async () => (await ask<{ status: string }>('GET', `/broadcasts/${done}`)).status === 'sent');
  return { draft, done, slow, tried };
}
