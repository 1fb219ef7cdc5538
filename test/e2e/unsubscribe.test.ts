import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { newId } from '#kernel';
import { addSecondTeam } from '../support/programs/second-team.js';
import { eventsOf } from '../support/builders/email-events.js';
import { testSender } from '../support/programs/program.js';
import { publicUrl, UnsubscribeProgram } from '../support/programs/unsubscribe-program.js';

let running: UnsubscribeProgram;
let resend: Resend;
let topicId: string;
/** A new address for each test, so that no choice of another test holds for it. */
let address: string;

beforeAll(async () => {
  running = await UnsubscribeProgram.start();
  resend = running.program.resend;
});

afterAll(() => running.program.stop());

beforeEach(async () => {
  topicId = await aTopic('Product news');
  address = `ada-${newId().slice(-12)}@sink.test`;
});

async function aTopic(name: string, fields: object = {}): Promise<string> {
  const { data, error } = await resend.topics.create({
    name,
    defaultSubscription: 'opt_in',
    visibility: 'public',
    ...fields,
  } as never);
  expect(error).toBeNull();
  return data?.id as string;
}

const oneClick = { 'List-Unsubscribe': 'One-Click' };

async function subscription(of = topicId): Promise<string | undefined> {
  const { data } = await resend.contacts.topics.list({ email: address });
  return data?.data.find(({ id }) => id === of)?.subscription;
}

const isUnsubscribed = async (): Promise<boolean | undefined> =>
  (await resend.contacts.get({ email: address })).data?.unsubscribed;

/** Sends an email of the topic, and returns what the recipient got. */
async function receivedWith(fields: object = {}) {
  return running.received(await running.send({ to: address, topicId, ...fields }), address);
}

async function outcome(id: string): Promise<unknown> {
  const events = await eventsOf(running.program, id);
  return events.map(({ type, recipient, data }) => [type, recipient, data]);
}

