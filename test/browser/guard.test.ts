import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, startChromium, visit } from '../support/clients/chromium.js';
import { testSender } from '../support/programs/program.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

const contacts = 40;

describeUnless(noChromium)('the reputation guard in a browser', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let page: Page;
  let domainId: string;

  async function post(path: string, body: object): Promise<string> {
    const response = await world.program.request(path, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  }

  async function broadcast(name: string, to: string): Promise<string> {
    const segmentId = await post('/segments', { name });
    for (let no = 0; no < contacts; no++)
      await post('/contacts', { email: `${name}${no}@${to}`, segments: [segmentId] });
    const html = '<p>Hi</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a>';
    return post('/broadcasts', { name, segment_id: segmentId, from: testSender, subject: name, html, send: true });
  }

  const eventsOf = async (subject: string): Promise<string[]> => {
    const { data } = (await (await world.program.request('/emails?limit=100')).json()) as {
      data: { subject: string; last_event: string }[];
    };
    return data.filter((email) => email.subject === subject).map((email) => email.last_event);
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startDashboardWorld({ GUARD_MIN_VOLUME: '20' }), startChromium()]);
    domainId = (await world.program.resend.domains.list()).data?.data[0]?.id ?? '';
    ({ page } = await visit(browser, world.program.url));
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('shows live what it slows, why, and because of which broadcast; a person lifts it', async () => {
    await page.goto(`/app/domains/${domainId}?view=insights`);
    const panel = page.getByRole('region', { name: 'Reputation guard' });
    // The first emails of the domain may not be counted yet.
    await panel.getByText(/^(?:All email goes as usual|Nothing was sent in the last)/).waitFor();
    await broadcast('offers', 'strict.test');
    await panel.getByText('Bulk email paused').first().waitFor({ timeout: 60_000 });
    const seen = [
      panel.getByText(/of 40 emails .* went to addresses that do not exist/),
      panel.getByText(/550 5\.1\.1 The email account/),
      panel.getByRole('link', { name: 'offers' }),
    ];
    for (const each of seen) await each.first().waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await broadcast('news', 'strict.test');
    await until(async () => (await eventsOf('news')).length === contacts);
    expect(new Set(await eventsOf('news'))).toEqual(new Set(['sent']));
    await panel.getByRole('button', { name: 'Lift' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
    await page.getByText('Email goes as usual again').waitFor();
    await until(async () => (await eventsOf('news')).every((event) => event === 'bounced'));
  });
});
