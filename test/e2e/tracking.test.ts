import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { Database } from '#postgres/database';
import { submissionApiKey } from '../support/programs/submission-program.js';
import {
  reader,
  TrackingProgram,
  trackedDomain,
  trackedHost,
  trackedIn,
} from '../support/programs/tracking-program.js';

let tracking: TrackingProgram;

beforeAll(async () => {
  tracking = await TrackingProgram.start();
  await tracking.addDomain('untracked.test', {});
});
afterAll(() => tracking.stop());

const shop = 'https://shop.test/offer?a=1&b=ü';
const html = `<html><body><p>Hi</p><a href="${shop.replace('&', '&amp;')}">Offer</a> <a href="https://shop.test/two">Two</a></body></html>`;

interface Sent {
  readonly id: string;
  readonly html: string;
  readonly pixel: string;
  readonly links: string[];
}

async function send(subject: string, fields: Record<string, unknown> = {}): Promise<string> {
  const { data, error } = await tracking.resend.emails.send({
    from: `Acme <hello@${trackedDomain}>`,
    to: 'ann@sink.test',
    subject,
    html,
    ...fields,
  });
  expect(error).toBeNull();
  return data?.id ?? '';
}

async function sent(subject: string, fields: Record<string, unknown> = {}): Promise<Sent> {
  const id = await send(subject, fields);
  const parsed = await PostalMime.parse((await tracking.arrived(subject)).content);
  await tracking.hasBeenDelivered(id);
  const { pixels, links } = trackedIn(parsed.html ?? '');
  return { id, html: parsed.html ?? '', pixel: pixels[0] ?? '', links };
}

