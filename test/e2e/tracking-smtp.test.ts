import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { bodyOf, submissionApiKey } from '../support/programs/submission-program.js';
import { trackedDomain, trackedHost, trackedIn, TrackingProgram } from '../support/programs/tracking-program.js';
import { until } from '../support/runner/until.js';

let tracking: TrackingProgram;

beforeAll(async () => {
  tracking = await TrackingProgram.start({ TRUSTED_PROXIES: '127.0.0.0/8' });
});
afterAll(() => tracking.stop());

const link = 'https://shop.test/offer?a=1&b=2';
const html = `<html><body><p>Grüße</p><a href="${link.replace('&', '&amp;')}">Offer</a></body></html>`;

/** Submits a message as it is, and resolves with its id. */
async function submit(raw: string): Promise<string> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: tracking.program.port('tls'),
    secure: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'postrider', pass: submissionApiKey },
  });
  const sent = await transport.sendMail({
    envelope: { from: `hello@${trackedDomain}`, to: 'ann@sink.test' },
    raw: raw.replaceAll('\n', '\r\n'),
  });
  return /OK: (\S+)/.exec(sent.response)?.[1] ?? '';
}

function message(subject: string, headers: string, body: string): string {
  return `From: hello@${trackedDomain}\nTo: ann@sink.test\nSubject: ${subject}\nMIME-Version: 1.0\n${headers}\n${body}`;
}

const multipart = (boundary: string, parts: readonly string[]): string =>
  `${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--\n`;

describe('a message submitted over SMTP', () => {
  it.each([
    ['8bit', html],
    ['quoted-printable', html.replaceAll('=', '=3D').replace('Grüße', 'Gr=C3=BC=C3=9Fe')],
    ['base64', Buffer.from(html).toString('base64')],
  ])('has the links of its html part in %s tracked, and nothing else changed', async (encoding, encoded) => {
    const subject = `Submitted ${encoding}`;
    const text = `Content-Type: text/plain; charset=utf-8\n\nSee ${link}\n`;
    const attached = `Content-Type: text/html; charset=utf-8\nContent-Disposition: attachment; filename=a.html\n\n<a href="${link}">x</a>`;
    const shown = `Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: ${encoding}\n\n${encoded}`;
    const inner = `Content-Type: multipart/alternative; boundary=alt\n\n${multipart('alt', [text, shown])}`;
    const id = await submit(
      message(subject, 'Content-Type: multipart/mixed; boundary=mix\n', multipart('mix', [inner, attached])),
    );

    const { content } = await tracking.arrived(subject);
    const parsed = await PostalMime.parse(content);
    const { pixels, links } = trackedIn(parsed.html ?? '');
    expect([pixels.length, links.length]).toEqual([1, 1]);
    expect(parsed.html).toContain('<p>Grüße</p>');
    const original = (parsed.html ?? '').replace(links[0] ?? '', link.replace('&', '&amp;')).replace(/<img [^>]*>/, '');
    expect(original.trimEnd()).toBe(html);
    expect(parsed.text?.trim()).toBe(`See ${link}`);
    expect(
      Buffer.from(parsed.attachments[0]?.content as ArrayBuffer)
        .toString()
        .trim(),
    ).toBe(`<a href="${link}">x</a>`);
    expect(await tracking.program.dkimResults(content)).toContain('pass');

    await tracking.hasBeenDelivered(id);
    expect((await tracking.visit(links[0] ?? '')).headers.location).toBe(link);
    const [clicked] = await tracking.events(id, 'email.clicked');
    expect(clicked).toMatchObject({ recipient: 'ann@sink.test', data: { click: { link } } });
  });

  it.each([
    [
      'that is signed',
      `Content-Type: multipart/signed; boundary=s; protocol="application/pkcs7-signature"; micalg=sha-256\n`,
    ],
    ['that is encrypted', `Content-Type: multipart/encrypted; boundary=s; protocol="application/pgp-encrypted"\n`],
  ])('%s arrives unchanged', async (name, headers) => {
    const subject = `Sealed ${name}`;
    const body = multipart('s', [
      `Content-Type: text/html\n\n${html}`,
      'Content-Type: application/pkcs7-signature\n\nAAAA',
    ]);
    await submit(message(subject, headers, body));
    expect(bodyOf((await tracking.arrived(subject)).content).toString()).toBe(body.replaceAll('\n', '\r\n'));
  });

  it('is not tracked if its header says so, and the header is not sent', async () => {
    const body = `${html}\n`;
    await submit(message('Not me', 'Content-Type: text/html; charset=utf-8\nX-Postrider-Track: none\n', body));
    const { content } = await tracking.arrived('Not me');
    expect(bodyOf(content).toString()).toBe(body.replaceAll('\n', '\r\n'));
    expect(content.toString()).not.toMatch(/X-Postrider-Track/i);
    await expect(submit(message('Bad', 'X-Postrider-Track: sometimes\n', 'x\n'))).rejects.toThrow(/X-Postrider-Track/);
  });

  it('has no tracking in its link to unsubscribe', async () => {
    const unsubscribe = 'https://shop.test/unsubscribe?u=7';
    const body = `<a href="${unsubscribe}">Unsubscribe</a> <a href="https://shop.test/">Shop</a>\n`;
    const headers = `Content-Type: text/html\nList-Unsubscribe: <mailto:u@shop.test>,\n <${unsubscribe}>\n`;
    await submit(message('Leaving', headers, body));
    const arrived = bodyOf((await tracking.arrived('Leaving')).content).toString();
    expect(arrived).toContain(`href="${unsubscribe}"`);
    expect(trackedIn(arrived).links).toHaveLength(1);
  });
});

