import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { startProgramProcess } from '../support/programs/program-process.js';
import { testApiKey, testEnvironment, testSender } from '../support/programs/program.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';

let inbound: InboundProgram;

beforeAll(async () => {
  inbound = await InboundProgram.start();
});
afterAll(() => inbound.stop());

const order = `From: Ada <ada@customer.test>
To: Support <support+orders@acme.test>, Bob <bob@other.test>
Subject: =?utf-8?q?Where_is_my_order=3F?=
Message-ID: <question@customer.test>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

It was to come on Friday.

On Thu, Nov 19, 2026 at 9:00 AM Acme <support@acme.test> wrote:
> It is on its way.
--b
Content-Type: application/octet-stream; name=picture.bin
Content-Disposition: attachment
Content-Transfer-Encoding: base64

iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
--b--
`;

describe('an email that another server brings', () => {
  it('is listed, read, and downloaded byte for byte', async () => {
    const id = await inbound.received(order, { to: 'support+orders@acme.test', tls: true });

    const { data } = await inbound.resend.emails.receiving.get(id);
    expect(data).toMatchObject({
      object: 'email',
      id,
      from: 'ada@customer.test',
      to: ['support+orders@acme.test', 'bob@other.test'],
      subject: 'Where is my order?',
      received_for: ['support+orders@acme.test'],
      message_id: '<question@customer.test>',
      text: expect.stringContaining('It was to come on Friday.'),
      reply_text: 'It was to come on Friday.',
      plus_tag: 'orders',
      envelope_from: 'ada@customer.test',
      authentication: { spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' },
      attachments: [
        { filename: 'picture.bin', content_type: 'application/octet-stream', detected_type: 'image/png', size: 70 },
      ],
      headers: expect.objectContaining({
        received: expect.stringMatching(
          /^from mx\.customer\.test \(\[127\.0\.0\.1\]\) \(using TLSv1\.3\) by mail\.service\.test with ESMTPS id /,
        ),
        'return-path': '<ada@customer.test>',
        'authentication-results': expect.stringMatching(/^mail\.service\.test; spf=none .* dmarc=none/),
      }),
    });
    const { data: list } = await inbound.resend.emails.receiving.list();
    expect(list?.data[0]).toMatchObject({ id, subject: 'Where is my order?' });

    const source = (await inbound.source(id)).toString();
    expect(source.endsWith(`\r\n${order.replace(/\n/g, '\r\n')}`)).toBe(true);
    const attachmentId = data?.attachments[0]?.id ?? '';
    const attachment = await inbound.resend.emails.receiving.attachments.get({ emailId: id, id: attachmentId });
    const content = await inbound.download(attachment.data?.download_url);
    expect(content.subarray(1, 4).toString()).toBe('PNG');
    const { data: attachments } = await inbound.resend.emails.receiving.attachments.list({ emailId: id });
    expect(attachments?.data).toMatchObject([{ id: attachmentId, size: 70 }]);
  });

  it('is told of by webhook, without its content, and again when it is replayed', async () => {
    const receiver = await WebhookReceiver.listen();
    const { data: webhook } = await inbound.resend.webhooks.create({
      endpoint: receiver.url,
      events: ['email.received'],
    });
    const id = await inbound.received(order, { to: ['support@acme.test', 'sales@acme.test'] });
    await until(() => receiver.ofType('email.received').length === 1);

    const replay = await inbound.program.request(`/emails/receiving/${id}/replay`, { method: 'POST' });
    expect(replay.status).toBe(200);
    const { data: changes } = (await (await inbound.program.request('/audit?limit=1')).json()) as { data: object[] };
    expect(changes).toMatchObject([{ action: 'emails.receiving.replay', outcome: 'done' }]);
    await until(() => receiver.ofType('email.received').length === 2);

    const [first, second] = receiver.ofType('email.received');
    expect(first?.payload.data).toMatchObject({
      email_id: id,
      from: 'ada@customer.test',
      received_for: ['support@acme.test', 'sales@acme.test'],
      subject: 'Where is my order?',
      attachments: [{ filename: 'picture.bin', content_type: 'application/octet-stream' }],
    });
    expect(JSON.stringify(first?.payload)).not.toContain('Friday');
    expect(second?.payload.data).toEqual(first?.payload.data);
    expect(second?.id).not.toBe(first?.id);
    await inbound.resend.webhooks.remove(webhook?.id ?? '');
    await receiver.close();
  });

  it('has null where it has no value: alone, in the list and in its event', async () => {
    const receiver = await WebhookReceiver.listen();
    const events = ['email.received' as const];
    const { data: webhook } = await inbound.resend.webhooks.create({ endpoint: receiver.url, events });
    const id = await inbound.received(
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: a/b\n\n1\n--b--\n',
    );
    await until(() => receiver.ofType('email.received').length === 1);

    const file = { filename: null, content_type: 'a/b', content_id: null, content_disposition: null };
    const lists = { cc: null, bcc: null, reply_to: null };
    const attachments = [expect.objectContaining({ ...file, detected_type: null })];
    const shown = { id, ...lists, attachments, plus_tag: null, spam_score: null };
    const { data } = await inbound.resend.emails.receiving.get(id);
    expect(data).toMatchObject({ ...shown, html: null, html_format: null, text: null, reply_text: null });
    const { data: list } = await inbound.resend.emails.receiving.list({ limit: 1 });
    expect(list?.data[0]).toMatchObject(shown);
    const told = receiver.ofType('email.received')[0]?.payload.data;
    expect(told).toMatchObject({ email_id: id, cc: [], bcc: [], attachments: [file] });
    await inbound.resend.webhooks.remove(webhook?.id ?? '');
    await receiver.close();
  });

  it('is forwarded by the unmodified client', async () => {
    const id = await inbound.received(order);
    const forwarded = await inbound.resend.emails.receiving.forward({
      emailId: id,
      to: 'boss@elsewhere.test',
      from: 'support@acme.test',
    });
    expect(forwarded.error).toBeNull();
    const wrapped = await inbound.resend.emails.receiving.forward({
      emailId: id,
      to: 'boss@elsewhere.test',
      from: 'support@acme.test',
      passthrough: false,
      text: 'See below',
    });
    expect(wrapped.error).toBeNull();
    await until(() => inbound.program.transport.delivered.length >= 2);
    const { data } = await inbound.resend.emails.get(forwarded.data?.id ?? '');
    expect(data).toMatchObject({ subject: 'Where is my order?', to: ['boss@elsewhere.test'] });
  });

  it('belongs to a thread with the mail that it answers, and can be listed by it and by its author', async () => {
    const one = await inbound.received('From: a@b.test\nMessage-ID: <root@b.test>\nSubject: One\n\n1\n');
    const two = await inbound.received(
      'From: c@d.test\nMessage-ID: <two@d.test>\nIn-Reply-To: <root@b.test>\nReferences: <root@b.test>\nSubject: Re: One\n\n2\n',
    );
    const alone = await inbound.received('From: a@b.test\nSubject: no ids\n\n3\n');
    const { body } = await inbound.get(`/emails/receiving/${one}`);
    const idsAt = async (query: string) =>
      ((await inbound.get(`/emails/receiving?${query}`)).body.data as { id: string }[]).map(({ id }) => id);

    expect(await idsAt(`thread_id=${String(body.thread_id)}`)).toEqual([two, one]);
    expect(await idsAt('from=A@b.test')).toEqual([alone, one]);
    expect(await idsAt('from=a@b.test&limit=1')).toEqual([alone]);
    expect(await idsAt(`from=a@b.test&limit=1&after=${alone}`)).toEqual([one]);
  });

  it('shows inline images as data, or by their content ids', async () => {
    const id = await inbound.received(
      'From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n' +
        '<img src="cid:logo">\n--b\nContent-Type: image/png\nContent-ID: <logo>\nContent-Transfer-Encoding: base64\n\nAQID\n--b--\n',
    );
    expect((await inbound.get(`/emails/receiving/${id}`)).body).toMatchObject({
      html: '<img src="data:image/png;base64,AQID">',
      html_format: 'data_uri',
    });
    expect((await inbound.get(`/emails/receiving/${id}?html_format=cid`)).body).toMatchObject({
      html: '<img src="cid:logo">',
      html_format: 'cid',
      attachments: [{ content_id: 'logo' }],
    });
    expect((await inbound.get(`/emails/receiving/${id}?html_format=x`)).status).toBe(422);
  });

  it('is read without a warning of the program, however large its text is', async () => {
    const line = `${'It was to come on Friday, and it is Monday now. '.repeat(15)}\n`;
    const text = line.repeat(Math.ceil(5_000_000 / line.length));
    const id = await inbound.received(`From: ada@customer.test\nSubject: Long\n\n${text}.\n`);
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-warnings-'));
    const program = await startProgramProcess(testEnvironment(inbound.program.database, dataDir));
    const headers = { authorization: `Bearer ${testApiKey}` };
    const response = await fetch(`${program.url}/emails/receiving/${id}`, { headers });
    expect((await response.text()).length).toBeGreaterThan(5_000_000);
    await program.stop();
    await rm(dataDir, { recursive: true, force: true });
    expect(program.output()).not.toContain('Warning');
  }, 240_000);

  it('is in the metrics and in the usage of its team', async () => {
    const before = (await inbound.get('/emails/metrics?metrics=received')).body.totals as { received: number };
    await inbound.received('Subject: counted\n\n.\n');
    const after = (await inbound.get('/emails/metrics?metrics=received')).body.totals as { received: number };
    expect(after.received).toBe(before.received + 1);
  });
});

describe('the emails of a team', () => {
  it('are not found by another team', async () => {
    const id = await inbound.received(order);
    const { apiKey } = await addSecondTeam(inbound.program.postrider.app);
    const headers = { authorization: `Bearer ${apiKey}` };
    for (const path of ['', '/attachments', `/attachments/${newId()}`]) {
      const response = await inbound.program.request(`/emails/receiving/${id}${path}`, { headers });
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 404,
        body: { name: 'not_found', message: 'Email not found' },
      });
    }
    const list = await inbound.program.request('/emails/receiving', { headers });
    expect(await list.json()).toMatchObject({ data: [] });
    const replay = await inbound.program.request(`/emails/receiving/${id}/replay`, { method: 'POST', headers });
    expect(replay.status).toBe(404);
  });

  it('need a key with full access, and links that were not changed', async () => {
    const id = await inbound.received(order);
    const { data } = await inbound.resend.apiKeys.create({ name: 'Sending', permission: 'sending_access' });
    const headers = { authorization: `Bearer ${data?.token}` };
    const refused = await inbound.program.request(`/emails/receiving/${id}`, { headers });
    expect(await refused.json()).toMatchObject({ name: 'restricted_api_key' });

    const { body } = await inbound.get(`/emails/receiving/${id}`);
    const { download_url: url } = body.raw as { download_url: string };
    expect((await fetch(url.replace(id, newId()))).status).toBe(404);
    expect((await fetch(url.replace(/expires=\d+/, 'expires=9999999999'))).status).toBe(404);
  });

  it.each(['?limit=101', '?after=x', '?thread_id=x', '/x'])('refuse %s', async (query) => {
    expect((await inbound.get(`/emails/receiving${query}`)).status).toBe(422);
  });
});

describe.each(['/email', '/emails/sending', '/email/sending'])('the former path %s', (path) => {
  const post = async (at: string, headers = {}, fields = {}) => {
    const response = await inbound.program.request(at, {
      method: 'POST',
      headers: { 'idempotency-key': path, ...headers },
      body: JSON.stringify({ from: testSender, to: 'a@b.test', subject: 'Hi', text: 'Hi', ...fields }),
    });
    return { status: response.status, body: await response.json() };
  };

  it('accepts emails like /emails, even with a sending key', async () => {
    const { data } = await inbound.resend.apiKeys.create({ name: 'Sending', permission: 'sending_access' });

    const sent = await post(path, { authorization: `Bearer ${data?.token}` });

    expect(sent).toEqual({ status: 200, body: { id: expect.any(String) } });
    expect(await post('/emails')).toEqual(sent);
    expect(await post(path, { 'idempotency-key': `${path} 2` }, { to: undefined })).toMatchObject({
      status: 422,
      body: { name: 'missing_required_field' },
    });
  });
});
