import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock, newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';

const pdf = Buffer.from('%PDF-1.4 not really');
const transport = new InMemoryDeliveryTransport();
const clock = new (class extends Clock {
  aheadMs = 0;
  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }
})();

let program: TestProgram;
let guarded: TestProgram;
let files: Server;
let filesUrl: string;

beforeAll(async () => {
  files = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/report?signature=secret' }).end();
    else if (request.url?.startsWith('/huge')) response.writeHead(200, { 'content-length': '50000000' }).end();
    else if (request.url?.startsWith('/report')) response.setHeader('content-type', 'application/pdf').end(pdf);
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => files.listen(0, '127.0.0.1', ready));
  filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  const adapters = (): Adapters => new Adapters().use(DeliveryTransport, transport).use(Clock, clock);
  program = await startProgram({ ALLOW_PRIVATE_DESTINATIONS: 'true' }, adapters());
  guarded = await startProgram({}, adapters());
});

afterAll(async () => {
  files.close();
  await program.stop();
  await guarded.stop();
});

const mail = { from: testSender, to: 'a@customer.test', subject: 'Papers', html: '<p>Hello</p>' };

async function send(attachments: unknown[], through = program): Promise<string> {
  const response = await through.request('/emails', { method: 'POST', body: JSON.stringify({ ...mail, attachments }) });
  const body = (await response.json()) as { id: string };
  expect([response.status, body]).toEqual([200, { id: expect.any(String) }]);
  return body.id;
}

async function refusal(attachments: unknown[], through = program): Promise<unknown> {
  const response = await through.request('/emails', { method: 'POST', body: JSON.stringify({ ...mail, attachments }) });
  return response.json();
}

describe('an attachment', () => {
  it('named by URL is fetched, sent with the email and stored', async () => {
    const id = await send([{ path: `${filesUrl}/moved`, filename: 'report.pdf' }, { path: `${filesUrl}/report` }]);
    const message = await until(() => transport.delivered.find(({ emailId }) => emailId === id));
    const parsed = await PostalMime.parse(message.content);
    expect(parsed.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['report.pdf', 'application/pdf'],
      [null, 'application/pdf'],
    ]);
    expect(Buffer.from(parsed.attachments[0]?.content as ArrayBuffer)).toEqual(pdf);
  });

  it('may have a slash in its name, no bytes, and a content id in angle brackets', async () => {
    const id = await send([
      { content: 'YQ==', filename: 'Invoice No. 12/2026' },
      { content: 'YQ==', filename: 'out/scan.pdf' },
      { content: 'YQ==', filename: 'art' },
      { content: '', filename: 'empty.csv' },
      { content: [], filename: 'none.txt' },
      { content: 'YQ==', filename: 'logo.png', content_id: '<logo>' },
    ]);
    const message = await until(() => transport.delivered.find(({ emailId }) => emailId === id));
    const parsed = await PostalMime.parse(message.content);
    expect(
      parsed.attachments.map(({ filename, mimeType, contentId, content }) => [
        ...[filename, mimeType, contentId, (content as ArrayBuffer).byteLength],
      ]),
    ).toEqual([
      ['logo.png', 'image/png', '<logo>', 1],
      ['Invoice No. 12/2026', 'application/octet-stream', undefined, 1],
      ['out/scan.pdf', 'application/pdf', undefined, 1],
      ['art', 'application/octet-stream', undefined, 1],
      ['empty.csv', 'text/csv', undefined, 0],
      ['none.txt', 'text/plain', undefined, 0],
    ]);
    const listed = await program.request(`/emails/${id}/attachments`);
    const { data } = (await listed.json()) as { data: { filename: string; size: number; content_id: string | null }[] };
    expect(data.map(({ size }) => size)).toEqual([1, 1, 1, 0, 0, 1]);
    expect(data.at(-1)?.content_id).toBe('logo');
  });

  it('may come as a data URI, as browsers give it, and name its content id like the html does', async () => {
    const large = Buffer.alloc(30_000, 'x');
    const id = await send([
      { content: 'data:text/plain;base64,aGVsbG8=', filename: 'hello.txt' },
      { content: `data:image/png;base64,${large.toString('base64')}`, filename: 'logo.png', content_id: 'cid:logo' },
    ]);
    const message = await until(() => transport.delivered.find(({ emailId }) => emailId === id));
    const { attachments } = await PostalMime.parse(message.content);
    expect(attachments.map(({ contentId }) => contentId)).toEqual(['<logo>', undefined]);
    expect(attachments.map(({ content }) => (content as ArrayBuffer).byteLength)).toEqual([30_000, 5]);
  });

  it.each([
    ['/missing', /status 404/],
    ['/huge', /too large/],
  ])('whose URL cannot be used (%s) is refused, and no email is accepted', async (path, message) => {
    expect(await refusal([{ path: `${filesUrl}${path}?key=secret` }])).toEqual({
      statusCode: 422,
      name: 'invalid_attachment',
      message: expect.stringMatching(message),
    });
  });

  it('is not fetched from a private address', async () => {
    for (const path of [
      `${filesUrl}/report`,
      'http://localhost:1/',
      'http://169.254.169.254/latest/',
      'http://[::1]/',
    ]) {
      expect(await refusal([{ path }], guarded)).toMatchObject({
        statusCode: 422,
        name: 'invalid_attachment',
        message: expect.stringContaining('not public'),
      });
    }
  });

  it.each([
    [{}, /`content` or a `path`/],
    [{ path: 'file:///etc/passwd' }, /http or https/],
    [{ content: 'not base64!' }, /base64/],
    [{ content: 'YQ==', filename: 'run.exe' }, /\.exe/],
  ])('such as %p is refused', async (attachment, message) => {
    expect(await refusal([attachment])).toEqual({
      statusCode: 422,
      name: 'invalid_attachment',
      message: expect.stringMatching(message),
    });
  });
});

