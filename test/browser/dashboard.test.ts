import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { DashboardWorld, sendSamples, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { testSender } from '../support/programs/program.js';
import { pagesOf } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';
import { addMember } from '../support/builders/users.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { Database } from '#postgres/database';

const openPaths = [
  '/app/sign-in',
  '/app/forgot-password',
  '/app/owner#token',
  '/app/reset-password?token=x',
  '/app/sign-in/two-factor',
];
const teamPaths = [
  '/app/emails',
  '/app/emails?q=none@none.test',
  '/app/scheduled',
  '/app/start',
  '/app/settings/profile',
  '/app/settings/security',
  '/app/settings/team',
  '/app/settings/audit',
  '/app/nowhere',
];
/** The image in the sample email, which the frame of the preview refuses to load. */
const blockedImage = /images\.acme\.test/;

describeUnless(noChromium)('the dashboard in a browser', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let owner: Visit;
  let page: Page;
  let ids: Record<string, string>;

  const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name }).first();

  beforeAll(async () => {
    [world, browser] = await Promise.all([startDashboardWorld(), startChromium()]);
    owner = await visit(browser, world.program.url);
    page = owner.page;
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('leads from an empty account to a delivered email, with the key made in place', async () => {
    await page.getByRole('button', { name: 'Create API key' }).click();
    const key = await page.locator('code').filter({ hasText: /^re_/ }).first().textContent();
    for (const language of ['Node.js', 'Python', 'Go', 'Ruby', 'PHP', 'Java', 'C#', 'cURL']) {
      await page.getByRole('tab', { name: language, exact: true }).click();
      expect(await page.locator('pre').first().textContent()).toContain(key);
    }
    await page.getByLabel('To', { exact: true }).fill('ada@harbour.test');
    await page.getByRole('button', { name: 'Send from here' }).click();
    await page.getByText(/^harbour\.test accepted it .* after you sent it\.$/).waitFor();
    const { status } = await fetch(`${world.program.url}/domains`, { headers: { authorization: `Bearer ${key}` } });
    expect(status).toBe(200);
  });

  it('shows an email that comes, and its change of state, without being asked', async () => {
    await page.goto('/app/emails');
    await row('ada@harbour.test').waitFor();
    const { data } = await world.program.resend.emails.send({
      from: testSender,
      to: 'live@harbour.test',
      subject: 'Appears by itself',
      text: 'Hello',
      scheduledAt: 'in 1 hour',
    });
    await row('Appears by itself').getByText('Scheduled').waitFor();
    await world.program.resend.emails.cancel(data?.id as string);
    await row('Appears by itself').getByText('Canceled').waitFor();
  });

  it('finds emails by search and by filters that live in the URL', async () => {
    ids = await sendSamples(world, 40);
    await page.goto('/app/emails');
    await page.getByRole('searchbox').fill('nobody@strict.test');
    await row('Welcome to Acme').waitFor();
    await until(async () => new URL(page.url()).searchParams.get('q') === 'nobody@strict.test');
    await page.goto('/app/emails?status=scheduled');
    await row('Your trial ends tomorrow').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Delivered' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove the filter State' }).click();
    await row('Delivered').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('is driven by the keyboard: moves, opens beside the list, closes where it was, selects', async () => {
    await page.goto('/app/emails');
    await row('Your order is on its way').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('What happened').waitFor();
    expect(page.url()).toMatch(/\/app\/emails\/[0-9a-f-]{36}$/);
    await page.keyboard.press('Escape');
    await until(async () => /\/app\/emails$/.test(page.url()));
    await page.keyboard.press('x');
    await page.keyboard.press('J');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Keyboard shortcuts').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('sched');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Scheduled', level: 1 }).waitFor();
  });

  it('tells what happened to an email in plain words, with the reply and the phases', async () => {
    await until(
      async () =>
        (await world.program.request(`/emails/${ids.bounced}`).then((r) => r.json() as Promise<{ last_event: string }>))
          .last_event === 'bounced',
    );
    await page.goto(`/app/emails/${ids.bounced}`);
    await page.getByText('strict.test refused it: the address does not exist.').waitFor();
    await page.getByText('550 5.1.1').waitFor();
    await page.getByRole('row').filter({ hasText: 'MAIL, RCPT' }).waitFor();
    await page.goto(`/app/emails/${ids.down}`);
    await page.getByText('silent.test cannot be reached at the moment.').first().waitFor();
    await page.getByText('Next attempt').waitFor();
    await page.goto(`/app/emails/${ids.several}`);
    await page.getByText(/^3 recipients: /).waitFor();
  });

  it('previews the content in a frame where nothing runs and nothing is loaded from elsewhere', async () => {
    const { data } = await world.program.resend.emails.send({
      from: testSender,
      to: 'ada@harbour.test',
      subject: 'Hostile',
      html: `<h1>Hostile</h1><script>parent.document.title='taken'</script><img src="x" onerror="parent.document.title='taken'">
        <form action="/auth/sign-out" method="post"><button>Go</button></form><iframe src="https://elsewhere.test/"></iframe>
        <img src="https://elsewhere.test/pixel.png"><link rel="stylesheet" href="https://elsewhere.test/s.css">`,
    });
    await page.goto(`/app/emails/${data?.id}`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Hostile' }).waitFor();
    expect(await page.title()).toContain('Hostile');
    await frame.getByRole('button', { name: 'Go' }).click();
    expect((await page.request.get('/me')).status()).toBe(200);
    expect(owner.watch.troubles.filter((trouble) => trouble.startsWith('request to'))).toEqual([]);
    // What the frame tried is on the console, and it is the frame that is told so.
    owner.watch.troubles.length = 0;
  });

  it('lists the problems of an email, with what was seen and what to do', async () => {
    const { data } = await world.program.resend.emails.send({
      from: testSender,
      to: 'ada@harbour.test',
      subject: 'RE: LAST CHANCE TO BUY',
      html: '<p>Hello</p><form></form><a href="http://192.0.2.1/">www.bank.com</a>',
    });
    await page.goto(`/app/emails/${data?.id}`);
    await page.getByRole('tab', { name: 'Insights' }).click();
    const panel = page.getByRole('region', { name: 'Insights' });
    await panel.getByText('The link text shows "www.bank.com", but the link opens 192.0.2.1.').waitFor();
    const [first] = await panel.getByRole('listitem').all();
    expect(await first?.getByRole('heading').textContent()).toBe('What links show');
    await panel.getByText('Scripts and forms').waitFor();
    expect(await panel.getByText('DKIM signature').isVisible()).toBe(false);
    await panel.getByText(/checks passed$/).click();
    await panel.getByText(/is valid over these bytes/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('resends, reschedules, cancels and shares', async () => {
    await page.goto(`/app/emails/${ids.delivered}`);
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await until(
      async () => /\/app\/emails\/[0-9a-f-]{36}$/.test(page.url()) && !page.url().endsWith(ids.delivered as string),
    );
    await page.getByRole('tab', { name: '1 file' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Share a link' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    expect((await fetch(link)).status).toBe(200);
    await page.goto(`/app/scheduled/${ids.scheduled}`);
    await page.getByRole('button', { name: 'Reschedule' }).click();
    await page.getByLabel('Send at').fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 16));
    await page.getByRole('dialog').getByRole('button', { name: 'Reschedule' }).click();
    await page.getByText('Email rescheduled').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel email' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel email' }).click();
    await page.getByText('It was canceled before it was sent.').waitFor();
  });

  it('shows a viewer what is there, and no way to change it', async () => {
    const viewer = await addMember(world.program, world.teamId, 'viewer');
    const { page: shown, watch, context } = await visit(browser, world.program.url);
    await signIn(shown, viewer.email, world.password);
    await shown.goto(`/app/emails/${ids.delivered}`);
    await shown.getByText('What happened').waitFor();
    expect(await shown.getByRole('button', { name: 'Resend' }).count()).toBe(0);
    expect(watch.troubles.filter((trouble) => !blockedImage.test(trouble))).toEqual([]);
    await context.close();
  });

  it('follows the team that is chosen, without leaving the page', async () => {
    const { app } = world.program.postrider;
    const viewer = await addMember(world.program, world.teamId, 'viewer');
    const second = await addSecondTeam(app);
    await app.get(Database).execute({
      text: 'INSERT INTO team_members (team_id, user_id, role, created_at) VALUES ($1, $2, $3, now())',
      values: [second.id, viewer.id, 'viewer'],
    });
    // Both teams have emails, so the same page stays open.
    const { data } = await world.program.resend.emails.send({
      from: testSender,
      to: 'ada@harbour.test',
      subject: 'Of the second',
      text: 'Hello',
      scheduledAt: 'in 1 hour',
    });
    await app
      .get(Database)
      .execute({ text: 'UPDATE emails SET team_id = $1 WHERE id = $2', values: [second.id, data?.id] });
    const { page: shown, context } = await visit(browser, world.program.url);
    const followed: (string | undefined)[] = [];
    await context.route('**/live', (route) => {
      followed.push(route.request().headers()['x-team']);
      return route.continue();
    });
    await signIn(shown, viewer.email, world.password);
    await until(() => followed.at(-1) === world.teamId);
    await shown.getByRole('button', { name: 'switch team' }).click();
    await shown.getByRole('menuitem', { name: 'Second team' }).click();
    await shown.getByRole('row').filter({ hasText: 'Of the second' }).waitFor();
    await shown.getByRole('button', { name: 'Team Second team: switch team' }).waitFor();
    await until(() => followed.at(-1) === second.id);
    // A new tab begins with the team that was chosen last; then each tab keeps its own.
    const other = await context.newPage();
    await other.goto('/app/emails');
    await other.getByRole('row').filter({ hasText: 'Of the second' }).waitFor();
    await shown.getByRole('button', { name: 'switch team' }).click();
    await shown.getByRole('menuitem').filter({ hasNotText: 'Second team' }).first().click();
    await until(() => followed.at(-1) === world.teamId);
    await other.reload();
    await other.getByRole('row').filter({ hasText: 'Of the second' }).waitFor();
    await context.close();
  });

  it('answers only its own paths: the API keeps its 404, and its pages run no inline script', async () => {
    const { url } = world.program;
    const html = await fetch(`${url}/app/anything/below`);
    expect(html.headers.get('content-type')).toContain('text/html');
    expect(html.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(await html.text()).not.toMatch(/<script(?![^>]*src=)/);
    for (const path of [
      '/nothing',
      '/assets/nothing.js',
      '/assets/../index.html',
      '/application',
      '/assets/%2e%2e/index.html',
    ]) {
      const response = await fetch(`${url}${path}`);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'application/json; charset=utf-8',
      ]);
    }
  });

  it('begins with less than 350 KB, and is ready after less than a second of work', async () => {
    const { page: fresh, context } = await visit(browser, world.program.url);
    let bytes = 0;
    fresh.on('response', (response) => {
      void response
        .request()
        .sizes()
        .then(
          ({ responseBodySize }) => (bytes += responseBodySize),
          () => undefined,
        );
    });
    await fresh.goto('/app/sign-in', { waitUntil: 'networkidle' });
    // In time of the processor: how long it takes depends on what else the machine does.
    const session = await context.newCDPSession(fresh);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await fresh.goto('/app/sign-in', { waitUntil: 'commit' });
    await fresh.getByLabel('Email').click();
    const ready = await fresh.evaluate(() => performance.now());
    const { metrics } = await session.send('Performance.getMetrics');
    const work = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity;
    console.log(
      `first page: ${Math.round(bytes / 1024)} KB, ready after ${Math.round(ready)} ms, ${Math.round(work * 1_000)} ms of work`,
    );
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(350 * 1024);
    expect(work).toBeLessThan(1);
    await context.close();
  });

  // Colours do not depend on the width, so each theme is looked at in one.
  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'no page breaks the rules of accessibility, and none has errors: %s, %d wide',
    async (scheme, width) => {
      const own = await visit(browser, world.program.url, { scheme, width });
      const broken: string[] = [];
      const look = async (path: string): Promise<void> => {
        await own.page.goto(path);
        await own.page.getByRole('heading').first().waitFor();
        await until(async () => (await own.page.locator('.mantine-Skeleton-root').count()) === 0);
        for (const violation of await violationsOf(own.page)) broken.push(`${path}: ${violation}`);
      };
      for (const path of pagesOf(scheme, openPaths)) await look(path);
      await signIn(own.page, world.owner.email, world.password);
      const paths = [...teamPaths, `/app/emails/${ids.bounced}`, `/app/emails/${ids.down}`];
      for (const path of pagesOf(scheme, paths)) await look(path);
      broken.push(...own.watch.troubles.filter((trouble) => !blockedImage.test(trouble)));
      await own.context.close();
      expect([...new Set(broken)]).toEqual([]);
    },
    300_000,
  );

  it('had no error on its console and made no request to another origin', () => {
    expect(owner.watch.troubles.filter((trouble) => !/images\.acme\.test|elsewhere\.test/.test(trouble))).toEqual([]);
  });
});
