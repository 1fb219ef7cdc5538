import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { InboxProgram, inboxAddress } from '../support/programs/inbox-program.js';
import { addMember, addUser, firstTeam } from '../support/builders/users.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';
import { until } from '../support/runner/until.js';

let program: InboxProgram;

beforeAll(async () => {
  program = await InboxProgram.start({ DAILY_QUOTA: '60' });
});
afterAll(() => program.stop());

const file = { filename: 'a.txt', content: Buffer.from('Hello').toString('base64'), content_type: 'text/plain' };

async function created(body: object): Promise<string> {
  const answer = await program.ask('POST', '/drafts', body);
  expect(answer).toEqual({ status: 201, body: { object: 'inbox_draft', id: expect.any(String) } });
  return answer.body.id as string;
}

/** The message with this subject, as it left. */
async function delivered(subject: string): Promise<Email> {
  const { transport } = program.inbound.program;
  let found: Email | undefined;
  await until(async () => {
    for (const { content } of transport.delivered) {
      const message = await PostalMime.parse(content);
      if (message.subject === subject) found = message;
    }
    return found !== undefined;
  });
  return found as Email;
}

const typesAbout = async (key: string, id: string): Promise<readonly string[]> => {
  const events = await program.rows<{ type: string }>(
    `SELECT type FROM team_events WHERE data ->> $1 = $2 AND type LIKE 'inbox.%' ORDER BY id`,
    [key, id],
  );
  return events.map(({ type }) => type);
};

const emailsWith = (subject: string) =>
  program.rows<{ id: string }>('SELECT id FROM emails WHERE subject = $1', [subject]);

