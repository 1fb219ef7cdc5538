import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SandboxAddress } from '#delivery';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';
import {
  Message,
  sender,
  postrider,
  apiKey,
  start,
  startSandbox,
  stopSandbox,
  resend,
  api,
  inbox,
  arrived,
  received,
  deliverRaw,
  page,
} from '../support/programs/sandbox-program.js';

beforeAll(startSandbox);
afterAll(stopSandbox);

describe('the sandbox over HTTP', () => {
  it('shows a sent email with its parts and a signature that another verifier accepts', async () => {
    await resend().emails.send({
      from: sender,
      to: ['one@example.test', 'two@example.test'],
      bcc: 'hidden@example.test',
      subject: 'Grüße aus der Sandbox',
      html: '<p>Hello <b>world</b></p>',
      text: 'Hello world',
    });

    const message = await received('Grüße aus der Sandbox');

    expect(message).toEqual({
      id: expect.any(String),
      from: sender,
      to: ['one@example.test', 'two@example.test', 'hidden@example.test'],
      subject: 'Grüße aus der Sandbox',
      received_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/),
      raw: expect.stringMatching(/^DKIM-Signature: [^]*\r\n\r\n/m),
      html: '<p>Hello <b>world</b></p>',
      text: 'Hello world',
      dkim: 'pass',
    });
    expect(message.raw).not.toContain('hidden@example.test');
  });

  it('says that a message altered after signing fails', async () => {
    await resend().emails.send({ from: sender, to: 'a@example.test', subject: 'Original', text: 'Pay 10 euros' });
    const { raw } = await received('Original');

    await deliverRaw(raw.replace('Pay 10 euros', 'Pay 99 euros').replace('Subject: Original', 'Subject: Tampered'));

    expect(await received('Tampered')).toMatchObject({ text: 'Pay 99 euros', dkim: 'fail' });
  });

  it('says that a message without a signature has none', async () => {
    await deliverRaw(`From: ${sender}\r\nSubject: Unsigned\r\n\r\nHello\r\n`);

    expect(await received('Unsigned')).toMatchObject({ html: null, text: 'Hello', dkim: 'none' });
  });

  it('says that a signature under a domain without a key fails', async () => {
    await resend().emails.send({ from: sender, to: 'a@example.test', subject: 'Own key', text: 'Hello' });
    const { raw } = await received('Own key');

    await deliverRaw(raw.replace(' s=postrider', ' s=other').replace('Subject: Own key', 'Subject: Other key'));

    expect(await received('Other key')).toMatchObject({ dkim: 'fail' });
  });

  it('lists newest first, a page at a time', async () => {
    for (const subject of ['Page 1', 'Page 2', 'Page 3']) {
      await deliverRaw(`From: ${sender}\r\nSubject: ${subject}\r\n\r\n${subject}\r\n`);
    }

    const first = await inbox(apiKey, '?limit=2');
    const second = await inbox(apiKey, `?limit=2&after=${first.data[1]?.id}`);
    const back = await inbox(apiKey, `?limit=2&before=${second.data[0]?.id}`);

    expect(first).toMatchObject({
      object: 'list',
      has_more: true,
      data: [{ subject: 'Page 3' }, { subject: 'Page 2' }],
    });
    expect(Object.keys(first.data[0] ?? {}).sort()).toEqual(['from', 'id', 'received_at', 'subject', 'to']);
    expect(second.data[0]).toMatchObject({ subject: 'Page 1' });
    expect(back.data).toEqual(first.data);
  });

  it('shows a team nothing of another team', async () => {
    const { apiKey: otherKey } = await addSecondTeam(postrider.app);
    await resend().emails.send({ from: sender, to: 'a@example.test', subject: 'Private', text: 'Hello' });
    const { id } = await arrived('Private');

    expect((await inbox(otherKey)).data).toEqual([]);
    expect(await api(`/sandbox/messages/${id}`, otherKey)).toMatchObject({
      status: 404,
      body: { statusCode: 404, name: 'not_found', message: 'Message not found' },
    });
  });

  it('shows mail that belongs to no team on the page only', async () => {
    await deliverRaw('From: stranger@elsewhere.test\r\nSubject: From a stranger\r\n\r\nHello\r\n');

    expect((await inbox(apiKey, '?limit=100')).data.map(({ subject }) => subject)).not.toContain('From a stranger');
    expect(await (await fetch(postrider.inboxUrl ?? '')).text()).toContain('From a stranger');
  });

  it.each(['', 'SRS0=mac=ab=customer.test=a@send.other.test'])(
    'does not take a message that <%s> passes on for mail of the team in its From field',
    async (from) => {
      const subject = `Passed on by <${from}>`;
      await deliverRaw(`From: ${sender}\r\nSubject: ${subject}\r\n\r\nHello\r\n`, from);

      expect((await inbox(apiKey, '?limit=100')).data.map((message) => message.subject)).not.toContain(subject);
    },
  );

  it('refuses a malformed id, an unknown id and a malformed cursor', async () => {
    expect((await api('/sandbox/messages/1')).status).toBe(422);
    expect((await api(`/sandbox/messages/${newId()}`)).status).toBe(404);
    expect((await api('/sandbox/messages?after=1')).status).toBe(422);
  });

  it('requires an API key, and does not accept the token of the page', async () => {
    const token = new URL(postrider.inboxUrl ?? '').searchParams.get('token') ?? '';

    expect((await page('/sandbox/messages')).status).toBe(401);
    expect((await page(`/sandbox/messages?token=${token}`)).status).toBe(401);
    expect((await api('/sandbox/messages', token)).status).toBe(401);
  });
});

