import type { DashboardWorld } from './dashboard-world.js';
import { allRecords } from './published-records.js';
import { publishedIn } from '../fakes/in-memory-zones.js';
import { SmtpDialogue } from '../clients/smtp-dialogue.js';
import { until } from '../runner/until.js';

/** For `startDashboardWorld`, so that mail can be received. */
export const receivingEnvironment = { SMTP_LISTEN: '127.0.0.1:0+mx', HOST_NAME: 'mail.service.test' };

export interface FurnishedPages {
  readonly contactId: string;
  readonly segmentId: string;
  readonly templateId: string;
  readonly receivedId: string;
}

const people = [
  ['ada@harbour.test', 'Ada', 'Lovelace', 'pro', 12],
  ['grace@meadow.test', 'Grace', 'Hopper', 'team', 40],
  ['alan@harbour.test', 'Alan', 'Turing', 'free', 1],
  ['katherine@meadow.test', 'Katherine', 'Johnson', 'pro', 8],
  ['linus@grey.test', 'Linus', 'Pauling', 'free', 1],
  ['margaret@harbour.test', 'Margaret', 'Hamilton', 'team', 25],
  ['edsger@meadow.test', 'Edsger', 'Dijkstra', 'pro', 3],
  ['barbara@harbour.test', 'Barbara', 'Liskov', 'team', 60],
] as const;

const message = `From: Ada Lovelace <ada@harbour.test>
To: support@acme-mail.test
Subject: Where is my order?
Message-ID: <b7d2a9c6e31@harbour.test>
Content-Type: text/html; charset=utf-8

<p style="font-family:Helvetica,Arial,sans-serif">Hello,</p><p style="font-family:Helvetica,Arial,sans-serif">it was to come on
<b>Friday</b>, and it is Monday. Could you have a look?</p><p style="font-family:Helvetica,Arial,sans-serif">Ada</p>
`;

/** Fills the pages of the audience, of templates and of received mail. */
export async function furnishPages({ program, dns }: DashboardWorld): Promise<FurnishedPages> {
  const ask = async <Body = { id: string }>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await program.request(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  await ask('POST', '/contact-properties', { key: 'plan', type: 'string', fallback_value: 'free' });
  await ask('POST', '/contact-properties', { key: 'seats', type: 'number' });
  for (const [name, description] of [
    ['Product news', 'What is new, once a month.'],
    ['Tips', 'How others use it.'],
  ]) {
    await ask('POST', '/topics', { name, description, default_subscription: 'opt_in', visibility: 'public' });
  }
  const filter = {
    type: 'and',
    rules: [
      { type: 'rule', field: 'contact.properties.plan', operator: 'eq', value: 'pro' },
      { type: 'not', rule: { type: 'rule', field: 'contact.email', operator: 'ends_with', value: '@grey.test' } },
    ],
  };
  const { id: beta } = await ask('POST', '/segments', { name: 'Beta testers' });
  const { id: segmentId } = await ask('POST', '/segments', { name: 'Paying customers', filter });
  let contactId = '';
  for (const [email, first_name, last_name, plan, seats] of people) {
    const properties = { plan, seats };
    const segments = [{ id: beta }];
    const { id } = await ask('POST', '/contacts', { email, first_name, last_name, properties, segments });
    if (contactId === '') contactId = id;
  }
  await ask('PATCH', '/contacts/ada@harbour.test', { properties: { plan: 'team', seats: 20 } });
  await ask('PATCH', '/contacts/alan@harbour.test', { unsubscribed: true });
  const { id: templateId } = await ask('POST', '/templates', {
    name: 'Order shipped',
    alias: 'order-shipped',
    subject: 'Your order {{ORDER}} is on its way',
    from: 'Acme <hello@acme.test>',
    html: `<body style="margin:0;padding:32px;font-family:Helvetica,Arial,sans-serif;color:#17171c">
  <h1 style="font-size:22px">Hello {{{FIRST_NAME|there}}}</h1>
  <p>Your order <b>{{ORDER}}</b> left our warehouse this morning and should be with you on {{DAY}}.</p>
  <p><a href="https://acme.test/track" style="color:#4338ca">Track your parcel</a></p>
</body>`,
    variables: [
      { key: 'ORDER', type: 'string' },
      { key: 'DAY', type: 'string', fallback_value: 'Friday' },
    ],
  });
  await ask('POST', `/templates/${templateId}/publish`);
  await ask('POST', '/templates', { name: 'Welcome', html: '<p>Welcome</p>' });
  return { contactId, segmentId, templateId, receivedId: await receive() };

  async function receive(): Promise<string> {
    const name = 'acme-mail.test';
    const capabilities = { sending: 'enabled', receiving: 'enabled' };
    const domain = await ask<{ id: string; records: never }>('POST', '/domains', { name, capabilities });
    publishedIn(dns, name, allRecords(domain));
    await ask('POST', `/domains/${domain.id}/verify`);
    await until(async () => (await ask<{ status: string }>('GET', `/domains/${domain.id}`)).status === 'verified');
    const to = ['ada@acme.test'];
    await ask('POST', '/routes', { name: 'Support', recipient: `support@${name}`, action: { type: 'forward', to } });
    await ask('POST', '/routes', {
      name: 'Absence notes',
      recipient: `*@${name}`,
      conditions: [{ header: 'Subject', test: 'starts_with', value: 'Out of office' }],
      action: { type: 'drop' },
    });
    const port = program.postrider.smtp.listening.find(({ isMx }) => isMx)?.port ?? 0;
    const client = await SmtpDialogue.open(port);
    await client.ask('EHLO mx1.harbour.test');
    const reply = await client.submit('ada@harbour.test', `support@${name}`, message.replaceAll('\n', '\r\n'));
    if (!reply.startsWith('250')) throw new Error(reply);
    client.drop();
    return until(async () => {
      const { data } = await ask<{ data: { id: string }[] }>('GET', '/emails/receiving');
      return data[0]?.id;
    });
  }
}
