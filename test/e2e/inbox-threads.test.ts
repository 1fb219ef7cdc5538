import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Retention } from '#postgres/retention';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { InboxProgram } from '../support/programs/inbox-program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';
import { stretched } from '../support/runner/stretched.js';

/** Received mail in the threads of an inbox: filed, listed, searched, labelled and moved. */
let program: InboxProgram;
let inbound: InboundProgram;
let inbox: string;

beforeAll(async () => {
  program = await InboxProgram.start({ RATE_LIMIT_PER_SECOND: '1000' });
  ({ inbound, inboxId: inbox } = program);
});
afterAll(() => program.stop());

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly data: Readonly<Record<string, unknown>>[] };
}

async function call(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await inbound.program.request(`/inboxes/${path}`, init);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

async function addInbox(address: string): Promise<string> {
  const response = await inbound.program.request('/inboxes', {
    method: 'POST',
    body: JSON.stringify({ email_address: address }),
  });
  return ((await response.json()) as { id: string }).id;
}

interface Mail {
  readonly id: string;
  readonly from?: string;
  readonly to?: string | readonly string[];
  readonly cc?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly references?: string;
  readonly inReplyTo?: string;
}

/** Brings an email and waits until it is filed. */
async function arrive(mail: Mail): Promise<string> {
  const { id, from = 'Ada Lovelace <ada@customer.test>', to = 'support@acme.test', subject = 'Hello' } = mail;
  const lines = [
    `From: ${from}`,
    `To: ${[to].flat().join(', ')}`,
    ...(mail.cc === undefined ? [] : [`Cc: ${mail.cc}`]),
    `Subject: ${subject}`,
    `Message-ID: <${id}@customer.test>`,
    ...(mail.references === undefined ? [] : [`References: ${mail.references}`]),
    ...(mail.inReplyTo === undefined ? [] : [`In-Reply-To: ${mail.inReplyTo}`]),
    '',
    mail.text ?? 'Hello',
    '',
  ];
  return (await program.filed(lines.join('\n'), to)).emailId;
}

const threads = async (query = ''): Promise<Answer['body']['data']> =>
  (await call('GET', `${inbox}/threads${query}`)).body.data;

describe('received mail', () => {
  it('is a thread of the inbox, with its content', async () => {
    const id = await arrive({ id: 'first', subject: 'Where is my order?', text: 'It was to come on Friday.' });

    const [thread] = await threads();
    expect(thread).toEqual({
      id: expect.any(String),
      subject: 'Where is my order?',
      from: 'Ada Lovelace <ada@customer.test>',
      to: ['support@acme.test'],
      cc: [],
      bcc: [],
      labels: [],
      email_count: 1,
      has_attachment: false,
      has_draft: false,
      read: false,
      received_at: expect.stringMatching(/Z$/),
      folder: 'inbox',
      assignee_email: null,
    });
    const path = `support%40ACME.test/threads/${String(thread?.id)}/emails`;
    const { body } = await call('GET', path);
    expect(body).toMatchObject({ object: 'list', has_more: false });
    expect(body.data).toMatchObject([
      {
        id,
        direction: 'inbound',
        message_id: '<first@customer.test>',
        text: expect.stringContaining('It was to come on Friday.'),
        html: null,
        read: false,
      },
    ]);
    expect((await call('GET', `${path}/${id}`)).body).toEqual(body.data[0]);
    expect((await call('GET', inbox)).body).toMatchObject({ unread: 1, last_received: expect.any(String) });
  });

  it('joins the thread that it answers, also by the message inside of it, and makes it unread again', async () => {
    const [thread] = await threads();
    await call('PATCH', `${inbox}/threads/${String(thread?.id)}`, { read: true, folder: 'archive' });
    expect((await call('GET', inbox)).body).toMatchObject({ unread: 0 });
    await arrive({ id: 'second', subject: 'Re: Where is my order?', references: '<first@customer.test>' });
    await arrive({ id: 'third', subject: 'Re: Where is my order?', inReplyTo: '<second@customer.test>' });

    expect(await threads()).toMatchObject([
      { id: thread?.id, email_count: 3, read: false, folder: 'inbox', subject: 'Where is my order?' },
    ]);
    const { body } = await call('GET', `${inbox}/threads/${String(thread?.id)}/emails`);
    expect(body.data.map(({ message_id: id, read }) => [id, read])).toEqual([
      ['<third@customer.test>', false],
      ['<second@customer.test>', false],
      ['<first@customer.test>', true],
    ]);
    expect((await call('GET', inbox)).body).toMatchObject({ unread: 1 });
  });

  it('is in each inbox that it is for, and with a tag in that of the address', async () => {
    const sales = await addInbox('sales@acme.test');
    const id = await arrive({ id: 'both', to: ['support+vip@acme.test', 'sales@acme.test'], subject: 'For two' });

    for (const one of [inbox, sales]) {
      await until(async () => {
        const { body } = await call('GET', `${one}/threads`);
        return body.data.some(({ subject }) => subject === 'For two');
      });
    }
    expect((await call('GET', `sales@acme.test/threads`)).body.data).toMatchObject([{ email_count: 1 }]);
    expect(id).toEqual(expect.any(String));
  });
});

describe('threads', () => {
  it('are paged by their newest activity, forwards and backwards', async () => {
    const paged = await addInbox('paged@acme.test');
    for (const id of ['p1', 'p2', 'p3', 'p4', 'p5']) await arrive({ id, to: 'paged@acme.test', subject: id });
    await arrive({ id: 'p6', to: 'paged@acme.test', references: '<p2@customer.test>' });
    const subjects = async (query: string): Promise<[string[], boolean]> => {
      const { body } = await call('GET', `${paged}/threads?${query}`);
      return [body.data.map(({ subject }) => subject as string), body.has_more as boolean];
    };
    const { body } = await call('GET', `${paged}/threads?limit=100`);
    const idOf = (subject: string): string => body.data.find((one) => one.subject === subject)?.id as string;

    expect(await subjects('limit=2')).toEqual([['p2', 'p5'], true]);
    expect(await subjects(`limit=2&after=${idOf('p5')}`)).toEqual([['p4', 'p3'], true]);
    expect(await subjects(`limit=2&after=${idOf('p3')}`)).toEqual([['p1'], false]);
    expect(await subjects(`limit=2&before=${idOf('p1')}`)).toEqual([['p4', 'p3'], true]);
    expect(await subjects(`folders=inbox,archive&limit=100`)).toEqual([['p2', 'p5', 'p4', 'p3', 'p1'], false]);
    expect((await call('GET', `${paged}/threads?after=${newId()}`)).status).toBe(422);
    expect((await call('GET', `${paged}/threads?after=x`)).status).toBe(422);
  });

  it('are found by words, addresses, files and days', async () => {
    const found = await addInbox('found@acme.test');
    await arrive({ id: 'f1', to: 'found@acme.test', subject: 'Invoice 1042', text: 'Please pay the blue invoice.' });
    await arrive({
      id: 'f2',
      to: 'found@acme.test',
      from: 'Grace Hopper <grace@navy.test>',
      subject: 'Refund',
      text: 'The invoice was blue, and paid twice.',
    });
    const search = async (query: string): Promise<string[]> => {
      const { body } = await call('GET', `${found}/threads/search?${query}`);
      return body.data.map(({ subject }) => subject as string);
    };

    expect(await search('query=invoice')).toEqual(['Refund', 'Invoice 1042']);
    expect(await search('query=%22blue%20invoice%22')).toEqual(['Invoice 1042']);
    expect(await search('query=invoice%20-refund')).toEqual(['Invoice 1042']);
    expect(await search('query=NAVY')).toEqual(['Refund']);
    expect(await search('from=hopp,nobody')).toEqual(['Refund']);
    expect(await search('to=FOUND@')).toEqual(['Refund', 'Invoice 1042']);
    expect(await search('cc=found')).toEqual([]);
    expect(await search('has_attachment=true')).toEqual([]);
    expect(await search('has_attachment=false&limit=1')).toEqual(['Refund']);
    const today = new Date().toISOString().slice(0, 10);
    expect(await search(`start_date=${today}&end_date=${today}`)).toEqual(['Refund', 'Invoice 1042']);
    expect(await search('end_date=2020-01-01')).toEqual([]);
    expect(await search('')).toEqual(['Refund', 'Invoice 1042']);
    const { body } = await call('GET', `${found}/threads/search?query=refund`);
    expect(body.data[0]?.matched_email_id).toEqual(expect.any(String));
    for (const bad of ['start_date=soon', 'read=1', 'folders=outbox', 'labels=x', `query=${'x'.repeat(501)}`]) {
      expect((await call('GET', `${found}/threads/search?${bad}`)).status).toBe(422);
    }
  });

  it('have labels, are moved and go to the trash, and webhooks are told', async () => {
    const receiver = await WebhookReceiver.listen();
    const types = [
      'inbox.email.received',
      'inbox.thread.created',
      'inbox.thread.folder.updated',
      'inbox.thread.labels.updated',
    ];
    await inbound.resend.webhooks.create({ endpoint: receiver.url, events: types as never });
    const told = await addInbox('told@acme.test');
    await arrive({ id: 't1', to: 'told@acme.test', subject: 'Told' });
    const [thread] = (await call('GET', `${told}/threads`)).body.data;
    const path = `${told}/threads/${String(thread?.id)}`;
    const label = (await call('POST', `${told}/labels`, { name: 'Urgent', color: '#aa0000' })).body.id as string;
    const shown = { id: label, name: 'Urgent', color: '#aa0000' };

    expect((await call('POST', `${path}/labels`, { labels: [label] })).body).toEqual({ object: 'list', data: [shown] });
    expect((await call('GET', `${told}/threads?labels=${label}`)).body.data).toMatchObject([{ labels: [shown] }]);
    expect((await call('PUT', `${path}/labels`, { labels: [] })).body.data).toEqual([]);
    await call('PUT', `${path}/labels`, { labels: [label] });
    expect((await call('DELETE', `${path}/labels/${label}`)).body.data).toEqual([]);
    expect((await call('POST', `${path}/labels`, { labels: [newId()] })).status).toBe(404);
    expect((await call('POST', `${path}/labels`, { labels: [] })).status).toBe(422);
    expect((await call('PATCH', path, { folder: 'sent' })).status).toBe(422);
    expect((await call('PATCH', path, {})).status).toBe(422);
    expect((await call('PATCH', path, { folder: 'spam' })).body).toMatchObject({
      object: 'inbox_thread',
      folder: 'spam',
    });
    expect((await call('DELETE', path)).body).toEqual({ object: 'inbox_thread', id: thread?.id, deleted: true });
    expect((await call('GET', `${told}/threads`)).body.data).toEqual([]);
    expect((await call('GET', `${told}/threads?folders=trash`)).body.data).toHaveLength(1);
    expect((await call('GET', told)).body).toMatchObject({ unread: 0 });

    await until(() => receiver.ofType('inbox.thread.folder.updated').length === 2);
    expect(receiver.ofType('inbox.thread.created')[0]?.payload.data).toMatchObject({
      source: 'system',
      inbox_id: told,
      thread_id: thread?.id,
      thread: { object: 'inbox_thread', subject: 'Told' },
    });
    expect(receiver.ofType('inbox.email.received')[0]?.payload.data).toMatchObject({ email: { direction: 'inbound' } });
    const moves = receiver.ofType('inbox.thread.folder.updated').map(({ payload }) => payload.data);
    expect(moves).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ source: 'api', from: 'inbox', to: 'spam' }),
        expect.objectContaining({ source: 'api', from: 'spam', to: 'trash' }),
      ]),
    );
    expect(receiver.ofType('inbox.thread.labels.updated')[0]?.payload.data).toMatchObject({
      added: [shown],
      removed: [],
    });
    await receiver.close();
  });

  it('are not there for another team', async () => {
    const [thread] = await threads();
    const { apiKey } = await addSecondTeam(inbound.program.postrider.app);
    const headers = { authorization: `Bearer ${apiKey}` };
    const path = `${inbox}/threads/${String(thread?.id)}`;
    for (const at of [
      `${inbox}/threads`,
      `${inbox}/threads/search`,
      path,
      `${path}/emails`,
      'support@acme.test/threads',
    ]) {
      expect((await call('GET', at, undefined, headers)).status).toBe(404);
    }
    expect((await call('PATCH', path, { read: true }, headers)).status).toBe(404);
    expect((await call('DELETE', path, undefined, headers)).status).toBe(404);
  });

  it('are deleted once they have been in the trash for 30 days, or their inbox was removed', async () => {
    const retention = inbound.program.postrider.app.get(Retention, { strict: false });
    const purged = await addInbox('purged@acme.test');
    for (const id of ['old', 'kept']) await arrive({ id, to: 'purged@acme.test', subject: id });
    const inTrash = `UPDATE inbox_threads SET folder = 'trash', trashed_at = now() - interval '31 days' WHERE subject = 'old'`;
    await program.rows(inTrash);
    await retention.run();
    const left = async () =>
      program.rows<{ subject: string; count: number }>(
        `SELECT t.subject, t.email_count AS count FROM inbox_threads t JOIN inbox_emails e ON e.thread_id = t.id WHERE t.inbox_id = $1`,
        [purged],
      );
    expect(await left()).toEqual([{ subject: 'kept', count: 1 }]);
    expect((await call('GET', purged)).body).toMatchObject({ unread: 1 });
    await call('DELETE', purged);
    await retention.run();
    expect(await left()).toEqual([]);
    expect(await program.rows('SELECT FROM inbox_removals')).toEqual([]);
  });

  it('take a word of 60,000 characters without holding up the inbox', async () => {
    const startedAt = performance.now();
    await arrive({ id: 'long', subject: 'Long word', text: 'a_'.repeat(30_000).replace(/.{900}/g, '$&=\n') });
    await arrive({ id: 'long2', subject: 'Long word', text: 'a-1'.repeat(300).concat('\n').repeat(60) });
    expect(performance.now() - startedAt).toBeLessThan(stretched(10_000));
  });

  it('keep mail of others that names an erased person, without the address', async () => {
    const email = 'copied.person@privacy.test';
    const id = await arrive({ id: 'cc', subject: 'For several', cc: email, text: `Dear ${email}` });
    await inbound.program.request('/privacy/erasures', { method: 'POST', body: JSON.stringify({ email }) });
    const shown = async () => {
      const [row] = await program.rows<{ cc: string[] }>('SELECT cc FROM inbox_emails WHERE id = $1', [id]);
      return row?.cc;
    };
    await until(async () => (await shown())?.includes('erased'));
    expect(await shown()).toEqual(['erased']);
    const found = await call('GET', `${inbox}/threads/search?query=${encodeURIComponent(email)}`);
    expect(found.body.data).toEqual([]);
  });

  it('and drafts that name a person are exported, and erased with the mail', async () => {
    const email = 'gone.person@privacy.test';
    await arrive({ id: 'gone', from: `Gone <${email}>`, subject: 'From a person' });
    await call('POST', `${inbox}/drafts`, { to: email, text: 'Dear person' });
    const ask = async (path: string): Promise<Response> =>
      inbound.program.request(path, { method: 'POST', body: JSON.stringify({ email }) });
    const exported = await (await ask('/privacy/exports')).text();
    expect(exported).toContain('"direction":"inbound"');
    expect(exported).toContain('"direction":"draft"');
    expect((await ask('/privacy/erasures')).ok).toBe(true);
    await until(async () => {
      const rows = await program.rows(
        `SELECT FROM inbox_emails WHERE "from" LIKE '%gone.person%' UNION ALL SELECT FROM inbox_drafts WHERE "to"::text LIKE '%gone.person%'`,
      );
      return rows.length === 0;
    });
    expect((await threads('?limit=100')).map(({ subject }) => subject)).not.toContain('From a person');
    const events = await program.rows(`SELECT FROM team_events WHERE data::text LIKE '%gone.person%'`);
    await until(
      async () =>
        events.length === 0 ||
        (await program.rows(`SELECT FROM team_events WHERE data::text LIKE '%gone.person%'`)).length === 0,
    );
  });

  it('and drafts of a removed inbox are erased before retention deletes them', async () => {
    const email = 'removed.person@privacy.test';
    await addInbox('removed@acme.test');
    await arrive({ id: 'removed', to: 'removed@acme.test', from: `Removed <${email}>` });
    await arrive({ id: 'removed2', to: 'removed@acme.test', cc: email });
    await call('POST', 'removed@acme.test/drafts', { to: email, subject: 'Dear person' });
    await call('DELETE', 'removed@acme.test');
    const body = JSON.stringify({ email });
    const exported = await (await inbound.program.request('/privacy/exports', { method: 'POST', body })).text();
    expect(exported).toContain('"subject":"Dear person"');
    await inbound.program.request('/privacy/erasures', { method: 'POST', body });
    await until(async () => (await program.rows(`SELECT FROM privacy_erasures WHERE status = 'pending'`)).length === 0);
    const named = `SELECT FROM inbox_emails WHERE concat("from", "to"::text, cc::text) LIKE '%removed.person%'
      UNION ALL SELECT FROM inbox_drafts WHERE "to"::text LIKE '%removed.person%'`;
    expect(await program.rows(named)).toEqual([]);
  });

  it('are read, searched, marked, labelled and removed by the Node client', async () => {
    const { inboxes } = inbound.resend;
    const emailAddress = 'node@acme.test';
    await inboxes.create({ emailAddress });
    const emailId = await arrive({ id: 'n1', to: emailAddress, subject: 'By Node', text: 'A blue order' });
    const { data: page } = await inboxes.threads.list({ emailAddress, folders: ['inbox', 'archive'], read: false });
    const threadId = page?.data[0]?.id ?? '';
    const found = await inboxes.threads.search({ emailAddress, query: 'blue', from: ['ada'], hasAttachment: false });
    expect(found.data?.data).toMatchObject([{ id: threadId, matched_email_id: emailId }]);
    const update = await inboxes.threads.update({ emailAddress, threadId, read: true, folder: 'archive' });
    expect(update.data).toMatchObject({ id: threadId, folder: 'archive', read: true });
    const label = await inboxes.labels.create({ emailAddress, name: 'Blue' });
    const labels = [label.data?.id ?? ''];
    for (const how of ['add', 'set'] as const) {
      const { data } = await inboxes.threads.labels[how]({ emailAddress, threadId, labels });
      expect(data?.data).toMatchObject([{ name: 'Blue' }]);
    }
    expect((await inboxes.threads.get({ emailAddress, threadId })).data).toMatchObject({ labels: [{ name: 'Blue' }] });
    const removed = await inboxes.threads.labels.remove({ emailAddress, threadId, labelId: labels[0] ?? '' });
    expect(removed.data?.data).toEqual([]);
    expect(
      (await inboxes.labels.update({ emailAddress, labelId: labels[0] ?? '', color: '#000000' })).error,
    ).toBeNull();
    expect((await inboxes.labels.remove({ emailAddress, labelId: labels[0] ?? '' })).data).toMatchObject({
      deleted: true,
    });
    const { data: emails } = await inboxes.threads.emails.list({ emailAddress, threadId });
    expect(emails?.data).toMatchObject([{ id: emailId, text: expect.stringContaining('A blue order') }]);
    const email = await inboxes.threads.emails.get({ emailAddress, threadId, emailId });
    expect(email.data).toEqual(emails?.data[0]);
    expect((await inboxes.threads.remove({ emailAddress, threadId })).data).toMatchObject({ deleted: true });
  });
});