describe('an email of a domain that tracks', () => {
  it('has its html links and a pixel at the tracking host, and is signed after the change', async () => {
    const id = await send('Rewritten', { text: `See ${shop}` });
    const { content } = await tracking.arrived('Rewritten');
    const parsed = await PostalMime.parse(content);
    const { pixels, links } = trackedIn(parsed.html ?? '');

    expect(pixels).toHaveLength(1);
    expect(links).toHaveLength(2);
    expect(links.every((link) => link.startsWith(`http://${trackedHost}/c/`))).toBe(true);
    expect(parsed.text?.trim()).toBe(`See ${shop}`);
    expect(await tracking.program.dkimResults(content)).toContain('pass');
    expect((await tracking.program.email(id)).html).toBe(html);
  });

  it('is a separate copy for each recipient', async () => {
    const to = ['one@sink.test', 'two@sink.test'];
    const id = await send('Copies', { to });
    const bodies = await Promise.all(
      to.map(async (recipient) => {
        const { content, recipients } = await tracking.arrived('Copies', recipient);
        expect(recipients).toEqual([recipient]);
        expect(await tracking.program.dkimResults(content)).toContain('pass');
        return trackedIn((await PostalMime.parse(content)).html ?? '');
      }),
    );
    expect(bodies[0]).not.toEqual(bodies[1]);
    await tracking.hasBeenDelivered(id, 2);

    await tracking.visit(bodies[1]?.pixels[0] ?? '');
    const [opened] = await tracking.events(id, 'email.opened');
    expect(opened?.recipient).toBe('two@sink.test');
  });

  it('that is opened and clicked has events with the address and user agent of the reader', async () => {
    const email = await sent('Read');
    const pixel = await tracking.visit(email.pixel);
    expect([pixel.status, pixel.body.length, pixel.headers['content-type']]).toEqual([200, 43, 'image/gif']);
    expect(pixel.headers['cache-control']).toBe('private, no-store');
    const [opened] = await tracking.events(email.id, 'email.opened');
    expect(opened).toMatchObject({
      recipient: 'ann@sink.test',
      data: { open: { ipAddress: '127.0.0.1', userAgent: reader, timestamp: tracking.clock.now().toISOString() } },
    });
    expect(opened?.data.open).not.toHaveProperty('machine');
    expect(await tracking.lastEventOf(email.id)).toBe('opened');

    const click = await tracking.visit(email.links[0] ?? '');
    expect([click.status, click.headers.location]).toEqual([302, new URL(shop).href]);
    expect(click.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(click.headers).not.toHaveProperty('set-cookie');
    const [clicked] = await tracking.events(email.id, 'email.clicked');
    expect(clicked?.data).toEqual({
      click: {
        ipAddress: '127.0.0.1',
        link: shop,
        timestamp: tracking.clock.now().toISOString(),
        userAgent: reader,
      },
    });
    expect(await tracking.lastEventOf(email.id)).toBe('clicked');

    await tracking.visit(email.pixel);
    await tracking.events(email.id, 'email.opened', 2);
    expect(await tracking.lastEventOf(email.id)).toBe('clicked');
    const numbers = (await tracking.eventsOf(email.id)).map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('has events of machines that are marked as such, and does not count as opened by them', async () => {
    const email = await sent('Scanned');
    const head = await tracking.visit(email.links[0] ?? '', { method: 'HEAD' });
    expect([head.status, head.headers.location, head.body.length]).toEqual([302, new URL(shop).href, 0]);
    const [clicked] = await tracking.events(email.id, 'email.clicked');
    expect(clicked?.data.click).toMatchObject({ machine: true, reason: 'head_request', link: shop });

    await tracking.visit(email.pixel, { headers: { 'user-agent': 'Mozilla/5.0' } });
    const [opened] = await tracking.events(email.id, 'email.opened');
    expect(opened?.data.open).toMatchObject({ machine: true, reason: 'apple_mail_privacy' });
    expect(await tracking.lastEventOf(email.id)).toBe('delivered');
  });

  it('recognizes a scanner that looks like a browser by its speed', async () => {
    const links = ['one', 'two', 'three'].map((path) => `<a href="https://shop.test/${path}">x</a>`).join('');
    const email = await sent('Burst', { html: links });
    await Promise.all(email.links.map((link) => tracking.visit(link)));
    const clicks = await tracking.events(email.id, 'email.clicked', 3);
    expect(clicks.map(({ data }) => data.click.reason)).toEqual(['burst', 'burst', 'burst']);
    expect(new Set(clicks.map(({ data }) => data.click.link)).size).toBe(3);

    const early = await send('Early');
    const { pixels } = trackedIn((await PostalMime.parse((await tracking.arrived('Early')).content)).html ?? '');
    // The clock stands still between the delivery and this visit.
    await tracking.events(early, 'email.delivered');
    await tracking.visit(pixels[0] ?? '');
    const [opened] = await tracking.events(early, 'email.opened');
    expect(opened?.data.open).toMatchObject({ machine: true, reason: 'at_delivery' });
  });
});

describe('the tracking host', () => {
  it('returns 404 for a token that it did not sign', async () => {
    const { links, pixel } = await sent('Forged');
    const link = links[0] ?? '';
    const changed = `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`;
    const elsewhere = link.replace(trackedHost, 'links.other.test');
    const asLink = pixel.replace('/o/', '/c/');
    const unsigned = `http://${trackedHost}/c/${Buffer.from('https://evil.test/').toString('base64url')}`;
    for (const address of [changed, elsewhere, asLink, unsigned, `http://${trackedHost}/c/x`]) {
      const { status, headers } = await tracking.visit(address);
      expect([address, status, headers.location]).toEqual([address, 404, undefined]);
    }
    expect((await tracking.visit(pixel.slice(0, -2))).status).toBe(404);
  });

  it('redirects for an email that no longer exists', async () => {
    const { id, links, pixel } = await sent('Forgotten');
    const database = tracking.program.postrider.app.get(Database);
    for (const table of ['email_events', 'recipients']) {
      await database.execute({ text: `DELETE FROM ${table} WHERE email_id = $1`, values: [id] });
    }
    await database.execute({ text: 'DELETE FROM emails WHERE id = $1', values: [id] });
    expect((await tracking.visit(links[1] ?? '')).headers.location).toBe('https://shop.test/two');
    expect((await tracking.visit(pixel)).body).toHaveLength(43);
  });

  it('redirects while the database cannot be written, and writes the events afterwards', async () => {
    const { id, links, pixel } = await sent('Stuck');
    const database = tracking.program.postrider.app.get(Database);
    await database.run(async (transaction) => {
      await transaction.execute({ text: 'LOCK TABLE recipients IN ACCESS EXCLUSIVE MODE' });
      expect((await tracking.visit(links[1] ?? '')).headers.location).toBe('https://shop.test/two');
      expect((await tracking.visit(pixel)).body).toHaveLength(43);
    });
    await Promise.all([tracking.events(id, 'email.opened'), tracking.events(id, 'email.clicked')]);
  });

  it('writes at most 100 opens of one recipient', async () => {
    const email = await sent('Reloaded');
    for (let round = 0; round < 7; round++) {
      await Promise.all(Array.from({ length: 20 }, () => tracking.visit(email.pixel)));
    }
    await tracking.visit(email.links[0] ?? '');
    await tracking.events(email.id, 'email.clicked');
    const opened = (await tracking.eventsOf(email.id)).filter(({ type }) => type === 'email.opened');
    expect(opened).toHaveLength(100);
  });
});

describe('an email that opts out of tracking', () => {
  it('arrives unchanged: by its domain, by a field or by a header', async () => {
    const untouched = async (subject: string, fields: Record<string, unknown>): Promise<void> => {
      await send(subject, fields);
      const parsed = await PostalMime.parse((await tracking.arrived(subject)).content);
      expect(parsed.html?.trimEnd()).toBe(html);
      expect(parsed.headers.map(({ key }) => key)).not.toContain('x-postrider-track');
    };
    await untouched('Untracked domain', { from: 'hello@untracked.test' });
    await untouched('By header', { headers: { 'X-Postrider-Track': 'none' } });
    const response = await fetch(`${tracking.program.postrider.url}/emails`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${submissionApiKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        from: `hello@${trackedDomain}`,
        to: 'ann@sink.test',
        subject: 'By field',
        html,
        tracking: { opens: false, clicks: false },
      }),
    });
    expect(response.status).toBe(200);
    expect((await PostalMime.parse((await tracking.arrived('By field')).content)).html?.trimEnd()).toBe(html);
  });

  it('may keep opens or clicks, and an unknown value is refused', async () => {
    const only = await sent('Only opens', { headers: { 'x-postrider-track': 'opens' } });
    expect([only.links.length, only.pixel === '']).toEqual([0, false]);
    const wanted = await sent('Wanted', { from: 'hello@untracked.test', headers: { 'X-Postrider-Track': 'clicks' } });
    expect([wanted.links.length, wanted.pixel]).toEqual([2, '']);

    const { error } = await tracking.resend.emails.send({
      from: `hello@${trackedDomain}`,
      to: 'ann@sink.test',
      subject: 'Wrong',
      html,
      headers: { 'X-Postrider-Track': 'maybe' },
    });
    expect(error).toMatchObject({ name: 'validation_error', message: expect.stringContaining('X-Postrider-Track') });
  });
});
