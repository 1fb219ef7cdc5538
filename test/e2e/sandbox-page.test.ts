import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import {
  sender,
  postrider,
  startSandbox,
  stopSandbox,
  resend,
  arrived,
  deliverRaw,
  page,
  pagePath,
} from '../support/programs/sandbox-program.js';

beforeAll(startSandbox);
afterAll(stopSandbox);

describe('the inbox page', () => {
  it.each(['/sandbox', '/sandbox?token=', '/sandbox?token=wrong', '/sandbox?token=a&token=b'])(
    'does not open through %s',
    async (path) => {
      const response = await page(path);

      expect(response.status).toBe(401);
      expect(response.headers.get('content-type')).toContain('text/html');
    },
  );

  it('shows none of a message without the token', async () => {
    await resend().emails.send({
      from: sender,
      to: 'a@example.test',
      subject: 'Behind the link',
      html: '<p>Secret</p>',
    });
    const { id } = await arrived('Behind the link');

    for (const part of ['', '/html', '/raw']) {
      const response = await page(`/sandbox/inbox/${id}${part}?token=wrong`);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain('Secret');
    }
  });

  it('opens through the link of the start and leads to the message with its verdict', async () => {
    await resend().emails.send({ from: sender, to: 'a@example.test', subject: 'On the page', html: '<p>Hi</p>' });
    const { id } = await arrived('On the page');

    const list = await fetch(postrider.inboxUrl ?? '');
    const message = await (await page(pagePath(id))).text();

    expect(list.status).toBe(200);
    expect(await list.text()).toContain(`href="${pagePath(id)}"`);
    expect(message).toContain('DKIM pass');
    expect(message).toContain(`sandbox=""`);
    expect(await (await page(pagePath(id, '/raw'))).text()).toContain('Subject: On the page');
  });

  it('lets the html of a message run nothing and load nothing', async () => {
    const html = '<script>alert(1)</script><img src="https://tracker.example.test/pixel.png">';
    await resend().emails.send({ from: sender, to: 'a@example.test', subject: 'Hostile', html });
    const { id } = await arrived('Hostile');

    const framed = await page(pagePath(id, '/html'));
    const policy = framed.headers.get('content-security-policy') ?? '';

    expect(policy.split('; ')).toEqual(expect.arrayContaining(['sandbox', "default-src 'none'", 'img-src data:']));
    expect(policy).not.toMatch(/script-src|allow-scripts|https?:/);
    expect(framed.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await framed.text()).toContain('<script>');
  });

  it('escapes everything that comes from a message', async () => {
    const hostile = '<script>alert(1)</script>';
    await deliverRaw(
      `From: "${hostile}" <a@sandbox.postrider.test>\r\nSubject: Escape ${hostile}\r\nX-A: ${hostile}\r\n\r\n${hostile}\r\n`,
    );
    const { id } = await arrived(`Escape ${hostile}`);

    const response = await page(pagePath(id));
    const pages = [await response.text(), await (await fetch(postrider.inboxUrl ?? '')).text()];

    for (const text of pages) expect(text).not.toContain('<script');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('content-security-policy')).not.toContain('script-src');
  });

  it('says so where a message is not there any more', async () => {
    const response = await page(pagePath(newId()));

    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('text/html');
  });
});
