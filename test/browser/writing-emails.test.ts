import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { furnish, Furniture } from '../support/builders/furnished-dashboard.js';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, startChromium, visit } from '../support/clients/chromium.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

describeUnless(noChromium)('writing one email, and the command palette', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let page: Page;
  let furniture: Furniture;

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startDashboardWorld({ ALLOW_PRIVATE_DESTINATIONS: 'true' }),
      startChromium(),
    ]);
    furniture = await furnish(world);
    ({ page } = await visit(browser, world.program.url));
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
    await furniture.receiver.close();
  });

  it('writes one email from the sender of the team, keeps it, checks it, and sends it once', async () => {
    await page.goto('/app/settings/team');
    const sender = page.getByRole('combobox', { name: 'Default sender' });
    await sender.fill('Acme <news@');
    await page.getByRole('option', { name: 'Acme <news@sandbox.postrider.test>' }).click();
    await page.locator('form').filter({ has: sender }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').first().waitFor();

    await page.goto('/app/scheduled');
    await page.getByRole('link', { name: 'Write email' }).click();
    const from = page.getByRole('combobox', { name: 'From' });
    await until(async () => (await from.inputValue()) === 'Acme <news@sandbox.postrider.test>');
    await from.fill('sales');
    await page.getByLabel('To', { exact: true }).fill('once@customer.test, gone@harbour.test');
    expect(await from.inputValue()).toBe('Acme <sales@sandbox.postrider.test>');
    await from.fill('Ada <ada@elsewhere.test>');
    await page.getByLabel('Subject').fill('Sent once');
    await page.getByText('elsewhere.test is not verified for sending in this team.').waitFor();
    await page.getByRole('textbox', { name: 'Text' }).fill('It arrives on Friday.');
    await page.getByRole('alert').filter({ hasText: 'elsewhere.test' }).waitFor();
    await page.reload();
    await from.fill('sales');
    await page.getByLabel('Subject').click();
    await page.getByText('gone@harbour.test is on your suppression list').waitFor();
    await page.getByText(/checks passed/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).getByText('It arrives on Friday.').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
    await page.waitForURL(/emails\/[0-9a-f-]{36}/);
    const sent = (await (await world.program.request('/emails?subject=Sent%20once')).json()) as {
      data: { from: string }[];
    };
    expect(sent.data.map((email) => email.from)).toEqual(['Acme <sales@sandbox.postrider.test>']);
    await page.goto('/app/write');
    expect(await page.getByLabel('Subject').inputValue()).toBe('');
  });

  it('writes one email with a template, for later', async () => {
    const template = { name: 'Receipt', subject: 'Receipt {{{NO}}}', html: '<p>No. {{{NO}}}</p>' };
    const body = JSON.stringify({ ...template, variables: [{ key: 'NO', type: 'number' }] });
    const made = await world.program.request('/templates', { method: 'POST', body });
    const { id } = (await made.json()) as { id: string };
    await world.program.request(`/templates/${id}/publish`, { method: 'POST' });
    await page.goto('/app/write?to=ada@customer.test');
    await page.getByText('Template', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'Receipt' }).click();
    await page.getByRole('alert').filter({ hasText: 'NO' }).waitFor();
    await page.getByLabel('NO', { exact: true }).fill('1042');
    await page.getByText(/checks passed/).waitFor();
    await page.getByText('Describe a time').click();
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.waitForURL(/scheduled\/[0-9a-f-]{36}/);
    await page.getByRole('heading', { name: 'Receipt 1042' }).first().waitFor();
  });

  it('finds everything with Ctrl and K, and does what can be done', async () => {
    await world.program.request('/contacts', {
      method: 'POST',
      body: JSON.stringify({ email: 'zelda@palette.test', first_name: 'Zelda', last_name: 'Quill' }),
    });
    const ask = async (text: string): Promise<void> => {
      // A dialog that is closing still has the keyboard.
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill(text);
    };
    await page.goto('/app/domains');
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
    await ask('zelda q');
    await page
      .getByRole('group', { name: 'Contacts' })
      .getByRole('option', { name: /Zelda Quill zelda@/ })
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/contacts\/[0-9a-f-]{36}/);
    for (const [typed, title] of [
      ['create broad', 'Create a broadcast'],
      ['add dom', 'Add a domain'],
      ['add dom', 'Add a domain'],
    ] as const) {
      await ask(typed);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: title }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: title }).waitFor({ state: 'detached' });
    }
    await ask('acme.test');
    await page.getByRole('group', { name: 'Domains' }).getByRole('option').first().click();
    await page.waitForURL(/domains\/[0-9a-f-]{36}/);
    await ask('invite');
    await page.keyboard.press('Enter');
    await page.getByRole('form', { name: /invit/i }).getByLabel('Email').waitFor();
    await ask('audit');
    await page.keyboard.press('Enter');
    await page.waitForURL(/settings\/audit/);
  });
});