describe('the attachments of an email', () => {
  it('are listed, shown one by one, and downloaded without a key', async () => {
    const { data } = await program.resend.emails.send({
      ...mail,
      attachments: [
        { filename: 'räport (1).pdf', content: pdf },
        { filename: 'logo.png', content: Buffer.from('png'), contentId: 'logo' },
      ],
    });
    const emailId = data?.id as string;
    const list = await program.resend.emails.attachments.list({ emailId });
    expect(list.data).toEqual({
      object: 'list',
      has_more: false,
      data: [
        {
          id: expect.any(String),
          filename: 'räport (1).pdf',
          size: pdf.length,
          content_type: 'application/pdf',
          content_disposition: 'attachment',
          content_id: null,
          download_url: expect.stringContaining(program.url),
          expires_at: expect.stringMatching(/Z$/),
        },
        expect.objectContaining({ content_disposition: 'inline', content_id: 'logo', content_type: 'image/png' }),
      ],
    });
    const [first] = list.data?.data ?? [];
    const one = await program.resend.emails.attachments.get({ emailId, id: first?.id as string });
    expect(one.data).toMatchObject({ object: 'attachment', id: first?.id, size: pdf.length });

    const download = await fetch(first?.download_url as string);
    expect(download.headers.get('content-type')).toBe('application/pdf');
    expect(download.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''r%C3%A4port%20%281%29.pdf");
    expect(Buffer.from(await download.arrayBuffer())).toEqual(pdf);
  });

  it('are returned in pages if the request has a limit', async () => {
    const emailId = await send(Array.from({ length: 5 }, (_, n) => ({ filename: `${n}.txt`, content: 'YQ==' })));
    const names = async (options: object): Promise<unknown> => {
      const { data } = await program.resend.emails.attachments.list({ emailId, ...options });
      return [data?.data.map(({ filename }) => filename), data?.has_more];
    };
    const all = (await program.resend.emails.attachments.list({ emailId })).data?.data ?? [];
    expect(await names({ limit: 2 })).toEqual([['0.txt', '1.txt'], true]);
    expect(await names({ limit: 2, after: all[2]?.id })).toEqual([['3.txt', '4.txt'], false]);
    expect(await names({ limit: 2, before: all[3]?.id })).toEqual([['1.txt', '2.txt'], true]);
  });

  it('are unknown to other teams', async () => {
    const emailId = await send([{ filename: 'a.txt', content: 'YQ==' }]);
    const stranger = new Resend((await addSecondTeam(program.postrider.app)).apiKey, { baseUrl: program.url });
    const { error } = await stranger.emails.attachments.list({ emailId });
    expect(error).toEqual({ statusCode: 404, name: 'not_found', message: 'Email not found' });
    const unknown = await program.resend.emails.attachments.get({ emailId, id: newId() });
    expect(unknown.error).toEqual({ statusCode: 404, name: 'not_found', message: 'Attachment not found' });
  });
});

describe('a signed link', () => {
  it('works until it expires', async () => {
    const emailId = await send([{ filename: 'a.txt', content: 'YQ==' }]);
    const { data } = await program.resend.emails.attachments.list({ emailId });
    const url = data?.data[0]?.download_url as string;
    clock.aheadMs = 59 * 60_000;
    expect((await fetch(url)).status).toBe(200);
    clock.aheadMs = 61 * 60_000;
    const late = await fetch(url);
    clock.aheadMs = 0;
    expect([late.status, await late.json()]).toEqual([
      404,
      { statusCode: 404, name: 'not_found', message: 'Link not found' },
    ]);
  });

  it('cannot be forged', async () => {
    const emailId = await send([{ filename: 'a.txt', content: 'YQ==' }]);
    const { data } = await program.resend.emails.attachments.list({ emailId });
    const url = new URL(data?.data[0]?.download_url as string);
    const shared = new URL((await program.resend.emails.share(emailId)).data?.url as string);
    for (const change of [
      (bad: URL) => bad.searchParams.set('expires', '99999999999'),
      (bad: URL) => bad.searchParams.set('signature', 'x'),
      (bad: URL) => bad.searchParams.delete('signature'),
      (bad: URL) => bad.searchParams.set('signature', shared.searchParams.get('signature') as string),
    ]) {
      const bad = new URL(url);
      change(bad);
      expect((await fetch(bad)).status).toBe(404);
    }
  });
});

describe('sharing an email', () => {
  it('creates a page that anyone with the link can read, and that runs no scripts', async () => {
    const { data } = await program.resend.emails.send({
      ...mail,
      bcc: 'hidden@customer.test',
      subject: '<script>alert(1)</script>',
      html: '<p title="&quot;">Hello "you"</p><script>alert(2)</script>',
    });
    const shared = await program.resend.emails.share(data?.id as string, { expiresIn: '2 hours' });
    expect(shared.data).toEqual({ object: 'email', id: data?.id, url: expect.stringContaining(program.url) });
    const page = await fetch(shared.data?.url as string);
    const text = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('<iframe sandbox title="Email" srcdoc="&#60;p title=');
    expect(text).not.toContain('<script');
    expect(text).not.toContain('hidden@customer.test');
  });

  it('is refused for more than 48 hours, and for an unknown email', async () => {
    const { data } = await program.resend.emails.send(mail);
    const tooLong = await program.resend.emails.share(data?.id as string, { expiresIn: '3 days' });
    expect(tooLong.error).toEqual({
      statusCode: 422,
      name: 'validation_error',
      message: 'expires_in must not exceed 48 hours',
    });
    expect((await program.resend.emails.share(newId())).error).toMatchObject({ statusCode: 404 });
  });
});
