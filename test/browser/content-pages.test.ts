import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { violationsOf } from '../support/clients/axe.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { FurnishedPages, furnishPages, receivingEnvironment } from '../support/builders/furnished-pages.js';
import { pagesOf } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

describeUnless(noChromium)('the pages of audience, templates and received mail', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let owner: Visit;
  let page: Page;
  let ids: FurnishedPages;

  const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name }).first();
  const dialog = () => page.getByRole('dialog');

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startDashboardWorld({ ALLOW_PRIVATE_DESTINATIONS: 'true', ...receivingEnvironment }),
      startChromium(),
    ]);
    ids = await furnishPages(world);
    owner = await visit(browser, world.program.url);
    page = owner.page;
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('adds a contact, finds it, and has the history of what changed', async () => {
    await page.goto('/app/contacts');
    await page.getByRole('button', { name: 'Add contact' }).click();
    await dialog().getByLabel('Address').fill('new@gmial.com');
    await dialog().getByLabel('First name').focus();
    await dialog().getByRole('button', { name: 'Did you mean new@gmail.com?' }).click();
    expect(await dialog().getByLabel('Address').inputValue()).toBe('new@gmail.com');
    await dialog().getByLabel('Address').fill('new@harbour.test');
    await dialog().getByLabel('First name').fill('Nova');
    await dialog().getByLabel('plan').fill('pro');
    await dialog().getByRole('button', { name: 'Add contact' }).click();
    await page.getByRole('heading', { name: 'new@harbour.test' }).waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Added').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('First name').fill('Stella');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'History' }).getByText('Stella').waitFor();
    await page.getByRole('switch', { name: 'Tips' }).click({ force: true });
    await page.getByRole('region', { name: 'History' }).getByText('Topics changed').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('grace');
    await row('Grace Hopper').waitFor();
    await row('Ada Lovelace').waitFor({ state: 'detached' });
  });

  it('builds a segment from rules, with the number of contacts before it is made', async () => {
    await page.goto('/app/segments');
    await page.getByRole('button', { name: 'Create segment' }).click();
    await dialog().getByLabel('Name').fill('Harbour people');
    await dialog().getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Address' }).click();
    await dialog().getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: 'ends with' }).click();
    await dialog().getByLabel('Value').fill('@harbour.test');
    await dialog().getByRole('status').getByText('contacts match now').waitFor();
    await dialog().getByRole('button', { name: 'Create segment' }).click();
    await page.getByRole('heading', { name: 'Harbour people' }).waitFor();
    await page.getByText('ends with').waitFor();
    await page.getByRole('link', { name: 'Show contacts' }).click();
    await row('alan@harbour.test').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'meadow.test' }).count()).toBe(0);
    await page.goto('/app/segments');
    await row('Harbour people').getByText('Filter', { exact: true }).waitFor();
    await row('Manual').getByText(/^\d+$/).waitFor();
  });

  it('imports a file, and offers the rows that were refused', async () => {
    await page.goto('/app/imports');
    await page.getByRole('button', { name: 'Import CSV' }).first().click();
    const chooser = page.waitForEvent('filechooser');
    await dialog().getByRole('button', { name: 'Choose file' }).click();
    const csv = 'E-Mail;Vorname;Tariff\nimported@harbour.test;Ida;pro\nnonsense;X;free\n';
    await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await dialog().getByText('tariff').waitFor();
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await page.getByText('1 added · 1 rejected').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Rejected rows' }).click();
    expect((await download).suggestedFilename()).toMatch(/^refused-rows-.*\.csv$/);
  });

  it('makes topics and properties, and deletes them', async () => {
    await page.goto('/app/topics');
    await page.getByRole('button', { name: 'Create topic' }).click();
    await dialog().getByLabel('Name').fill('Events');
    await dialog().getByRole('button', { name: 'Create topic' }).click();
    await page.getByText('Events').waitFor();
    await page.getByRole('button', { name: 'Delete Events' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Topic deleted').waitFor();
    await page.goto('/app/properties');
    await page.getByRole('button', { name: 'Create property' }).click();
    await dialog().getByLabel('Key').fill('country');
    await dialog().getByLabel('Fallback').fill('nowhere');
    await dialog().getByRole('button', { name: 'Create property' }).click();
    await page.getByText('Text, default “nowhere”').waitFor();
  });

  it('writes a template: saved by itself, variables defined from the tags, previewed with values, published', async () => {
    await page.goto('/app/templates');
    await page.getByRole('button', { name: 'Create template' }).click();
    await dialog().getByLabel('Name').fill('Receipt');
    await dialog().getByRole('button', { name: 'Create template' }).click();
    const writer = new DocumentEditor(page);
    await writer.writeOver('Write the first sentence', 'Thank you, ');
    await writer.typeVariable('BUYER', 'New variable BUYER');
    await writer.saved();
    await writer.show('Preview');
    await page.getByRole('region', { name: 'Preview' }).getByLabel('BUYER').fill('Radia');
    await page.frameLocator('iframe').getByText('Thank you, Radia').waitFor();
    await writer.show('Write');
    await writer.canvas.getByText('Thank you').waitFor();
    await page.getByLabel('Subject', { exact: true }).fill('Your receipt');
    await writer.saved();
    await writer.show('HTML');
    await page.getByRole('button', { name: 'Edit the HTML' }).click();
    await dialog().getByRole('button', { name: 'Edit the HTML' }).click();
    await page.getByRole('textbox', { name: 'HTML' }).fill('<h1>Thank you, {{{BUYER}}} of {{{CITY}}}</h1>');
    await page.getByText('CITY is used but not defined.').waitFor();
    await page.getByRole('button', { name: 'Define it' }).click();
    await writer.saved();
    await page.getByRole('region', { name: 'Preview' }).getByLabel('BUYER').fill('Radia');
    await page.getByRole('region', { name: 'Preview' }).getByLabel('CITY').fill('Bergen');
    await page.frameLocator('iframe').getByRole('heading', { name: 'Thank you, Radia of Bergen' }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Template published').waitFor();
    await page.goto('/app/templates');
    await row('Receipt').getByText('Published').waitFor();
  });

  it('saves what was typed when the page is left at once', async () => {
    const created = await world.program.request('/templates', {
      method: 'POST',
      body: JSON.stringify({ name: 'Left at once', subject: 'Before', html: '<p>Hi</p>' }),
    });
    const { id } = (await created.json()) as { readonly id: string };
    await page.goto(`/app/templates/${id}`);
    await page.getByLabel('Subject', { exact: true }).fill('After');
    await page.getByRole('link', { name: 'Templates' }).first().click();
    await until(async () => {
      const stored = await (await world.program.request(`/templates/${id}`)).json();
      return (stored as { readonly subject: string }).subject === 'After';
    });
  });

  it('shows a received email with what was found out about it, and what routes do', async () => {
    await page.goto('/app/received');
    await row('Where is my order?').click();
    await page.getByRole('region', { name: 'Verdicts' }).getByText('SPF').waitFor();
    await page.frameLocator('iframe').getByText('it was to come on').waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByText('Where is my order?').nth(1).waitFor();
    await page.goto('/app/routes');
    await page.getByLabel('Recipient to test').fill('support@acme-mail.test');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('ada@acme.test').first().waitFor();
    await page.getByRole('button', { name: 'Add route' }).click();
    await dialog().getByLabel('Recipient').fill('billing@acme-mail.test');
    await dialog().getByLabel('Forward to').fill('books@acme.test');
    await dialog().getByRole('button', { name: 'Add route' }).click();
    await page.getByText('billing@acme-mail.test').waitFor();
    await page.getByRole('button', { name: 'Move billing@acme-mail.test up' }).click();
    await page.locator('main li').nth(1).getByText('billing@acme-mail.test').waitFor();
  });

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'no page breaks the rules of accessibility, and none has errors: %s, %d wide',
    async (scheme, width) => {
      const own = await visit(browser, world.program.url, { scheme, width });
      await signIn(own.page, world.owner.email, world.password);
      const broken: string[] = [];
      for (const path of pagesOf(scheme, [
        ...['contacts', `contacts/${ids.contactId}`, 'segments', `segments/${ids.segmentId}`, 'topics', 'properties'],
        ...['imports', 'templates', `templates/${ids.templateId}`, 'received', `received/${ids.receivedId}`, 'routes'],
        'inbox',
      ])) {
        await own.page.goto(`/app/${path}`);
        await own.page.getByRole('heading', { level: 1 }).first().waitFor();
        await own.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        for (const violation of await violationsOf(own.page)) broken.push(`${path}: ${violation}`);
      }
      broken.push(...own.watch.troubles, ...owner.watch.troubles);
      await own.context.close();
      expect([...new Set(broken)]).toEqual([]);
    },
    300_000,
  );
});
