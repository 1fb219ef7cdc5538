import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Mailgun from 'mailgun.js';
import { Errors, ServerClient } from 'postmark';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { bodyOf, ProviderWebhooks } from '../support/programs/provider-webhooks.js';
import { submissionApiKey } from '../support/programs/submission-program.js';
import { reader, trackedDomain, TrackingProgram } from '../support/programs/tracking-program.js';
import { refusalOf } from '../support/programs/wires-program.js';
import { until } from '../support/runner/until.js';
import { signatureOf, WebhookReceiver } from '../support/servers/webhook-receiver.js';

/** Webhooks that the clients of other providers make, unchanged, and the calls that then arrive. */

let world: ProviderWebhooks;
let tracking: TrackingProgram;
let receiver: WebhookReceiver;

beforeAll(async () => {
  world = await ProviderWebhooks.start('mailgun,postmark');
  ({ tracking } = world);
  await tracking.addDomain('second.test', {});
});

afterAll(() => world.stop());

beforeEach(async () => {
  await world.listen();
  ({ receiver } = world);
});

afterEach(() => receiver.close());

describe('Mailgun', () => {
  const client = (key = submissionApiKey): ReturnType<InstanceType<typeof Mailgun>['client']> => {
    const made = new Mailgun(FormData).client({ username: 'api', key, url: `${world.url}/mailgun` });
    // It would write on every call that there is something newer.
    Object.assign(made.events, { logger: { warn: () => undefined } });
    return made;
  };
  const names = ['accepted', 'delivered', 'opened', 'clicked', 'complained', 'permanent_fail', 'temporary_fail'];
  const domain = trackedDomain;

  const signingKey = async (): Promise<string> => {
    const { data } = (await (await world.own('/wires')).json()) as {
      data: { wire: string; webhook_signing_key: string }[];
    };
    return data.find(({ wire }) => wire === 'mailgun')?.webhook_signing_key ?? '';
  };

  it('webhooks are created, listed, changed and deleted', async () => {
    const hooks = client().webhooks;
    expect(await hooks.list(domain, {})).toEqual({});
    const [first, other] = [`${receiver.url}/1`, `${receiver.url}/2`];
    expect(await hooks.create(domain, 'delivered', first, false)).toEqual({
      id: 'delivered',
      url: first,
      urls: [first],
    });
    await hooks.create(domain, 'unsubscribed', first, false);
    await hooks.create('second.test', 'delivered', other, false);
    expect(await hooks.list(domain, {})).toEqual({ delivered: { urls: [first] }, unsubscribed: { urls: [first] } });
    expect(await hooks.get(domain, 'delivered' as never)).toMatchObject({ urls: [first] });
    expect((await hooks.update(domain, 'delivered', [other, first])).urls).toEqual([other, first]);
    expect((await hooks.get(domain, 'delivered' as never)).urls.sort()).toEqual([first, other]);
    expect((await hooks.update(domain, 'delivered', other)).urls).toEqual([other]);
    expect((await hooks.get(domain, 'delivered' as never)).urls).toEqual([other]);
    expect((await hooks.destroy(domain, 'delivered')).urls).toEqual([other]);
    await hooks.destroy(domain, 'unsubscribed');
    expect(await hooks.list(domain, {})).toEqual({});
    await hooks.destroy('second.test', 'delivered');
    expect(await world.listed()).toEqual([]);
  });

  it('every event of the domain arrives signed, as the log of events has it', async () => {
    const hooks = client().webhooks;
    await Promise.all(names.map((name) => hooks.create(domain, name, receiver.url, false)));
    await hooks.create(domain, 'unsubscribed', receiver.url, false);
    await world.send('elsewhere@mg.test', { from: 'hello@second.test' });
    const id = await world.send('ann@mg.test', { tags: [{ name: 'order', value: '17' }] });
    await world.send('nobody@mg.test');
    await world.read('ann@mg.test', id);
    await client().suppressions.create(domain, 'unsubscribes', { address: 'bo@mg.test' });

    const bodies = await world.arrived(() => true, 8);
    const events = bodies.map((body) => body['event-data']);
    const named = (event: ParsedJson): string => `${event.event} ${event.recipient}`;
    expect(events.map(named).sort()).toEqual([
      'accepted ann@mg.test',
      'accepted nobody@mg.test',
      'clicked ann@mg.test',
      'delivered ann@mg.test',
      'failed nobody@mg.test',
      'opened ann@mg.test',
      'opened ann@mg.test',
      'unsubscribed bo@mg.test',
    ]);
    const logged = await until(async () => {
      const { items } = await client().events.get(domain, { recipient: 'ann@mg.test', limit: 50 });
      return items.length === 5 && items;
    });
    const told = events.filter(({ recipient }) => recipient === 'ann@mg.test');
    const byId = (list: object[]): object[] => (list as ParsedJson[]).sort((a, b) => Number(a.id) - Number(b.id));
    expect(byId(told)).toEqual(byId(logged));

    const key = await signingKey();
    for (const { signature } of bodies as { signature: Record<string, string> }[]) {
      const { timestamp = '', token = '' } = signature;
      const expected = createHmac('sha256', key).update(timestamp.concat(token)).digest('hex');
      expect([signature.signature, token.length]).toEqual([expected, 50]);
    }
    expect(receiver.calls.every((call) => call.signature === signatureOf(call, key))).toBe(true);

    const endpoints = await world.listed();
    expect(endpoints).toHaveLength(8);
    expect(endpoints[0]).toMatchObject({ format: 'mailgun', domain_id: expect.any(String), endpoint: receiver.url });
    const shown = await world.json(`/webhooks/${endpoints[0]?.id}`);
    expect(shown.signing_secret).toBe(key);
    for (const name of [...names, 'unsubscribed']) await hooks.destroy(domain, name);
  });

  it('a bounce adds a suppression and is no unsubscribe: that message is done without a call', async () => {
    await client().webhooks.create(domain, 'unsubscribed', receiver.url, false);
    const [endpoint] = await world.listed();
    await client().suppressions.create(domain, 'bounces', { address: 'cy@mg.test' });
    const messages = await until(async () => {
      const { data } = (await (await world.own(`/webhooks/${endpoint?.id}/events`)).json()) as { data: ParsedJson[] };
      return data[0]?.status === 'success' && data;
    });
    const path = `/webhooks/${endpoint?.id}/events/${messages[0]?.id}`;
    expect(await (await world.own(path)).json()).toMatchObject({ type: 'suppression.added', payload: null });
    expect(await (await world.own(`${path}/attempts`)).json()).toMatchObject({
      data: [{ http_status_code: 0, response: 'The endpoint gets no such event in its format' }],
    });
    expect(receiver.calls).toEqual([]);
    expect((await world.listed())[0]?.health).toMatchObject({ state: 'up', calls: 0 });
    await client().webhooks.destroy(domain, 'unsubscribed');
  });

  it('a test event arrives in this format, and the log does not sign what readers see', async () => {
    await client().webhooks.create(domain, 'delivered', receiver.url, false);
    const [endpoint] = await world.listed();
    const tested = await world.json(`/webhooks/${endpoint?.id}/events/test`, 'POST');
    expect(tested).toMatchObject({ http_status_code: 200 });
    expect(receiver.calls.map(bodyOf)).toMatchObject([{ 'event-data': { event: 'delivered' } }]);
    const shown = await world.json(`/webhooks/${endpoint?.id}/events/${tested.id}`);
    const { timestamp, token, signature } = shown.payload.signature as Record<string, string>;
    const signed = createHmac('sha256', await signingKey()).update(`${timestamp}${token}`);
    expect(signature).not.toBe(signed.digest('hex'));
    await client().webhooks.destroy(domain, 'delivered');
  });

  it('what is not valid is refused in the shape of Mailgun, and nothing is kept of it', async () => {
    const post = (fields: [string, string][]): Promise<Response> =>
      fetch(`${world.url}/mailgun/v3/domains/${domain}/webhooks`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { authorization: `Basic ${btoa(`api:${submissionApiKey}`)}` },
      });
    const urls = ['1', '2', '3', '4'].map((n): [string, string] => ['url', `${receiver.url}/${n}`]);
    const id: [string, string] = ['id', 'opened'];
    for (const fields of [
      [id],
      [['url', receiver.url]],
      [
        ['id', 'eaten'],
        ['url', receiver.url],
      ],
      [
        ['id', 'constructor'],
        ['url', receiver.url],
      ],
      [id, ...urls],
      [id, ...urls.slice(0, 2), ['url', 'https://ann:secret@hooks.test/']],
      [id, ['url', 'ftp://hooks.test/']],
    ] as [string, string][][]) {
      const response = await post(fields);
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([400, ['message']]);
    }
    expect((await post([id, ...urls.slice(0, 3)])).status).toBe(200);
    expect((await post([id, ...urls.slice(0, 1)])).status).toBe(400);
    await client().webhooks.destroy(domain, 'opened');
    expect(await refusalOf(client().webhooks.get(domain, 'opened' as never))).toMatchObject({ status: 404 });
    expect(await refusalOf(client().webhooks.destroy(domain, 'constructor'))).toMatchObject({ status: 404 });
    expect(await world.listed()).toEqual([]);
  });

  it('another team does not see them', async () => {
    await client().webhooks.create(domain, 'opened', receiver.url, false);
    const theirs = client(world.second.apiKey).webhooks;
    expect(await refusalOf(theirs.list(domain, {}))).toMatchObject({ status: 404 });
    expect(await refusalOf(theirs.create(domain, 'clicked', receiver.url, false))).toMatchObject({ status: 404 });
    expect(await refusalOf(theirs.destroy(domain, 'opened'))).toMatchObject({ status: 404 });
    expect(await world.listed(world.second.apiKey)).toEqual([]);
    await client().webhooks.destroy(domain, 'opened');
  });
});

