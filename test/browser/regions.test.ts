import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { Database } from '#postgres/database';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, startChromium, visit } from '../support/clients/chromium.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

describeUnless(noChromium)('regions in a browser', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let page: Page;
  let id: string;

  const diagnosis = async (): Promise<Record<string, unknown>> =>
    (await (await world.program.request(`/domains/${id}/diagnosis`)).json()) as Record<string, unknown>;

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startDashboardWorld({
        ...inOneProcess,
        REGIONS: 'us-east-1,eu-west-1=eu.acme.test',
        REGION: 'us-east-1',
        FAILOVER_SECONDS: '10',
      }),
      startChromium(),
    ]);
    const { data } = await world.program.resend.domains.create({ name: 'acme.test', region: 'us-east-1' });
    id = data?.id ?? '';
    await world.program.postrider.app.get(Database).execute({
      text: 'INSERT INTO operators (user_id, created_at) VALUES ($1, now())',
      values: [world.owner.id],
    });
    // More than a list of teams has at once: the oldest is found by its name alone.
    await world.program.postrider.app.get(Database).execute({
      text: `INSERT INTO teams (id, name, created_at)
             SELECT ('01800000-0000-7000-8000-' || lpad(no::text, 12, '0'))::uuid, 'Outlet ' || no || CASE WHEN no > 7 THEN 'th' ELSE '' END, now()
             FROM generate_series(7, 200) AS n (no)`,
    });
    ({ page } = await visit(browser, world.program.url));
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('a domain moves to another region, and fails over while that one has no worker', async () => {
    await page.goto(`/app/domains/${id}`);
    await page.getByRole('combobox', { name: 'Region' }).click();
    await page.getByRole('option', { name: 'eu-west-1' }).click();
    await until(async () => (await diagnosis()).region === 'eu-west-1');
    await page.getByText('If no worker of eu-west-1 is alive').waitFor();
    await page.locator('label').filter({ hasText: 'Fail over to another region' }).click();
    await page.getByText('eu-west-1 has no worker. Mail is sent from us-east-1.').waitFor({ timeout: 60_000 });
    expect(await diagnosis()).toMatchObject({ region: 'eu-west-1', failover: true, sends_from: 'us-east-1' });
    expect(await violationsOf(page)).toEqual([]);
  });

  it('the machine room shows which region sends, and which one stands in', async () => {
    await page.goto('/app/machine-room');
    const regions = page.getByRole('table', { name: 'Regions' });
    await regions.getByRole('row').filter({ hasText: 'us-east-1' }).getByText('Sends', { exact: true }).waitFor();
    const other = regions.getByRole('row').filter({ hasText: 'No worker yet' });
    await other.getByText('us-east-1 sends for domains with fail-over').waitFor();
    // The picture of it, with a line from the region that sends to the one that does not.
    const picture = page.getByRole('region', { name: 'Regions' }).locator('[aria-hidden="true"]').first();
    expect(await picture.locator('path[vector-effect]').count()).toBe(1);
    expect(await picture.innerText()).toContain('0 workers');
    expect(await violationsOf(page)).toEqual([]);
  });

  it('the operator adds an address, puts it into a pool, assigns the pool to a domain and drains the address', async () => {
    await page.goto('/app/machine-room');
    const [addresses, pools] = ['Addresses', 'Pools'].map((name) => page.getByRole('table', { name })) as [
      Locator,
      Locator,
    ];
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add address' }).click();
    await dialog.getByLabel('Address', { exact: true }).fill('192.0.2.10');
    await dialog.getByLabel('Host name').fill('out1.mail.test');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await addresses.getByText('192.0.2.10').waitFor();

    await page.getByRole('button', { name: 'New pool' }).click();
    await dialog.getByLabel('Name').fill('acme');
    await dialog.getByLabel('192.0.2.10').check();
    await dialog.getByRole('button', { name: 'New pool' }).click();
    await pools.getByText('192.0.2.10').waitFor();
    await pools.getByRole('button', { name: 'Assign' }).click();
    await dialog.getByLabel('Domain', { exact: true }).last().fill('acme.test');
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await pools.getByText('acme.test', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const choose = async (label: string, option: string): Promise<void> => {
      await dialog.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await pools.getByRole('button', { name: 'Assign' }).click();
    await dialog.getByText('A team', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Team' }).fill('outlet 7');
    await page.getByRole('option', { name: 'Outlet 7', exact: true }).click();
    await choose('Mail', 'Emails with a tag');
    await dialog.getByLabel('Name of the tag').fill('category');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByLabel('Value of the tag').fill('newsletter');
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await pools.getByText('Outlet 7: category=newsletter').waitFor();
    await pools.getByRole('button', { name: 'Assign' }).click();
    await dialog.getByLabel('Domain', { exact: true }).last().fill('acme.test');
    await choose('Mail', 'Broadcasts');
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await pools.getByText('acme.test: Broadcasts').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await addresses.getByRole('button', { name: 'Drain' }).click();
    await addresses.getByText('Draining').waitFor();
    await pools.getByText('No active address: mail waits').waitFor();
  });
});