describe('behind a trusted proxy', () => {
  it('the address of the reader and the host are those that the proxy names', async () => {
    const id = await submit(message('Proxied', 'Content-Type: text/html\n', '<p>x</p>\n'));
    const { pixels } = trackedIn((await tracking.arrived('Proxied')).content.toString());
    await tracking.hasBeenDelivered(id);
    const elsewhere = (pixels[0] ?? '').replace(trackedHost, 'inside.test');
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': trackedHost };
    expect((await tracking.visit(elsewhere, { headers })).status).toBe(200);
    const [opened] = await tracking.events(id, 'email.opened');
    expect(opened?.data.open.ipAddress).toBe('198.51.100.7');
  });
});

describe('with TRACKING_SCHEME=https', () => {
  let secure: TrackingProgram;

  beforeAll(async () => {
    secure = await TrackingProgram.start({ TRACKING_SCHEME: 'https', TRACKING_CA: 'ca.test' });
  });
  afterAll(() => secure.stop());

  it('a zone with CAA records must name our certificate authority as well', async () => {
    const caaOf = async (id: string) =>
      (await secure.resend.domains.get(id)).data?.records.find(({ record }) => String(record) === 'TrackingCAA');
    expect(await caaOf(await secure.addDomain('open-zone.test', {}))).toBeUndefined();

    secure.dns.caa('closed-zone.test', ['issue', 'other.test']);
    const id = await secure.addDomain('closed-zone.test', {});
    expect(await caaOf(id)).toEqual({
      record: 'TrackingCAA',
      name: 'closed-zone.test',
      type: 'CAA',
      ttl: 'Auto',
      status: 'failed',
      value: '0 issue "ca.test"',
    });
    secure.dns.caa('closed-zone.test', ['issue', 'other.test'], ['issue', 'ca.test']);
    await secure.resend.domains.verify(id);
    await until(async () => (await caaOf(id))?.status === 'verified');
  });

  it('links start with https, and a stop loses no click', async () => {
    const { data } = await secure.resend.emails.send({
      from: `hello@${trackedDomain}`,
      to: 'ann@sink.test',
      subject: 'Last',
      html,
    });
    const parsed = await PostalMime.parse((await secure.arrived('Last')).content);
    await secure.hasBeenDelivered(data?.id ?? '');
    const [link = ''] = trackedIn(parsed.html ?? '').links;
    expect(link).toMatch(/^https:\/\/links\.tracked\.test\/c\//);
    await secure.visit(link);
    await secure.program.postrider.stop();
    expect(await secure.program.storedEvents(data?.id ?? '')).toContain('email.clicked');
  });
});
