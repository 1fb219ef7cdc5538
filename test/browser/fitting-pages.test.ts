import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { Database } from '#postgres/database';
import { noChromium, signIn, startChromium, visit } from '../support/clients/chromium.js';
import { DashboardWorld, sendSamples, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

describeUnless(noChromium)('pages that fit what there is', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let page: Page;

  const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name }).first();

  beforeAll(async () => {
    [world, browser] = await Promise.all([startDashboardWorld(), startChromium()]);
    await sendSamples(world, 2);
    ({ page } = await visit(browser, world.program.url));
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('the charts of a new account begin with hours', async () => {
    await page.goto('/app/metrics');
    await page.locator('.recharts-surface').first().waitFor();
    await until(() => page.getByRole('radio', { name: '24 hours' }).isChecked());
    await page.goto('/app/metrics?range=week');
    await until(() => page.getByRole('radio', { name: '7 days' }).isChecked());
  });

  it('no page names the region where there is only one', async () => {
    await page.goto('/app/domains');
    await row('sandbox.postrider.test').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Region' }).count()).toBe(0);
    await row('sandbox.postrider.test').click();
    await page.getByRole('switch').first().waitFor();
    expect(await page.getByText('Region').count()).toBe(0);
  });

  it('the log shows what programs asked, and what was done in these pages on demand', async () => {
    const made = await world.owner.browser.request('/segments', {
      body: { name: 'Made in a page' },
      headers: { 'x-team': world.teamId },
    });
    expect(made.status).toBe(201);
    await world.program.request('/topics');
    // Questions by the API would be in the log as well, and push others from its first page.
    const database = world.program.postrider.app.get(Database);
    await until(async () => {
      const logged = await database.query<{ endpoint: string }>({ text: 'SELECT endpoint FROM request_logs' });
      return ['/segments', '/topics'].every((asked) => logged.some(({ endpoint }) => endpoint === asked));
    });
    await page.goto('/app/logs');
    await row('/topics').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'POST /segments' }).count()).toBe(0);
    await page.goto('/app/logs?origin=dashboard');
    await row('POST /segments').waitFor();
    expect(await page.getByRole('row').filter({ hasText: '/topics' }).count()).toBe(0);
    await page.goto('/app/logs?origin=all');
    await row('POST /segments').waitFor();
    await row('/topics').waitFor();
  });

  it('a key is renamed and deleted on a phone', async () => {
    await world.program.request('/api-keys', { method: 'POST', body: JSON.stringify({ name: 'Pocket' }) });
    const phone = await visit(browser, world.program.url, { width: 390, height: 844 });
    await signIn(phone.page, world.owner.email, world.password);
    await phone.page.goto('/app/api-keys');
    await phone.page.getByRole('button', { name: 'More actions for Pocket' }).click();
    await phone.page.getByRole('menuitem', { name: 'Edit' }).click();
    await phone.page.getByRole('textbox', { name: 'Name' }).fill('Purse');
    await phone.page.getByRole('button', { name: 'Save' }).click();
    await phone.page.getByRole('button', { name: 'More actions for Purse' }).click();
    await phone.page.getByRole('menuitem', { name: 'Delete' }).click();
    await phone.page.getByRole('dialog').getByRole('textbox').fill('Purse');
    await phone.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await phone.page.getByRole('dialog').waitFor({ state: 'detached' });
    await phone.page.getByRole('row').filter({ hasText: 'Purse' }).waitFor({ state: 'detached' });
    expect(phone.watch.troubles).toEqual([]);
    await phone.context.close();
  });
});