describe('an email with a topic', () => {
  it('has both fields of one-click, signed, as the rules of Gmail and Yahoo for bulk senders want', async () => {
    const { headers, content, dkim, path, mailto } = await receivedWith();
    expect(headers.get('list-unsubscribe')).toMatch(
      new RegExp(
        `^<${publicUrl}/unsubscribe/[\\w-]+>, <mailto:unsubscribe\\+[a-z2-7]{42}@[^?]+\\?subject=unsubscribe%20[\\w-]+>$`,
      ),
    );
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(dkim.result).toBe('pass');
    expect(dkim.signedFields).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
    expect(path.split('/').at(-1)).toBe(mailto.subject.split(' ').at(-1));
    const second = await running.verifiedByDkimpy(content);
    if (second === undefined) return console.log('dkimpy is not installed: only mailauth verified the signature');
    const [passed, signedFields] = second;
    expect(passed).toBe(true);
    expect(signedFields).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
    // The verifier is one that finds changes.
    const changed = Buffer.from(Buffer.from(content).toString('latin1').replace('One-Click', 'One-Clock'), 'latin1');
    expect((await running.verifiedByDkimpy(changed))?.[0]).toBe(false);
  });

  it('names one recipient in each copy', async () => {
    const other = `eve-${newId().slice(-12)}@sink.test`;
    const id = await running.send({
      to: [address, other],
      topicId,
      html: '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Leave</a>',
    });
    const [ada, eve] = [await running.received(id, address), await running.received(id, other)];
    expect(ada.path).not.toBe(eve.path);
    expect(ada.html).toContain(`href="${publicUrl}${ada.path}"`);
    expect(eve.html).toContain(`href="${publicUrl}${eve.path}"`);
    expect([ada.dkim.result, eve.dkim.result]).toEqual(['pass', 'pass']);
    await running.post(ada.path, oneClick);
    const next = await running.send({ to: [address, other], topicId });
    expect(await outcome(next)).toEqual(
      expect.arrayContaining([
        ['email.failed', address, { failed: { reason: 'not_subscribed' } }],
        ['email.sent', other, null],
      ]),
    );
  });

  it('shows the tag, not the link, to the API', async () => {
    const html = '<a href="{{{UNSUBSCRIBE_URL}}}">Leave</a> {{{OTHER}}}';
    const id = await running.send({ to: address, topicId, html });
    expect((await resend.emails.get(id)).data).toMatchObject({ html, topic_id: topicId });
    expect((await running.received(id, address)).html).toContain('{{{OTHER}}}');
  });

  it('keeps a field of the sender', async () => {
    const own = { 'List-Unsubscribe': '<https://acme.test/leave>' };
    const { headers } = await receivedWith({ headers: own });
    expect(headers.get('list-unsubscribe')).toBe('<https://acme.test/leave>');
    expect(headers.has('list-unsubscribe-post')).toBe(false);
  });

  it('is not sent to those who do not have the topic, at once and when it was scheduled', async () => {
    const closed = await aTopic('Closed', { defaultSubscription: 'opt_out' });
    const id = await running.send({ to: address, topicId: closed });
    expect(await outcome(id)).toEqual([['email.failed', address, { failed: { reason: 'not_subscribed' } }]]);
    expect((await resend.emails.get(id)).data?.last_event).toBe('failed');
    await resend.contacts.create({ email: address, topics: [{ id: closed, subscription: 'opt_in' }] } as never);
    expect((await running.received(await running.send({ to: address, topicId: closed }), address)).path).not.toBe('');
    await resend.contacts.update({ email: address, unsubscribed: true });
    expect(await outcome(await running.send({ to: address, topicId: closed }))).toMatchObject([
      ['email.failed', address, { failed: { reason: 'unsubscribed' } }],
    ]);
    expect((await running.received(await running.send({ to: address }), address)).headers.has('list-unsubscribe')).toBe(
      false,
    );
  });

  it('is refused where the team does not have the topic', async () => {
    const other = new Resend((await addSecondTeam(running.program.postrider.app)).apiKey, {
      baseUrl: running.program.url,
    });
    const theirs = (await other.topics.create({ name: 'Theirs', defaultSubscription: 'opt_in' })).data?.id;
    for (const unknown of [newId(), theirs]) {
      const { error } = await resend.emails.send({
        from: testSender,
        to: address,
        subject: 'x',
        text: 'y',
        topicId: unknown,
      });
      expect(error).toMatchObject({ statusCode: 404, name: 'not_found', message: 'Topic not found' });
    }
    const { error } = await resend.emails.send({
      from: testSender,
      to: address,
      subject: 'x',
      text: 'y',
      topicId: 'x',
    });
    expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
  });
});

describe('a template with the tag', () => {
  it('has the fields without a topic, and unsubscribes from all mail', async () => {
    const html = '<p>{{{NAME}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Leave</a>';
    const { data } = await resend.templates
      .create({ name: 'Offer', html, variables: [{ key: 'NAME', type: 'string' }] })
      .publish();
    const template = { id: data?.id, variables: { NAME: '{{{UNSUBSCRIBE_URL}}}' } };
    const { path, html: got, text, dkim } = await receivedWith({ topicId: undefined, html: undefined, template });
    expect(got).toContain(`<p>{{{UNSUBSCRIBE_URL}}}</p><a href="${publicUrl}${path}">`);
    expect(text).toContain(publicUrl + path);
    expect(dkim.signedFields).toContain('list-unsubscribe-post');
    expect((await running.post(path, oneClick)).status).toBe(200);
    expect(await isUnsubscribed()).toBe(true);
  });
});