describe('the roles', () => {
  it('stop the receiver only after the last delivery', async () => {
    const stopping = await start({ ROLES: 'api,worker' });
    const subjects = Array.from({ length: 40 }, (_, at) => `Before the stop ${at}`);
    await Promise.all(
      subjects.map((subject) =>
        resend(stopping).emails.send({ from: sender, to: 'a@example.test', subject, text: 'Hello' }),
      ),
    );

    await stopping.stop();

    const failed = await postrider.app.get(Database).query({
      text: `SELECT reason FROM delivery_attempts WHERE outcome <> 'delivered'`,
    });
    expect(failed).toEqual([]);
    await until(async () => {
      const shown = new Set((await inbox(apiKey, '?limit=100')).data.map(({ subject }) => subject));
      return subjects.every((subject) => shown.has(subject));
    });
  });

  it('let a process without the worker role accept mail and read the inbox that the worker fills', async () => {
    const apiOnly = await start({ ROLES: 'api' });
    try {
      expect(apiOnly.app.get(SandboxAddress).port).toBe(0);
      await resend(apiOnly).emails.send({ from: sender, to: 'a@example.test', subject: 'Through api', text: 'Hello' });
      const { id } = await arrived('Through api');

      expect((await api<Message>(`/sandbox/messages/${id}`, apiKey, apiOnly)).body.dkim).toBe('pass');
      expect(apiOnly.inboxUrl).toContain('/sandbox?token=');
    } finally {
      await apiOnly.stop();
    }
  });

  it('refuse mail of a sandbox domain on another transport, which has no inbox', async () => {
    const relaying = await start({ ROLES: 'api', DELIVERY_TRANSPORT: 'relay', RELAY_URL: 'smtp://relay.example.test' });
    try {
      const { error } = await resend(relaying).emails.send({
        from: sender,
        to: 'a@example.test',
        subject: 'x',
        text: 'x',
      });

      expect(error).toMatchObject({ statusCode: 403, name: 'validation_error' });
      expect(error?.message).toContain('built-in inbox only');
      expect((await api('/sandbox/messages', apiKey, relaying)).status).toBe(404);
      expect(relaying.inboxUrl).toBeUndefined();
    } finally {
      await relaying.stop();
    }
  });
});
