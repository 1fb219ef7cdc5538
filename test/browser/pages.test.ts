import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { DashboardWorld, sendSamples, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { furnish, Furniture } from '../support/builders/furnished-dashboard.js';
import { furnishInsights } from '../support/builders/furnished-insights.js';
import { furnishWarmUp } from '../support/builders/furnished-warm-up.js';
import { testSender } from '../support/programs/program.js';
import { pagesOf } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';

describeUnless(noChromium)('the pages of the dashboard in a browser', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let owner: Visit;
  let page: Page;
  let furniture: Furniture;

  const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name }).first();

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startDashboardWorld({ ALLOW_PRIVATE_DESTINATIONS: 'true', REGIONS: 'us-east-1,eu-west-1=eu.acme.test' }),
      startChromium(),
    ]);
    furniture = await furnish(world);
    const { delivered = '' } = await sendSamples(world, 12);
    await furnishInsights(world, furniture.domainId, delivered);
    owner = await visit(browser, world.program.url);
    page = owner.page;
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
    await furniture.receiver.close();
  });

  it('adds a domain, says what its DNS lacks, and shows it as verified once it is there', async () => {
    await page.goto('/app/domains');
    await page.getByRole('button', { name: 'Add domain' }).first().click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('shop.test');
    await page.getByRole('combobox', { name: 'Region' }).click();
    await page.getByRole('option', { name: 'eu-west-1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await page
      .getByText(/There is no TXT record at/)
      .first()
      .waitFor();
    const id = /domains\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
    const domain = (await (await world.program.request(`/domains/${id}`)).json()) as {
      region: string;
      records: { name: string; type: string; value: string; priority?: number }[];
    };
    const wanted = (await (await world.program.request(`/domains/${id}/diagnosis`)).json()) as {
      records: { host: string; type: string; value: string; priority?: number }[];
    };
    expect(domain.region).toBe('eu-west-1');
    expect(domain.records.length).toBeGreaterThan(2);
    for (const host of new Set(wanted.records.map((record) => record.host))) {
      const here = wanted.records.filter((record) => record.host === host);
      const txt = here.filter(({ type }) => type === 'TXT').map(({ value }) => value);
      const mx = here
        .filter(({ type }) => type === 'MX')
        .map(({ value, priority }) => ({ exchange: value, preference: priority ?? 10 }));
      world.dns.set(host, { ...(txt.length > 0 ? { txt } : {}), ...(mx.length > 0 ? { mx } : {}) });
    }
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByRole('region', { name: 'shop.test' }).getByText('Verified').first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Zone file' }).first().click(),
    ]);
    expect(file.suggestedFilename()).toBe('shop.test.zone');
  });

  it('shows the settings of the domain that is opened, not those of the one before', async () => {
    await world.program.request(`/domains/${furniture.domainId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tracking_subdomain: 'links' }),
    });
    const subdomain = async (name: string): Promise<string> => {
      await row(name).click();
      await page.getByRole('heading', { level: 2, name }).waitFor();
      return page.getByLabel('Tracking subdomain').inputValue();
    };
    await page.goto('/app/domains');
    expect(await subdomain('acme.test')).toBe('links');
    expect(await subdomain('shop.test')).toBe('');
    expect(await subdomain('acme.test')).toBe('links');
  });

  it('shows what mailbox providers did with the mail of a domain, and why', async () => {
    await page.goto(`/app/domains/${furniture.domainId}`);
    await page.getByRole('tab', { name: 'Insights' }).click();
    await page.getByText('of 100 points').waitFor();
    await page.locator('summary').filter({ hasText: 'Outlook' }).click();
    await page.getByText(/Your network is on our block list/).waitFor();
    const source = page.getByRole('link', { name: 'Amazon SES: Reputation metrics messages' });
    expect(await source.first().getAttribute('href')).toContain('docs.aws.amazon.com');
    await page.locator('label').filter({ hasText: '7 days' }).click();
    await until(async () => new URL(page.url()).searchParams.get('days') === '7');
    await page.locator('summary').filter({ hasText: 'Days as a table' }).first().click();
    await until(async () => (await page.getByRole('table').first().getByRole('row').count()) === 8);
    await page.getByRole('link', { name: 'Show an email that got this reply' }).first().click();
    await page.getByText('Your order is on its way').first().waitFor();
    await page.goto(`/app/domains/${furniture.domainId}?view=insights`);
    await page.getByText('of 100 points').waitFor();
  });

  it('warms a domain up, shows how far it is by provider, and stops', async () => {
    await page.goto(`/app/domains/${furniture.domainId}?view=insights`);
    const panel = page.getByRole('region', { name: 'Warm-up' });
    const dialog = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Start warm-up' }).click();
    await dialog.getByRole('button', { name: 'Start warm-up' }).click();
    await panel.getByText('No email has gone yet.').waitFor();
    await furnishWarmUp(world.program, furniture.domainId);
    await page.reload();
    await panel.getByText('Day 7 of 21 · 3,120 of 8,000 emails today').waitFor();
    await panel.getByText(/84 of 1,000 emails .* were deferred or refused as spam/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Stop warm-up' }).click();
    await dialog.getByRole('button', { name: 'Stop warm-up' }).click();
    await panel.getByText('The warm-up ended').waitFor();
  });

  it('makes a key, shows it once, and the key sends', async () => {
    await page.goto('/app/api-keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('From the browser');
    await page.getByRole('combobox', { name: 'Only to these domains' }).fill('harbour.test');
    await page.getByRole('textbox', { name: 'Recipients a day' }).fill('5');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('dialog').locator('code').first().textContent();
    const { status } = await fetch(`${world.program.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: testSender, to: 'ada@harbour.test', subject: 'By key', text: 'Hi' }),
    });
    expect(status).toBe(200);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await row('From the browser').getByText('to harbour.test · 5 a day').waitFor();
    await row('From the browser').getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('combobox', { name: 'Only from these addresses' }).fill('192.0.2.0/24');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('From the browser').getByText('from 192.0.2.0/24 · to harbour.test · 5 a day').waitFor();
  });

  it('makes a key that only drafts', async () => {
    await page.goto('/app/api-keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Writing agent');
    await dialog.getByText('Full access', { exact: true }).click();
    await dialog.getByRole('switch', { name: 'Drafts only' }).check({ force: true });
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await row('Writing agent').getByText('drafts only').waitFor();
  });

  it('sends a test event to a webhook, and replays it', async () => {
    await page.goto(`/app/webhooks/${furniture.webhookId}`);
    const before = furniture.receiver.calls.length;
    await page.getByRole('button', { name: 'Send test event' }).click();
    const message = page.getByRole('button', { name: /webhook\.test.*Delivered/ }).first();
    await message.waitFor();
    await until(() => furniture.receiver.calls.length > before);
    await message.click();
    await page.getByText('{"received":true}').first().waitFor();
    const sent = furniture.receiver.calls.length;
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await until(() => furniture.receiver.calls.length > sent);
  });

  it('says that a webhook endpoint is down, since when and why, and shows what it answers to a test', async () => {
    const receiver = await WebhookReceiver.listen();
    receiver.react = () => 500;
    receiver.answer = 'out of order';
    const body = JSON.stringify({ endpoint: receiver.url, events: ['domain.deleted'] });
    const headers = { 'content-type': 'application/json' };
    const added = await world.program.request('/webhooks', { method: 'POST', headers, body });
    const { id } = (await added.json()) as { id: string };
    try {
      for (let n = 0; n < 8; n++) await world.program.request(`/webhooks/${id}/events/test`, { method: 'POST' });
      await page.goto('/app/webhooks');
      await page.getByText('Down', { exact: true }).waitFor();
      await page.getByText('Failing since', { exact: false }).waitFor();
      await page.goto(`/app/webhooks/${id}`);
      await page.getByText('The endpoint responded with status 500').waitFor();
      // Each test event is tried again after five seconds, so there may be more calls than eight.
      await page
        .getByText(/^0% of ([89]|\d\d)/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Send test event' }).click();
      await page
        .getByRole('status')
        .filter({ hasText: 'Answer to the test event' })
        .getByText('out of order')
        .waitFor();
    } finally {
      await world.program.request(`/webhooks/${id}`, { method: 'DELETE' });
      await receiver.close();
    }
  });

  it('shows the events of the webhook that is opened, not those of another one for the same address', async () => {
    const other = await world.program.request('/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint: furniture.receiver.url, events: ['contact.created'] }),
    });
    const { id } = (await other.json()) as { id: string };
    const chosen = async (abandoned?: string): Promise<readonly boolean[]> => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
      const box = (event: string): Locator => dialog.getByRole('checkbox', { name: event, exact: true });
      await box('contact.created').waitFor();
      const states = await Promise.all(['contact.created', 'suppression.added'].map((event) => box(event).isChecked()));
      if (abandoned !== undefined) await box(abandoned).click();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return states;
    };
    await page.goto(`/app/webhooks/${furniture.webhookId}`);
    expect(await chosen('suppression.added')).toEqual([false, true]);
    expect(await chosen()).toEqual([false, true]);
    await page.locator(`a[href="/app/webhooks/${id}"]`).click();
    await until(() => page.url().includes(id));
    expect(await chosen()).toEqual([true, false]);
  });

  it('suppresses what is pasted', async () => {
    await page.goto('/app/suppressions');
    await page.getByRole('button', { name: 'Add addresses' }).first().click();
    await page.getByRole('textbox', { name: 'Addresses' }).fill('"Bo" <bo@x.test>, cy@y.test\nnobody');
    await page.getByText('2 addresses found.').waitFor();
    await page.getByRole('button', { name: 'Add 2 addresses' }).click();
    await row('bo@x.test').waitFor();
  });

  it('shows the requests of programs, filtered by their status', async () => {
    await page.goto('/app/logs?status=4xx');
    await row('404').waitFor();
    expect(await page.getByRole('row').filter({ hasText: '200' }).count()).toBe(0);
    await row('404').click();
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
  });

  it('pauses a lane and resumes it', async () => {
    await page.goto('/app/machine-room');
    await row('mx:silent.test').waitFor();
    await row('mx:silent.test').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('textbox', { name: /Reason/ }).fill('They asked us to');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await row('mx:silent.test').getByText('They asked us to').waitFor();
    await row('mx:silent.test').getByRole('button', { name: 'Resume' }).click();
    await row('mx:silent.test').getByRole('button', { name: 'Pause' }).waitFor();
  });

  it('opens the mails behind a bar, and has the same numbers as a table', async () => {
    await page.goto('/app/metrics?range=day');
    await page.locator('.outcome-delivered .recharts-bar-rectangle path').last().click();
    await until(async () => new URL(page.url()).searchParams.has('created_after'));
    await page
      .getByRole('button', { name: /^Remove the filter/ })
      .nth(1)
      .waitFor();
    await row('harbour.test').waitFor();
    await page.goto('/app/emails?created_after=2200-01-01T00:00:00.000Z');
    await page.getByText('Nothing matches').waitFor();
    await page.goto('/app/emails?status=bounced,scheduled');
    await row('Bounced').waitFor();
    await row('Scheduled').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Delivered' }).count()).toBe(0);
    await page.goto('/app/metrics?range=day');
    await page.locator('label').filter({ hasText: 'Table' }).click();
    await page.getByRole('table', { name: 'Outcomes' }).waitFor();
    await page.getByRole('table', { name: 'Where it goes' }).getByRole('link', { name: 'harbour.test' }).click();
    await row('harbour.test').waitFor();
    expect(new URL(page.url()).searchParams.get('recipient')).toBe('@harbour.test');
    expect(await page.getByRole('row').filter({ hasText: '@strict.test' }).count()).toBe(0);
  });

  it('chooses a time span by dragging over a chart, and by keys, with a way back', async () => {
    await page.goto('/app/metrics?range=day');
    const plot = page.locator('.recharts-cartesian-grid').first();
    await plot.waitFor();
    const box = await plot.boundingBox();
    if (box === null) throw new Error('The chart has no plot');
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await until(async () => new URL(page.url()).searchParams.has('to'));
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe('/app/metrics');
    const hours = (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) / 3_600_000;
    expect([5, 6]).toContain(hours);
    await page.getByRole('button', { name: 'Back to the preset range' }).click();
    await until(async () => !new URL(page.url()).searchParams.has('to'));
    await page.getByRole('button', { name: 'Custom range' }).press('Enter');
    await page.getByRole('dialog').getByLabel('From').fill('2026-01-05T08:00');
    await page.getByRole('dialog').getByLabel('To').fill('2026-01-06T08:00');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was sent in this period').waitFor();
    await page.goBack();
    await page.locator('.recharts-surface').first().waitFor();
  });

  it('tries an operation of the reference', async () => {
    await page.goto('/app/reference?operation=listDomains');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByRole('region', { name: 'Response' }).getByText('acme.test').waitFor();
  });

  // Colours do not depend on the width, so each theme is looked at in one.
  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'has no violation of WCAG, no error and no request elsewhere: %s, %d wide',
    async (scheme, width) => {
      const paths = [
        ...['metrics', 'domains', `domains/${furniture.domainId}`, 'api-keys', 'webhooks'],
        `domains/${furniture.domainId}?view=insights`,
        ...[`webhooks/${furniture.webhookId}`, 'suppressions', 'logs', `logs/${furniture.logId}`],
        ...['smtp', 'usage', 'machine-room', 'write', 'reference?operation=sendEmail'],
      ].map((path) => `/app/${path}`);
      const troubles: string[] = [];
      const { page: shown, watch, context } = await visit(browser, world.program.url, { scheme, width });
      await shown.goto('/docs?operation=sendEmail');
      await shown.getByRole('button', { name: 'Send request' }).waitFor();
      for (const violation of await violationsOf(shown)) troubles.push(`/docs: ${violation}`);
      await signIn(shown, world.owner.email, world.password);
      for (const path of pagesOf(scheme, paths)) {
        await shown.goto(path);
        await shown.getByRole('heading', { level: 1 }).first().waitFor();
        await shown.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        for (const violation of await violationsOf(shown)) troubles.push(`${path}: ${violation}`);
      }
      troubles.push(...watch.troubles, ...owner.watch.troubles);
      await context.close();
      expect(troubles).toEqual([]);
    },
    300_000,
  );
});