describe('the link', () => {
  it('changes nothing by GET or HEAD, however often a scanner follows it', async () => {
    const { path } = await receivedWith();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await running.visit(path, { method });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      await response.text();
    }
    for (const method of ['PUT', 'DELETE', 'PATCH']) expect((await running.visit(path, { method })).status).toBe(405);
    expect((await resend.contacts.get({ email: address })).error).toMatchObject({ statusCode: 404 });
  });

  it('unsubscribes by POST, without cookies, without a redirect, and again without effect', async () => {
    const { path } = await receivedWith();
    for (let time = 0; time < 2; time++) {
      const response = await running.post(path, oneClick);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('You have unsubscribed from “Product news”.');
    }
    expect([await subscription(), await isUnsubscribed()]).toEqual(['opt_out', false]);
  });

  it('takes the request of a mail program as multipart form, too', async () => {
    const { path } = await receivedWith();
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    expect((await running.visit(path, { method: 'POST', body })).status).toBe(200);
    expect(await subscription()).toBe('opt_out');
  });

  it.each([
    [undefined],
    [''],
    ['text/plain'],
    ['application/json'],
    ['application/octet-stream'],
    ['application/x-www-form-urlencoded; charset=UTF-8'],
    ['multipart/form-data'],
    ['form'],
  ])('takes the request of a mail program whose content type is %j', async (type) => {
    const { path } = await receivedWith();
    const headers = type === undefined ? undefined : { 'content-type': type };
    // Bytes, because `fetch` gives a text a type of its own.
    const body = Buffer.from('List-Unsubscribe=One-Click');
    expect((await running.visit(path, { method: 'POST', headers, body })).status).toBe(200);
    expect(await subscription()).toBe('opt_out');
  });

  it('works after its email, its topic and its contact are gone', async () => {
    const { path } = await receivedWith();
    await resend.topics.remove(topicId);
    expect((await running.post(path, oneClick)).status).toBe(200);
    expect(await (await running.visit(path)).text()).not.toContain(topicId);
    expect((await running.post(path, { action: 'all' })).status).toBe(200);
    expect(await isUnsubscribed()).toBe(true);
  });

  it('is worth nothing when it is forged or cut off, and acts for its own team only', async () => {
    const { path } = await receivedWith();
    const forged = [
      path.slice(0, -1),
      `${path}A`,
      path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      '/unsubscribe/x',
    ];
    for (const one of forged) {
      expect((await running.visit(one)).status).toBe(404);
      expect((await running.post(one, oneClick)).status).toBe(404);
    }
    const other = new Resend((await addSecondTeam(running.program.postrider.app)).apiKey, {
      baseUrl: running.program.url,
    });
    await other.contacts.create({ email: address });
    await running.post(path, { action: 'all' });
    expect((await other.contacts.get({ email: address })).data?.unsubscribed).toBe(false);
    expect(await isUnsubscribed()).toBe(true);
  });

  it('takes only small forms, and only there', async () => {
    const { path } = await receivedWith();
    const large = await running.visit(path, {
      method: 'POST',
      body: new URLSearchParams({ t: 'x'.repeat(40_000) }),
    });
    expect(large.status).toBe(401);
    const elsewhere = await running.program.request('/contacts', {
      method: 'POST',
      body: new URLSearchParams({ email: address }),
    });
    expect(elsewhere.status).toBe(422);
  });
});

describe('mail to the address of the field', () => {
  it('unsubscribes by the token in the subject', async () => {
    const { mailto } = await receivedWith();
    expect(await running.mail(mailto.address, `Subject: ${mailto.subject}\n\n`)).toMatch(/^250/);
    expect(await subscription()).toBe('opt_out');
  });

  it('changes nothing without a valid token, and is refused at an address that is forged', async () => {
    const { mailto } = await receivedWith();
    expect(await running.mail(mailto.address, 'Subject: unsubscribe\n\nplease')).toMatch(/^250/);
    expect(await running.mail(mailto.address, `Subject: ${mailto.subject.slice(0, -2)}\n\n`)).toMatch(/^250/);
    expect(await running.mail(mailto.address.replace(/.@/, '2@').replace(/2@/, 'zz@'), 'Subject: x\n\n')).toMatch(/^5/);
    expect((await resend.contacts.get({ email: address })).error).toMatchObject({ statusCode: 404 });
  });
});