describe('a draft', () => {
  it('is kept, changed, listed and removed', async () => {
    const id = await created({
      to: 'ada@customer.test',
      subject: 'Kept',
      html: '<p>Hello <b>you</b></p>',
      attachments: [file],
    });
    const read = await program.ask('GET', `/drafts/${id}`);
    expect(read.body).toMatchObject({
      object: 'inbox_draft',
      type: 'standalone',
      to: ['ada@customer.test'],
      html: '<p>Hello <b>you</b></p>',
      text: null,
      email_id: null,
      attachments: [{ id: expect.any(String), filename: 'a.txt', content_type: 'text/plain', size: 5 }],
    });
    const { status } = await program.ask('PATCH', `/drafts/${id}`, {
      to: null,
      cc: ['eve@customer.test'],
      attachments: [],
    });
    expect(status).toBe(200);
    const list = await program.ask('GET', '/drafts?limit=1');
    expect(list.body.data).toMatchObject([
      { id, to: null, cc: ['eve@customer.test'], subject: 'Kept', snippet: 'Hello you', attachments: [] },
    ]);
    expect((await program.ask('DELETE', `/drafts/${id}`)).body).toEqual({ object: 'inbox_draft', id, deleted: true });
    expect((await program.ask('GET', `/drafts/${id}`)).status).toBe(404);
    expect(await typesAbout('draft_id', id)).toEqual([
      'inbox.draft.created',
      'inbox.draft.updated',
      'inbox.draft.deleted',
    ]);
  });

  it('keeps the files that a change names by id, and leaves with them', async () => {
    const id = await created({ to: ['ada@customer.test'], subject: 'Files', text: 'Hello', attachments: [file] });
    const filesOf = async () =>
      (await program.ask('GET', `/drafts/${id}`)).body.attachments as { id: string; filename: string }[];
    const [first] = await filesOf();
    const more = ['b.txt', 'c.txt'].map((filename) => ({ ...file, filename }));
    await program.ask('PATCH', `/drafts/${id}`, { attachments: [{ id: first?.id }, ...more] });
    const three = await filesOf();
    expect(three).toMatchObject([{ id: first?.id, filename: 'a.txt' }, { filename: 'b.txt' }, { filename: 'c.txt' }]);
    const kept = [{ id: three[2]?.id }, { id: first?.id }];
    await program.ask('PATCH', `/drafts/${id}`, { attachments: kept });
    const statuses = [
      { attachments: [{ id: three[1]?.id }] },
      { attachments: [{ id: 'a.txt' }] },
      { attachments: [...kept, ...Array.from({ length: 9 }, () => file)] },
    ].map(async (body) => (await program.ask('PATCH', `/drafts/${id}`, body)).status);
    expect(await Promise.all(statuses)).toEqual([422, 422, 422]);
    expect((await program.ask('POST', '/drafts', { attachments: kept })).status).toBe(422);
    await program.ask('POST', `/drafts/${id}/send`);
    const message = await delivered('Files');
    expect(message.attachments.map(({ filename }) => filename)).toEqual(['a.txt', 'c.txt']);
  });

  it('is sent once, also by two who send at the same time', async () => {
    const id = await created({ to: ['ada@customer.test'], subject: 'Twice', text: 'Hello', attachments: [file] });
    const answers = await Promise.all([1, 2, 3].map(() => program.ask('POST', `/drafts/${id}/send`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const ids = new Set(answers.map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    const message = await delivered('Twice');
    expect(message.from).toEqual({ name: 'Support, Acme', address: inboxAddress });
    expect(message.attachments.map(({ filename }) => filename)).toEqual(['a.txt']);
    expect(await emailsWith('Twice')).toHaveLength(1);
    const [emailId] = [...ids] as string[];
    expect((await program.ask('GET', `/drafts/${id}`)).body).toMatchObject({ email_id: emailId });
    expect((await program.ask('GET', '/drafts')).body.data).toEqual([]);
    expect((await program.ask('PATCH', `/drafts/${id}`, { text: 'No' })).status).toBe(422);
    expect((await program.ask('DELETE', `/drafts/${id}`)).status).toBe(422);
    expect(
      await program.rows('SELECT FROM inbox_draft_attachments WHERE draft_id = $1 AND length(content) > 0', [id]),
    ).toEqual([]);
    expect(await typesAbout('email_id', emailId ?? '')).toEqual([
      'inbox.thread.created',
      'inbox.draft.sent',
      'inbox.email.sent',
    ]);
  });

  it('is refused without anything in it, with half of a reply, and with a reply to what is not there', async () => {
    const unknown = '0193a1f4-0000-7000-8000-000000000000';
    const statuses = [
      {},
      { text: 'x', thread_id: unknown },
      { text: 'x', thread_id: unknown, reply_to_email_id: unknown },
      { to: 'ada' },
      { subject: 'a\nb' },
      { text: 'x'.repeat(1024 * 1024 + 1) },
      { attachments: [{ ...file, filename: undefined }] },
      { attachments: [{ ...file, content_type: undefined }] },
      { attachments: Array.from({ length: 11 }, () => file) },
    ].map(async (body) => (await program.ask('POST', '/drafts', body)).status);
    expect(await Promise.all(statuses)).toEqual([422, 422, 404, 422, 422, 422, 422, 422, 422]);
    const id = await created({ text: 'To nobody' });
    expect((await program.ask('POST', `/drafts/${id}/send`)).body).toMatchObject({ name: 'missing_required_field' });
    const headers = { 'IN-Reply-To': '<a@b>' };
    expect((await program.ask('POST', `/drafts/${id}/send`, { headers })).status).toBe(422);
  });
});

const original = [
  'From: Ada <ada@customer.test>',
  `To: ${inboxAddress}, Bob <bob@customer.test>, "Tagged" <support+x@acme.test>`,
  'Cc: carol@customer.test',
  'Subject: Question',
  'Message-ID: <second@customer.test>',
  'References: <first@customer.test>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<html><body class="x"><p>When?</p></body></html>',
  '--b',
  'Content-Type: text/plain',
  'Content-Disposition: attachment; filename=order.txt',
  '',
  'Order 1042',
  '--b--',
  '',
].join('\r\n');

describe('an email of a thread', () => {
  it('is answered to its author, with the references of the thread', async () => {
    const { threadId, emailId } = await program.filed(original);
    const path = `/threads/${threadId}/emails/${emailId}/reply`;
    const { status, body } = await program.ask('POST', path, { text: 'On Friday', bcc: 'boss@acme.test' });
    expect([status, body]).toEqual([200, { id: expect.any(String) }]);
    const message = await delivered('Re: Question');
    expect(message.to).toMatchObject([{ address: 'ada@customer.test' }]);
    expect(message.cc ?? []).toEqual([]);
    expect(message.inReplyTo).toBe('<second@customer.test>');
    expect(message.references).toBe('<first@customer.test> <second@customer.test>');
    const [filed] = await program.rows('SELECT thread_id, direction FROM inbox_emails WHERE id = $1', [body.id]);
    expect(filed).toEqual({ thread_id: threadId, direction: 'outbound' });
    expect(await typesAbout('email_id', body.id as string)).toEqual(['inbox.email.sent']);
  });

  it('is answered to all but the inbox, by a draft to its author, and forwarded with its files', async () => {
    const { threadId, emailId } = await program.filed(original.replace('Subject: Question', 'Subject: Re: Clients'));
    const { threads, drafts } = program.resend.inboxes;
    const key = { emailAddress: 'SUPPORT@acme.test', threadId, emailId };
    const reply = await threads.emails.reply({
      ...key,
      html: '<p>Hi</p>',
      replyAll: true,
      cc: ['CAROL@customer.test'],
    });
    expect(reply.error).toBeNull();
    const { cc, to } = await delivered('Re: Clients');
    expect(to).toMatchObject([{ address: 'ada@customer.test' }]);
    expect(cc?.map(({ address }) => address)).toEqual(['CAROL@customer.test', 'bob@customer.test']);
    const draft = await drafts.create({
      inboxId: program.inboxId,
      threadId,
      replyToEmailId: emailId,
      text: 'From a draft',
      attachments: [{ filename: 'b.txt', content: Buffer.from('b'), contentType: 'text/plain' }],
    });
    expect(draft.error).toBeNull();
    const draftId = draft.data?.id ?? '';
    const read = await drafts.get({ inboxId: program.inboxId, draftId });
    expect(read.data).toMatchObject({ type: 'reply', thread_id: threadId, reply_to_email_id: emailId });
    await drafts.update({ inboxId: program.inboxId, draftId, subject: 'Drafted' });
    const listed = await drafts.list({ inboxId: program.inboxId });
    expect(listed.data?.data[0]).toMatchObject({ id: draftId, snippet: 'From a draft', subject: 'Drafted' });
    const sent = await drafts.send({ inboxId: program.inboxId, draftId, headers: { 'X-Id': '1' } });
    expect(sent.error).toBeNull();
    const drafted = await delivered('Drafted');
    expect([drafted.to?.[0]?.address, drafted.inReplyTo]).toEqual(['ada@customer.test', '<second@customer.test>']);
    const forward = await threads.emails.forward({
      ...key,
      to: 'grace@elsewhere.test',
      text: 'See <below>',
      subject: 'Forwarded',
    });
    expect(forward.error).toBeNull();
    const message = await delivered('Forwarded');
    expect(message.html).toMatch(
      /^<p>See &#60;below&#62;<\/p><p>-+ Forwarded message .*<html><body class="x"><p>When\?<\/p>/s,
    );
    expect(message.text).toMatch(/From: .*ada@customer.test/);
    const [attached] = message.attachments;
    expect([
      attached?.filename,
      Buffer.from(attached?.content as ArrayBuffer)
        .toString()
        .trim(),
    ]).toEqual(['order.txt', 'Order 1042']);
  });

  it('that the inbox has sent is answered to those who got it, and forwarded', async () => {
    const id = await created({
      to: ['Zoe <zoe@customer.test>'],
      subject: 'Outbound',
      text: 'Hello',
      attachments: [file],
    });
    const { body } = await program.ask('POST', `/drafts/${id}/send`);
    const [{ thread_id: thread } = { thread_id: '' }] = await program.rows<{ thread_id: string }>(
      'SELECT thread_id FROM inbox_emails WHERE id = $1',
      [body.id],
    );
    const path = `/threads/${thread}/emails/${body.id as string}`;
    expect((await program.ask('POST', `${path}/reply`, { text: 'More', subject: 'Again' })).status).toBe(200);
    const again = await delivered('Again');
    expect(again.to).toEqual([{ name: 'Zoe', address: 'zoe@customer.test' }]);
    expect(again.inReplyTo).toBe((await delivered('Outbound')).messageId);
    expect((await program.ask('POST', `${path}/forward`, { to: 'eve@elsewhere.test' })).status).toBe(200);
    const forward = await delivered('Fwd: Outbound');
    expect([forward.text?.includes('Hello'), forward.attachments.map(({ filename }) => filename)]).toEqual([
      true,
      ['a.txt'],
    ]);
  });

  it('is answered once for an idempotency key', async () => {
    const { threadId, emailId } = await program.filed(original);
    const path = `/threads/${threadId}/emails/${emailId}/reply`;
    const headers = { 'idempotency-key': 'one' };
    const body = { text: 'Once', subject: 'Once' };
    const [first, second] = [
      await program.ask('POST', path, body, headers),
      await program.ask('POST', path, body, headers),
    ];
    expect([first.status, second]).toEqual([200, first]);
    expect(await emailsWith('Once')).toHaveLength(1);
    const other = await program.ask('POST', path, { ...body, text: 'Other' }, headers);
    expect([other.status, other.body.name]).toEqual([409, 'invalid_idempotent_request']);
    const drafts = [1, 2].map(() => program.ask('POST', '/drafts', { text: 'Draft' }, headers));
    const [one, two] = [await drafts[0], await drafts[1]];
    const same = one?.status === 201 && two?.status === 201 ? one.body.id === two.body.id : true;
    expect(same).toBe(true);
    expect(await program.rows(`SELECT FROM inbox_drafts WHERE text = 'Draft'`)).toHaveLength(1);
  });

  it('needs a full-access key, and an inbox of the team', async () => {
    const { data } = await program.resend.apiKeys.create({ name: 'sending', permission: 'sending_access' });
    const { threadId, emailId } = await program.filed(original);
    const path = `/threads/${threadId}/emails/${emailId}/reply`;
    const sending = { authorization: `Bearer ${data?.token ?? ''}` };
    expect((await program.ask('POST', path, { text: 'x' }, sending)).body).toMatchObject({
      name: 'restricted_api_key',
    });
    const answer = await program.inbound.get('/inboxes/nobody@acme.test/drafts');
    expect(answer).toMatchObject({ status: 404, body: { message: 'Inbox not found' } });
  });
});

it('a draft that the quota refuses stays a draft, and no thread is there', async () => {
  const to = Array.from({ length: 49 }, (_, n) => `many${n}@customer.test`);
  const id = await created({ to, subject: 'Too many', text: 'x' });
  const threads = async () => (await program.rows('SELECT FROM inbox_threads')).length;
  const before = await threads();
  expect((await program.ask('POST', `/drafts/${id}/send`, {})).body).toMatchObject({ name: 'daily_quota_exceeded' });
  expect(await threads()).toBe(before);
  expect(await emailsWith('Too many')).toEqual([]);
  expect((await program.ask('GET', `/drafts/${id}`)).body).toMatchObject({ email_id: null });
  expect(await typesAbout('draft_id', id)).toEqual(['inbox.draft.created']);
});

it('a thread is assigned to members of the team, found by them, and webhooks are told', async () => {
  const { inbound } = program;
  const receiver = await WebhookReceiver.listen();
  const types = ['inbox.thread.assigned', 'inbox.thread.unassigned'] as never;
  await inbound.resend.webhooks.create({ endpoint: receiver.url, events: types });
  const { threadId } = await program.filed('From: ada@customer.test\nSubject: Shared\n\nHello\n');
  await program.filed('From: ada@customer.test\nSubject: Nobody has it\n\nHello\n');
  const path = `/threads/${threadId}`;
  const grace = await addMember(inbound.program, await firstTeam(inbound.program), 'developer');
  const stranger = await addUser(inbound.program);

  const given = await program.ask('PATCH', path, { assignee_email: grace.email.toUpperCase(), folder: 'archive' });
  expect(given.body).toMatchObject({ assignee_email: grace.email, folder: 'archive' });
  for (const email of [stranger.email, 'nobody@acme.test', 7]) {
    const { status, body } = await program.ask('PATCH', path, { assignee_email: email, folder: 'trash' });
    expect([email, status, String(body.message)]).toEqual([email, 422, expect.stringContaining('assignee_email')]);
  }
  const found = async (query: string, { email } = grace): Promise<unknown> =>
    (await program.ask('GET', `/threads${query}assignee_email=${encodeURIComponent(email)}`)).body.data;
  for (const query of ['?', '/search?', '/search?query=shared&']) {
    expect(await found(query)).toMatchObject([{ id: threadId, assignee_email: grace.email, folder: 'archive' }]);
  }
  expect(await found('?', stranger)).toEqual([]);

  expect((await program.ask('PATCH', path, { assignee_email: null })).body).toMatchObject({ assignee_email: null });
  await until(() => receiver.ofType('inbox.thread.unassigned').length === 1);
  expect(receiver.ofType('inbox.thread.assigned').map(({ payload }) => payload.data)).toMatchObject([
    { assignee_email: grace.email, assigned_by_email: null, previous_assignee_email: null, thread_id: threadId },
  ]);
  expect(receiver.ofType('inbox.thread.unassigned')[0]?.payload.data).toMatchObject({
    previous_assignee_email: grace.email,
  });

  // Who leaves the team looks after nothing any more.
  await program.ask('PATCH', path, { assignee_email: grace.email });
  await program.rows('DELETE FROM team_members WHERE user_id = $1', [grace.id]);
  expect((await program.ask('GET', path)).body).toMatchObject({ assignee_email: null });
  await receiver.close();
});
