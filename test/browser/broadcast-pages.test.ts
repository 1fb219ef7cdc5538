import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { acceptFindings } from '../support/clients/accept-findings.js';
import { violationsOf } from '../support/clients/axe.js';
import { DocumentEditor } from '../support/clients/document-editor.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { imported } from '../support/builders/contact-import-steps.js';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { FurnishedBroadcasts, furnishBroadcasts } from '../support/builders/furnished-broadcasts.js';
import { testSender } from '../support/programs/program.js';
import { pagesOf } from '../support/runner/rounds.js';
import { until } from '../support/runner/until.js';
import { describeUnless } from '../support/runner/unless.js';
import { addMember } from '../support/builders/users.js';

describeUnless(noChromium)('the pages of broadcasts', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let owner: Visit;
  let page: Page;
  let ids: FurnishedBroadcasts;
  let writer: DocumentEditor;

  const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name }).first();
  const dialog = () => page.getByRole('dialog');
  const editor = () => page.getByRole('region', { name: 'Content of the broadcast' });
  const figure = (name: string) => page.locator('main').getByText(name, { exact: true }).first().locator('..');

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startDashboardWorld({ ALLOW_PRIVATE_DESTINATIONS: 'true' }),
      startChromium(),
    ]);
    ids = await furnishBroadcasts(world);
    owner = await visit(browser, world.program.url);
    page = owner.page;
    writer = new DocumentEditor(page);
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('writes one that is saved by itself, shows it as a contact, refuses it at the right place, and sends a test', async () => {
    await page.goto('/app/broadcasts');
    await page.getByRole('button', { name: 'Create broadcast' }).click();
    await dialog().getByLabel('Subject').fill('Winter news');
    await dialog().getByRole('combobox', { name: 'From' }).fill(testSender);
    await dialog().getByRole('combobox', { name: 'Segment' }).click();
    await page.getByRole('option', { name: 'Readers' }).click();
    await dialog().getByRole('button', { name: 'Create broadcast' }).click();
    await editor().getByText('5 contacts would get it now').waitFor();
    await writer.writeOver('Write the first sentence', 'Dear ');
    await writer.typeVariable('first', 'First name');
    await page.keyboard.type(' from ');
    await writer.typeVariable('TOWN', 'New variable TOWN');
    await writer.setFallback('first_name', 'reader');
    await writer.saved();
    await writer.show('Preview');
    await page.getByRole('combobox', { name: 'Preview as' }).click();
    await page.getByRole('option', { name: 'grace@harbour.test' }).click();
    await page.frameLocator('iframe').getByText('Dear Grace from').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await acceptFindings(dialog());
    await dialog().getByRole('button', { name: 'Send to 5 contacts' }).click();
    await editor().getByRole('alert').filter({ hasText: 'TOWN' }).waitFor();
    await writer.setFallback('TOWN', 'the harbour');
    await writer.saved();
    await editor().getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await dialog().getByLabel('To').fill('ada@harbour.test');
    await dialog().getByRole('button', { name: 'Send test' }).click();
    await page.getByText('1 test sent').waitFor();
  });

  it('writes one in HTML instead, refuses it at the right place, and goes back to the document', async () => {
    await writer.show('HTML');
    await editor().getByRole('button', { name: 'Edit the HTML' }).click();
    await dialog().getByText('The document is kept').waitFor();
    await dialog().getByRole('button', { name: 'Edit the HTML' }).click();
    const html = editor().getByRole('textbox', { name: 'HTML' });
    await html.fill('<h1>Dear {{{FIRST_NAME|reader}}}</h1><p>From {{{TOWN}}}</p>');
    await editor().getByText('There is no unsubscribe link yet').waitFor();
    await editor().getByRole('button', { name: 'Add the link' }).click();
    await writer.saved();
    await page.getByRole('combobox', { name: 'Preview as' }).click();
    await page.getByRole('option', { name: 'grace@harbour.test' }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dear Grace' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await acceptFindings(dialog());
    await dialog().getByRole('button', { name: 'Send to 5 contacts' }).click();
    await editor().getByRole('alert').filter({ hasText: 'TOWN' }).waitFor();
    expect(await html.getAttribute('aria-invalid')).toBe('true');
    await html.fill((await html.inputValue()).replace('{{{TOWN}}}', '{{{TOWN|the quay}}}'));
    await writer.show('Write');
    await editor().getByRole('button', { name: 'Use the document again' }).click();
    await dialog().getByText('The HTML is kept as a version').waitFor();
    // Somebody else goes on with the HTML: what is asked here stays.
    const path = new URL(page.url()).pathname.slice('/app'.length);
    await until(async () => (await (await world.program.request(path)).text()).includes('the quay'));
    const caughtUp = page.waitForResponse((response) => response.url().includes('/editor/content'));
    await change(path, { html: '<p>From {{{TOWN|the old quay}}}</p>' });
    await caughtUp;
    await dialog().getByRole('button', { name: 'Use the document again' }).click();
    await editor().getByText('The HTML was edited after this document').waitFor({ state: 'detached' });
    await writer.canvas.getByText('the harbour').waitFor();
    await writer.panel.getByRole('tab', { name: 'Versions' }).click();
    const byHand = writer.panel.getByRole('listitem').filter({ hasText: 'HTML, written by hand' }).first();
    await byHand.getByRole('button', { name: 'Compare' }).click();
    await dialog().getByText('TOWN|the old quay').waitFor();
    await page.keyboard.press('Escape');
  });

  it('sends the first share, is resumed, and is watched until it is finished', async () => {
    await writer.show('Settings');
    await page.locator('label').filter({ hasText: 'Send to a share first' }).click();
    await editor().getByLabel('First share').fill('40');
    await editor().getByLabel('Wait in minutes').fill('');
    await page.getByText('Draft saved').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog().getByText('5 contacts get this email now.').waitFor();
    await acceptFindings(dialog());
    await dialog().getByRole('button', { name: 'Send to 5 contacts' }).click();
    await page.getByText('The first share has been sent.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Finished: 6 of 6 contacts processed').waitFor();
    await figure('Delivered').getByText('5', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Recipients' }).click();
    await row('grace@harbour.test').waitFor();
    await page.getByRole('searchbox').fill('barbara');
    await row('grace@harbour.test').waitFor({ state: 'detached' });
    await row('barbara@harbour.test').waitFor();
  });

  it('pauses, resumes and stops one that is slow, and says why it waits', async () => {
    await page.goto(`/app/broadcasts/${ids.slow}`);
    await page.getByText('The rest are waiting because of the hourly limit.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Someone paused it.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The rest are waiting because').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel broadcast' }).click();
    await dialog().getByRole('button', { name: 'Cancel broadcast' }).click();
    await page.getByText('Canceled after').waitFor();
  });

  it('compares the subjects of a test', async () => {
    await page.goto(`/app/broadcasts/${ids.tried}`);
    const subjects = page.getByRole('table', { name: 'Subject test' });
    await subjects.getByRole('row').filter({ hasText: 'What the harvest brought' }).waitFor();
    await subjects.getByRole('row').filter({ hasText: 'Harvest news' }).waitFor();
    expect(await subjects.getByRole('columnheader').count()).toBe(6);
  });

  it('schedules one in words, makes it a draft again, and finds it by state', async () => {
    await page.goto(`/app/broadcasts/${ids.draft}`);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('label').filter({ hasText: 'Describe a time' }).click();
    await dialog().getByLabel('Description of the time').fill('in 2 hours');
    await acceptFindings(dialog());
    await dialog().getByRole('button', { name: 'Schedule' }).click();
    await page.getByText('Sending starts in').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Back to draft' }).click();
    await page.getByText('The broadcast is a draft again').waitFor();
    await page.goto('/app/broadcasts?status=draft');
    await row('Spring sale').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Autumn letter' }).count()).toBe(0);
    await page.goto('/app/broadcasts?q=AUTUMN');
    await row('Autumn letter').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Spring sale' }).count()).toBe(0);
    await page.goto('/app/broadcasts?status=draft');
    await row('Spring sale').waitFor();
    const late = await lateRows();
    await page.getByPlaceholder('Search by name or subject').fill('AUTUMN');
    await page.getByText('Nothing matches').waitFor();
    await late.arrive();
    expect(await row('Spring sale').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?status=draft&q=AUTUMN');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row('Autumn letter').waitFor();
    await page.waitForURL((url) => url.search === '');
  });

  /** Somebody else changes it. */
  const change = async (path: string, changes: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    await world.program.request(path, { method: 'PATCH', headers, body: JSON.stringify(changes) });
  };

  /** A change lets the list read its rows again. They arrive later, when the list shows others. */
  async function lateRows(): Promise<{ readonly arrive: () => Promise<void> }> {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const isUnsearched = (url: URL): boolean => url.pathname === '/broadcasts' && !url.searchParams.has('q');
    await page.route(isUnsearched, async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => isUnsearched(new URL(request.url())));
    const arrived = page.waitForResponse((response) => isUnsearched(new URL(response.url())));
    await change(`/broadcasts/${ids.draft}`, { name: 'Spring sale' });
    await asked;
    return {
      arrive: async () => {
        release();
        await (await arrived).finished();
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
        await page.unroute(isUnsearched);
      },
    };
  }

  it.each([
    ['light', 1440, 'en', 'Send', 'Health of the audience', 'new people.csv'],
    ['dark', 390, 'de', 'Senden', 'Qualität der Empfängerliste', 'new people.csv'],
    ['light', 1440, 'ja', '送信', '宛先リストの状態', 'new people.csv'],
  ] as const)(
    'lists problems with its audience before it is sent: %s, %d wide, in %s',
    async (...[scheme, width, language, send, title, file]) => {
      const id = await draftForNewPeople(file);
      const own = await visit(browser, world.program.url, { scheme, width, language });
      await own.context.addCookies(await owner.context.cookies());
      await own.page.goto(`/app/broadcasts/${ids.draft}`);
      await own.page.getByRole('button', { name: send, exact: true }).click();
      const health = own.page.getByRole('dialog').getByRole('region', { name: title });
      await health.locator('summary').first().waitFor();
      expect(await health.getByRole('listitem').filter({ visible: true }).count()).toBe(0);
      await own.page.goto(`/app/broadcasts/${id}`);
      await own.page.getByRole('button', { name: send, exact: true }).click();
      await health.getByText(file).first().waitFor();
      expect(await health.getByRole('heading').filter({ visible: true }).count()).toBe(2);
      expect(await violationsOf(own.page)).toEqual([]);
      await health.locator('summary').click();
      expect(await health.getByRole('heading').filter({ visible: true }).count()).toBe(5);
      expect(own.watch.troubles).toEqual([]);
      await own.context.close();
    },
  );

  /** A draft to a segment of 120 contacts that came by one import. */
  async function draftForNewPeople(file: string): Promise<string> {
    const { program } = world;
    const headers = { 'content-type': 'application/json' };
    const create = async (path: string, body: object): Promise<string> => {
      const response = await program.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await response.json()) as { id: string }).id;
    };
    const segment = await create('/segments', { name: 'New people' });
    const name = `new-${segment.slice(-6)}`;
    const rows = Array.from({ length: 120 }, (_, no) => `${name}-${no}@harbour.test`).join('\n');
    const { counts } = await imported(program, `email\n${rows}\n`, { segments: [{ id: segment }] }, file);
    expect(counts.created).toBe(120);
    return create('/broadcasts', {
      from: testSender,
      subject: 'Welcome',
      segment_id: segment,
      html: '<p>Hello</p>',
    });
  }

  it('lets a viewer look and change nothing', async () => {
    const viewer = await visit(browser, world.program.url);
    const { email } = await addMember(world.program, world.teamId, 'viewer');
    await signIn(viewer.page, email, world.password);
    await viewer.page.goto('/app/broadcasts');
    await viewer.page.getByRole('row').filter({ hasText: 'Spring sale' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Create broadcast' }).count()).toBe(0);
    await viewer.page.getByRole('columnheader', { name: 'Open rate' }).waitFor();
    await viewer.page
      .getByRole('row')
      .filter({ hasText: /\d%.*\d%/ })
      .first()
      .waitFor();
    await viewer.page.goto(`/app/broadcasts/${ids.draft}`);
    const subject = viewer.page.getByLabel('Subject', { exact: true });
    await subject.waitFor();
    expect(await subject.getAttribute('readonly')).not.toBeNull();
    const source = viewer.page.getByRole('textbox', { name: 'HTML' });
    expect(await source.getAttribute('readonly')).not.toBeNull();
    await new DocumentEditor(viewer.page).show('Settings');
    expect(await viewer.page.getByRole('combobox', { name: 'From' }).getAttribute('readonly')).not.toBeNull();
    expect(await viewer.page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0);
    expect(viewer.watch.troubles).toEqual([]);
    await viewer.context.close();
  });

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('breaks no rule of accessibility, and has no errors: %s, %d wide', async (scheme, width) => {
    const own = await visit(browser, world.program.url, { scheme, width });
    await signIn(own.page, world.owner.email, world.password);
    const broken: string[] = [];
    for (const path of pagesOf(scheme, [
      '',
      `/${ids.draft}`,
      `/${ids.slow}`,
      `/${ids.tried}`,
      `/${ids.slow}?view=recipients`,
      `/${ids.slow}?view=content`,
    ])) {
      await own.page.goto(`/app/broadcasts${path}`);
      await own.page.getByRole('heading', { level: 1 }).first().waitFor();
      await own.page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
      await own.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      for (const violation of await violationsOf(own.page)) broken.push(`${path}: ${violation}`);
    }
    broken.push(...own.watch.troubles, ...owner.watch.troubles);
    await own.context.close();
    expect([...new Set(broken)]).toEqual([]);
  });
});