describe('Postmark', () => {
  const client = (token = submissionApiKey): ServerClient =>
    new ServerClient(token, { requestHost: `${new URL(world.url).host}/postmark`, useHttps: false });
  const [on, off] = [{ Enabled: true }, { Enabled: false }];
  const withoutContent = { Enabled: false, IncludeContent: false };

  it('webhooks are created, listed, changed and deleted', async () => {
    const created = await client().createWebhook({
      Url: receiver.url,
      HttpAuth: { Username: 'ann', Password: 'secret' },
      HttpHeaders: [{ Name: 'X-Key', Value: '17' }],
      Triggers: { Open: { Enabled: true, PostFirstOpenOnly: true }, Delivery: on },
    });
    expect(created).toEqual({
      ID: expect.any(Number),
      Url: receiver.url,
      MessageStream: 'outbound',
      HttpAuth: { Username: 'ann', Password: 'secret' },
      HttpHeaders: [{ Name: 'X-Key', Value: '17' }],
      Triggers: {
        Open: { Enabled: true, PostFirstOpenOnly: true },
        Delivery: on,
        Click: off,
        SubscriptionChange: off,
        Bounce: withoutContent,
        SpamComplaint: withoutContent,
      },
    });
    const other = await client().createWebhook({ Url: receiver.url, MessageStream: 'news', Triggers: { Click: on } });
    expect(await client().getWebhook(created.ID)).toEqual(created);
    expect(await client().getWebhooks()).toEqual({ Webhooks: [created, other] });
    expect(await client().getWebhooks({ messageStream: 'news' })).toEqual({ Webhooks: [other] });
    const changes = { Url: `${receiver.url}/2`, Triggers: { Delivery: off, Bounce: on } };
    expect(await client().editWebhook(created.ID, changes)).toMatchObject({
      ID: created.ID,
      Url: `${receiver.url}/2`,
      HttpAuth: created.HttpAuth,
      Triggers: { Open: { Enabled: true, PostFirstOpenOnly: true }, Delivery: { Enabled: false }, Bounce: on },
    });
    for (const { ID } of [created, other]) {
      expect(await client().deleteWebhook(ID)).toMatchObject({ ErrorCode: 0 });
    }
    expect(await client().getWebhooks()).toEqual({ Webhooks: [] });
  });

  it('every kind of record arrives, with the credentials that were asked for', async () => {
    const { ID } = await client().createWebhook({
      Url: receiver.url,
      HttpAuth: { Username: 'ann', Password: 'secret' },
      HttpHeaders: [{ Name: 'X-Key', Value: '17' }],
      Triggers: { Open: on, Click: on, Delivery: on, Bounce: on, SpamComplaint: on, SubscriptionChange: on },
    });
    const sent = await client().sendEmail({
      From: `hello@${trackedDomain}`,
      To: 'ann@pm.test',
      Subject: 'Hi',
      HtmlBody: '<a href="https://shop.test/offer">Offer</a>',
      Tag: 'order mails',
      Metadata: { order: 'A 17' },
    });
    await client().sendEmail({ From: `hello@${trackedDomain}`, To: 'nobody@pm.test', Subject: 'No', TextBody: 'No' });
    await world.read('ann@pm.test', sent.MessageID);
    const email = {
      MessageID: sent.MessageID,
      Recipient: 'ann@pm.test',
      Tag: 'order mails',
      MessageStream: 'outbound',
    };
    const visit = { ...email, Metadata: { order: 'A 17' }, UserAgent: reader, Geo: { IP: '127.0.0.1' } };
    const of = async (type: string, count = 1) => world.arrived(({ RecordType }) => RecordType === type, count);
    expect(await of('Delivery')).toMatchObject([{ ...email, DeliveredAt: expect.stringMatching(/Z$/) }]);
    expect(await of('Open', 2)).toMatchObject([
      { ...visit, FirstOpen: true },
      { ...visit, FirstOpen: false },
    ]);
    expect(await of('Click')).toMatchObject([{ ...visit, OriginalLink: 'https://shop.test/offer' }]);
    const [bounce] = await of('Bounce');
    expect(bounce).toEqual(await client().getBounce(Number(bounce?.ID)));
    expect(await of('SubscriptionChange')).toMatchObject([
      { Recipient: 'nobody@pm.test', SuppressSending: true, SuppressionReason: 'HardBounce', Origin: 'Recipient' },
    ]);
    await client().activateBounce(Number(bounce?.ID));
    expect(await of('SubscriptionChange', 2)).toMatchObject([
      { SuppressSending: true },
      { SuppressSending: false, SuppressionReason: null },
    ]);
    const { ID: serverId } = await client().getServer();
    expect(new Set(receiver.accepted.map((call) => bodyOf(call).ServerID))).toEqual(new Set([serverId]));
    for (const { headers } of receiver.calls) {
      expect(headers).toMatchObject({
        'x-key': '17',
        authorization: `Basic ${btoa('ann:secret')}`,
        'content-type': 'application/json',
      });
    }
    await client().deleteWebhook(ID);
  });

  it('a webhook gets the events of its stream, and no second opening if it does not want one', async () => {
    const triggers = { Open: { Enabled: true, PostFirstOpenOnly: true }, Delivery: on, SubscriptionChange: on };
    const stream = { MessageStream: 'news' };
    const { ID } = await client().createWebhook({ Url: receiver.url, ...stream, Triggers: triggers });
    const message = { From: `hello@${trackedDomain}`, Subject: 'Hi', HtmlBody: '<a href="https://shop.test/">A</a>' };
    await client().sendEmail({ ...message, To: 'other@pm.test' });
    const { MessageID } = await client().sendEmail({ ...message, To: 'bo@pm.test', ...stream });
    await world.read('bo@pm.test', MessageID);
    const team = (await tracking.program.get('/webhooks')) as { data: ParsedJson[] };
    const path = `/webhooks/${team.data[0]?.id}/events`;
    await until(async () => {
      const { data } = (await tracking.program.get(path)) as { data: ParsedJson[] };
      return data.filter(({ type, status }) => type === 'email.opened' && status === 'success').length === 2;
    });
    await client().createSuppressions('outbound', { Suppressions: [{ EmailAddress: 'gone@pm.test' }] });
    await world.arrived(({ RecordType }) => RecordType === 'SubscriptionChange');
    expect(receiver.calls.map((call) => bodyOf(call).RecordType)).toEqual(['Delivery', 'Open', 'SubscriptionChange']);
    await client().deleteWebhook(ID);
  });

  it('what is not valid is refused in the shape of Postmark, and passwords are not in the log of requests', async () => {
    const { ID } = await client().createWebhook({
      Url: receiver.url,
      HttpHeaders: [{ Name: 'X-Key', Value: 'not-to-be-logged' }],
      Triggers: { Open: on },
    });
    const header = (Name: string, Value = ''): object => ({ HttpHeaders: [{ Name, Value }] });
    const faults: object[] = [
      { Url: 'ftp://hooks.test/' },
      { Url: 7 },
      { Url: 'https://ann:secret@hooks.test/' },
      { Triggers: { Open: off } },
      { Triggers: { Bounce: { Enabled: true, IncludeContent: true } } },
      { Triggers: { Eaten: { Enabled: true } } },
      { Triggers: [] },
      { HttpAuth: { Username: 'a:b', Password: 'c' } },
      header('Host', 'elsewhere.test'),
      header('Content-Length', '1'),
      header('X-Key', 'a\r\nX-Other: b'),
      header('X Key'),
      { MessageStream: 'news' },
    ];
    for (const fault of faults) {
      const refusal = await refusalOf(client().editWebhook(ID, fault));
      expect([fault, refusal]).toMatchObject([fault, { statusCode: 422, code: 300 }]);
      expect(refusal).toBeInstanceOf(Errors.PostmarkError);
    }
    expect(await refusalOf(client().createWebhook({ Url: receiver.url }))).toMatchObject({ code: 300 });
    const endless = { Url: receiver.url, MessageStream: 'x'.repeat(100_000), Triggers: { Open: on } };
    expect(await refusalOf(client().createWebhook(endless))).toMatchObject({ statusCode: 422, code: 300 });
    for (const id of [1, Number.NaN]) {
      expect(await refusalOf(client().getWebhook(id))).toMatchObject({ statusCode: 404, code: 404 });
    }
    const logs = await (await world.own('/logs?limit=100')).text();
    expect(logs).not.toContain('not-to-be-logged');
    await client().deleteWebhook(ID);
  });

  it('another team does not see them', async () => {
    const { ID } = await client().createWebhook({ Url: receiver.url, Triggers: { Open: on } });
    const theirs = client(world.second.apiKey);
    expect(await theirs.getWebhooks()).toEqual({ Webhooks: [] });
    for (const asked of [
      theirs.getWebhook(ID),
      theirs.editWebhook(ID, { Url: receiver.url }),
      theirs.deleteWebhook(ID),
    ]) {
      expect(await refusalOf(asked)).toMatchObject({ statusCode: 404 });
    }
    expect((await client().getWebhook(ID)).Url).toBe(receiver.url);
    await client().deleteWebhook(ID);
  });
});
