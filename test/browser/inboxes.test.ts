import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { arrive, furnishInbox, FurnishedInbox, letter } from '../support/builders/furnished-inboxes.js';
import { furnishPages, receivingEnvironment } from '../support/builders/furnished-pages.js';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { pagesOf } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { addMember } from '../support/builders/users.js';
import { until } from '../support/runner/until.js';

const address = 'desk@acme-mail.test';

interface Draft {
  readonly attachments: readonly unknown[];
}

/** As `addMember` names them. */
const nameOf = ({ email }: { readonly email: string }): string => email.split('@', 1)[0] ?? '';

describeUnless(noChromium)('the pages of inboxes', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let owner: Visit;
  let page: Page;
  let furnished: FurnishedInbox;

  const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name }).first();
  const dialog = () => page.getByRole('dialog');
  const folder = (name: string) => page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name });
  const ask = async <Body>(path: string): Promise<Body> =>
    (await (await world.program.request(`/inboxes${path}`)).json()) as Body;

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startDashboardWorld({ ALLOW_PRIVATE_DESTINATIONS: 'true', ...receivingEnvironment }),
      startChromium(),
    ]);
    await furnishPages(world);
    furnished = await furnishInbox(world);
    owner = await visit(browser, world.program.url);
    page = owner.page;
    page.setDefaultTimeout(15_000);
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('adds an inbox, and one whose mail another server forwards', async () => {
    await page.goto('/app/inboxes');
    await page.getByRole('button', { name: 'Add inbox' }).click();
    await dialog().getByRole('combobox', { name: 'Address' }).fill('forwarded@acme-mail.test');
    await dialog().getByRole('checkbox').check();
    await dialog().getByRole('button', { name: 'Add inbox' }).click();
    const receiving = await dialog().locator('code').textContent();
    expect(receiving).toContain('@');
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Add inbox' }).click();
    await dialog().getByRole('combobox', { name: 'Address' }).fill(address);
    await dialog().getByLabel('Name', { exact: true }).fill('Desk');
    await dialog().getByLabel('From name').fill('Acme');
    await dialog().getByRole('button', { name: 'Add inbox' }).click();
    await page.getByRole('link', { name: 'Desk', exact: true }).click();
    await page.getByText('New mail arrives here.').waitFor();
  });

  it('shows an email that arrives, and marks it as read when it is opened', async () => {
    const text = 'Hello,\nwhere is my order?\nAda';
    await arrive(world, address, letter('Ada Lovelace <ada@harbour.test>', address, 'Order 4711', text));
    await row('Order 4711').getByText('Unread:').waitFor({ state: 'attached' });
    await row('Order 4711').click();
    const email = page.getByRole('article', { name: 'Email from Ada Lovelace' });
    await email.getByText('where is my order?').waitFor();
    await until(async () => (await ask<{ unread: number }>(`/${address}`)).unread === 0);
    await row('Order 4711').getByText('Unread:').waitFor({ state: 'detached' });
  });

  it('puts a label on a thread', async () => {
    await page.getByRole('region', { name: 'Order 4711' }).getByRole('button', { name: 'Labels' }).click();
    await page.getByRole('menuitem', { name: 'Add label' }).click();
    await dialog().getByLabel('Name').fill('Urgent');
    await dialog().getByRole('radio').nth(3).check();
    await dialog().getByRole('button', { name: 'Add label' }).click();
    await row('Order 4711').getByText('Urgent').waitFor();
    await folder('Urgent').first().click();
    await row('Order 4711').waitFor();
  });

  it('assigns a thread to a colleague, and lists those of one’s own', async () => {
    const colleague = await addMember(world.program, world.teamId, 'developer');
    await page.reload();
    const assign = async (name: string): Promise<void> => {
      await page.getByRole('region', { name: 'Order 4711' }).getByRole('button', { name: 'Assign' }).click();
      await page.getByRole('menuitemradio', { name }).click();
    };
    await row('Order 4711').click();
    await assign(nameOf(colleague));
    await row('Order 4711').getByText(nameOf(colleague)).waitFor();
    await folder('Assigned to me').click();
    await page.getByText('No thread is assigned to you.').waitFor();
    await folder('Inbox').click();
    await row('Order 4711').click();
    await assign(nameOf(world.owner));
    await folder('Assigned to me').click();
    await row('Order 4711').getByText(nameOf(world.owner)).waitFor();
    await row('Order 4711').click();
    await assign('Nobody');
    await page.getByText('No thread is assigned to you.').waitFor();
    await folder('Inbox').click();
  });

  it('keeps an answer as a draft while it is written, and sends it', async () => {
    await row('Order 4711').click();
    await page.keyboard.press('r');
    await page.getByLabel('Text').fill('Hello Ada, it is on its way.');
    await page.getByText('Draft saved').waitFor();
    const files = ['way-bill.txt', 'invoice.txt', 'map.txt'].map((name) => {
      return { name, mimeType: 'text/plain', buffer: Buffer.from(name) };
    });
    await page.getByRole('form').locator('input[type="file"]').setInputFiles(files.slice(0, 2));
    await page.getByText('Draft saved').waitFor();
    await until(async () => (await ask<{ data: Draft[] }>(`/${address}/drafts`)).data[0]?.attachments.length === 2);
    await page.getByRole('form').locator('input[type="file"]').setInputFiles(files.slice(2));
    await page.getByRole('button', { name: 'Remove way-bill.txt' }).click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await folder('Drafts').click();
    await row('Hello Ada, it is on its way.').click();
    expect(await page.getByLabel('Text').inputValue()).toBe('Hello Ada, it is on its way.');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toContain('ada@harbour.test');
    await page.getByText('invoice.txt').waitFor();
    await page.getByLabel('Quote the email').check();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const sent = page.getByRole('article', { name: 'Email from Acme' });
    await sent.getByText('it is on its way').waitFor();
    expect(await sent.getByText('> where is my order?').isVisible()).toBe(false);
    await sent.getByLabel('Show the quoted email').click();
    await sent.getByText('> where is my order?').waitFor();
    expect(await sent.getByText(/Ada Lovelace wrote:/).isVisible()).toBe(true);
    await sent.getByRole('link', { name: 'map.txt' }).waitFor();
    expect(await sent.getByRole('link').allTextContents()).toEqual([
      expect.stringContaining('invoice.txt'),
      expect.stringContaining('map.txt'),
    ]);
    await page.getByText('No drafts').waitFor();
    await until(async () => {
      const { data } = (await (await world.program.request('/emails')).json()) as {
        data: { subject: string; last_event: string }[];
      };
      return data.some(({ subject, last_event: event }) => subject === 'Re: Order 4711' && event === 'delivered');
    });
  });

  it.each([
    ['Gmail', '<p>Gladly!</p><div class="gmail_quote">Acme wrote: <blockquote>It is on its way.</blockquote></div>'],
    [
      'Outlook',
      '<p>Gladly!</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: Acme</div><p>It is on its way.</p>',
    ],
    [
      'Thunderbird',
      '<div class="moz-cite-prefix">Acme wrote:</div><blockquote type="cite">It is on its way.</blockquote>',
    ],
  ])('folds what HTML of %s quotes at its end, and nothing if there is nothing else', async (program, html) => {
    const subject = `Thanks by ${program}`;
    await folder('Inbox').click();
    await arrive(world, address, letter('Ada <ada@harbour.test>', address, subject, html, ['Content-Type: text/html']));
    await row(subject).click();
    const content = page.frameLocator('iframe[title="Content of the email"]');
    const quotation = content.getByText('It is on its way.');
    if (html.includes('Gladly!')) {
      await content.getByText('Gladly!').waitFor();
      expect(await quotation.isVisible()).toBe(false);
      await content.getByLabel('Show the quoted email').click();
    }
    await quotation.waitFor();
    // Keys that are pressed in the frame do not leave it.
    await page.getByRole('heading', { name: subject }).click();
    await page.keyboard.press('#');
    await row(subject).waitFor({ state: 'detached' });
  });

  it('says at the form why an email cannot be sent, and sends it once it can', async () => {
    await page.getByRole('link', { name: 'New email' }).click();
    await page.getByLabel('To', { exact: true }).fill('grace');
    await page.getByLabel('Subject').fill('Your visit');
    await page.getByLabel('Text').fill('Dear Grace, come on Friday.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('form').getByRole('alert').waitFor();
    await page.getByLabel('To', { exact: true }).fill('Grace Hopper <grace@meadow.test>');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('form').waitFor({ state: 'detached' });
    await folder('Sent').click();
    await row('Your visit').getByText('To: Grace Hopper').waitFor();
  });

  it('forwards an email with what is in it', async () => {
    await folder('Inbox').click();
    await row('Order 4711').click();
    await page.getByRole('button', { name: 'Forward', exact: true }).click();
    await page.getByLabel('To', { exact: true }).fill('barbara@harbour.test');
    await page.getByLabel('Text').fill('Please have a look.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('article').getByText('Please have a look.').first().waitFor();
  });

  it('archives a thread, and finds it by a search', async () => {
    await page.keyboard.press('?');
    await dialog().getByText('Reply all').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.keyboard.press('e');
    await row('Order 4711').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('order ada');
    await row('Order 4711').getByText('Archive').waitFor();
    await page.getByRole('searchbox').fill('nowhere');
    await page.getByText('Nothing found').waitFor();
    await folder('Archive').click();
    await row('Order 4711').waitFor();
  });

  it('renames and removes a label and an inbox', async () => {
    const more = (name: string) => page.getByRole('button', { name: `More actions for ${name}` });
    await more('Urgent').click({ force: true });
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await dialog().getByLabel('Name').fill('Today');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('Order 4711').getByText('Today').waitFor();
    await more('Today').click({ force: true });
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await row('Order 4711').getByText('Today').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Back' }).click();
    await more(address).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Front desk');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Front desk' }).waitFor();
    await more(address).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await dialog().getByRole('textbox').fill(address);
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('link', { name: 'Front desk' }).waitFor({ state: 'detached' });
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
      const { inboxId, orderThreadId } = furnished;
      for (const path of pagesOf(scheme, [
        '',
        `/${inboxId}`,
        `/${inboxId}/${orderThreadId}`,
        `/${inboxId}/new`,
        `/${inboxId}?folder=drafts`,
      ])) {
        await own.page.goto(`/app/inboxes${path}`);
        await own.page.getByRole('heading', { level: 1 }).first().waitFor();
        await own.page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
        for (const violation of await violationsOf(own.page)) broken.push(`${path}: ${violation}`);
      }
      broken.push(...own.watch.troubles, ...owner.watch.troubles);
      await own.context.close();
      expect([...new Set(broken)]).toEqual([]);
    },
    300_000,
  );
});
