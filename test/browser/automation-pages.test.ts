import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { acceptFindings } from '../support/clients/accept-findings.js';
import { violationsOf } from '../support/clients/axe.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { testSender } from '../support/programs/program.js';
import { rounds } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

describeUnless(noChromium)('the pages of automations', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let owner: Visit;
  let page: Page;
  /** Of the automation that the first test draws. */
  let path: string;

  const row = (name: string | RegExp): Locator => page.getByRole('row').filter({ hasText: name }).first();
  const dialog = (): Locator => page.getByRole('dialog');
  const panel = (name: string): Locator => page.getByRole('region', { name: `Step ${name}` });
  const card = (name: string): Locator => page.getByRole('button', { name: new RegExp(`^${name}`) }).first();
  const add = async (after: string, type: string): Promise<void> => {
    await page.getByRole('button', { name: `Add a step after ${after}`, exact: true }).click();
    await page.getByRole('menuitem', { name: type, exact: true }).click();
    await panel(type).waitFor();
  };
  const post = async (at: string, body: object = {}): Promise<{ readonly id: string }> =>
    (await (await world.program.request(at, { method: 'POST', body: JSON.stringify(body) })).json()) as {
      readonly id: string;
    };

  const runsOf = async (id: string, status: string): Promise<readonly unknown[]> => {
    const response = await world.program.request(`/automations/${id}/runs?status=${status}`);
    return ((await response.json()) as { readonly data: readonly unknown[] }).data;
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startDashboardWorld(), startChromium()]);
    const variables = [{ key: 'PLAN', type: 'string', fallback_value: 'our' }];
    const { id } = await post('/templates', {
      name: 'Welcome',
      subject: 'Welcome',
      from: testSender,
      html: '<p>On {{{PLAN}}}</p>',
      variables,
    });
    await post(`/templates/${id}/publish`);
    owner = await visit(browser, world.program.url);
    page = owner.page;
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('defines an event, draws what follows it, and shows what became of a contact', async () => {
    await page.goto('/app/events');
    await page.getByRole('button', { name: 'Define event' }).first().click();
    await dialog().getByLabel('Name', { exact: true }).fill('user.created');
    await dialog().getByRole('button', { name: 'Add field' }).click();
    await dialog().getByLabel('Name of the field').fill('plan');
    await dialog().getByRole('button', { name: 'Define event' }).click();
    await page.getByText('plan (Text)').waitFor();

    await page.getByRole('link', { name: 'Automations' }).last().click();
    await page.getByRole('button', { name: 'Create automation' }).first().click();
    await dialog().getByLabel('Name', { exact: true }).fill('Welcome series');
    await dialog().getByLabel('Event', { exact: true }).fill('user.cr');
    await page.getByRole('option', { name: 'user.created' }).click();
    await dialog().getByRole('button', { name: 'Create automation' }).click();
    await card('Event').waitFor();
    path = new URL(page.url()).pathname;

    await add('Event', 'Send email');
    await panel('Send email').getByText('Choose a template.').waitFor();
    await panel('Send email').getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'Welcome' }).click();
    await panel('Send email').getByLabel('PLAN').fill('{{event.plan}}');
    await add('Event', 'Condition');
    await panel('Condition').getByRole('button', { name: 'Add rule' }).click();
    await panel('Condition').getByLabel('Field').fill('event.plan');
    await page.keyboard.press('Tab');
    await panel('Condition').getByLabel('Value').fill('pro');
    // What followed the event follows the condition now.
    await add('Condition: No', 'Wait');
    await panel('Wait').getByLabel('Duration').fill('40 days');
    await page.getByRole('button', { name: 'Enable' }).click();
    await dialog().getByText('From now on, “Event from your program” starts a run for the contact.').waitFor();
    await acceptFindings(dialog());
    await dialog().getByRole('button', { name: 'Enable' }).click();
    await panel('Wait').getByRole('alert').getByText('at most 30 days').waitFor();
    await panel('Wait').getByLabel('Duration').fill('4 days');
    await page.getByRole('button', { name: 'Enable' }).click();
    await acceptFindings(dialog());
    await dialog().getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Automation enabled').waitFor();

    await page.goto('/app/events');
    await page.getByRole('button', { name: 'More actions for user.created' }).click();
    await page.getByRole('menuitem', { name: 'Send event' }).click();
    await dialog().getByLabel('Contact').fill('ada@harbour.test');
    await dialog().getByLabel('Payload').fill('{"plan": {}}');
    await dialog().getByRole('button', { name: 'Send event' }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByLabel('Payload').fill('{"plan": "pro"}');
    await dialog().getByRole('button', { name: 'Send event' }).click();
    await page.getByText('Event sent').waitFor();
    await post('/events/send', { event: 'user.created', email: 'grace@harbour.test', payload: { plan: 'free' } });

    const id = path.split('/').at(-1) ?? '';
    await until(async () => (await runsOf(id, 'completed')).length === 1);
    await page.goto(`${path}/runs`);
    await row('grace@harbour.test').getByText('Running').waitFor();
    await row('ada@harbour.test').click();
    await page.getByRole('link', { name: 'Show email' }).waitFor();
    await page.getByText('Not reached').waitFor();
    await page.keyboard.press('Escape');
    await row('grace@harbour.test').click();
    await page.getByText('Waiting').waitFor();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('Run canceled').waitFor();
    expect(await runsOf(id, 'cancelled')).toHaveLength(1);
    await page.goto('/app/automations');
    for (const name of ['Runs', 'Running', 'Emails'])
      await page.getByRole('columnheader', { name, exact: true }).waitFor();
    await row('Welcome series').getByText('2', { exact: true }).waitFor();
  });

  it('steps are added, taken back and removed by the keyboard alone', async () => {
    await page.goto(path);
    await card('Condition').waitFor();
    await page.getByRole('button', { name: 'Add a step after Event', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Send email' }).waitFor();
    for (let keys = 0; keys < 4; keys++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel('Wait 2').waitFor();
    // An open menu has the keyboard for itself.
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await card('Wait 2').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+z');
    await card('Wait 2').focus();
    await page.keyboard.press('Enter');
    await panel('Wait 2').getByRole('button', { name: 'Remove step' }).press('Enter');
    await card('Wait 2').waitFor({ state: 'detached' });
    await card('Condition').press('Enter');
    await panel('Condition').getByLabel('Step name').fill('On the pro plan?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Automation saved').waitFor();
    await page.reload();
    await card('On the pro plan').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  });

  it('steps change their places by dragging and by the keyboard, and contacts are counted beside them', async () => {
    await page.goto(path);
    const connections = async (): Promise<readonly string[]> => {
      const response = await world.program.request(`/automations/${path.split('/').at(-1)}`);
      const { connections: stored } = (await response.json()) as {
        readonly connections: readonly { readonly from: string; readonly to: string; readonly type: string }[];
      };
      return stored.map(({ from, to, type }) => `${from} > ${to} (${type})`).sort();
    };
    const before = await connections();
    const place = page.getByRole('button', { name: 'Add a step after Event', exact: true });
    await card('Send email').hover();
    await page.mouse.down();
    await place.hover();
    // Places are marked a moment after the card was taken up.
    await page.locator('[data-fits]').first().waitFor();
    await place.hover({ position: { x: 8, y: 8 } });
    await page.locator('[data-over]').waitFor();
    await page.mouse.up();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Automation saved').waitFor();
    expect(await connections()).not.toEqual(before);
    await card('Send email').press('Alt+ArrowDown');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => JSON.stringify(await connections()) === JSON.stringify(before));
    await card('Send email').press('Control+d');
    await panel('Send email 2').waitFor();
    await card('Send email 2').press('Delete');
    await card('Send email 2').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: /^2 contacts went on to On the pro plan/ }).waitFor();
    await page.getByRole('link', { name: 'Metrics' }).last().click();
    await page.getByRole('group', { name: 'Metrics' }).getByText('Delivered').waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await file).suggestedFilename()).toBe('Welcome series.csv');
    await page.getByRole('link', { name: 'Send email' }).first().click();
    await row('ada@harbour.test').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'grace@' }).count()).toBe(0);
    await page.getByText('Through “Send email”').waitFor();
  });

  it('who enters and when emails go is set', async () => {
    await page.goto(path);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await dialog().getByRole('combobox', { name: 'A contact enters' }).click();
    await page.getByRole('option', { name: 'Only once' }).click();
    await dialog().getByLabel('Quiet hours').check();
    await dialog().getByLabel('From').fill('22:00');
    await dialog().getByLabel('Emails per contact and day').fill('2');
    await dialog().getByLabel('Time zone', { exact: true }).fill('Nowhere/Land');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByLabel('Time zone', { exact: true }).fill('Europe/Berlin');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    const stored = await (await world.program.request(`/automations/${path.split('/').at(-1)}`)).json();
    expect(stored).toMatchObject({
      settings: {
        entry: 'once',
        quiet_hours: { from: '22:00', to: '08:00' },
        max_emails_per_day: 2,
        time_zone: 'Europe/Berlin',
      },
    });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    expect(await dialog().getByRole('combobox', { name: 'A contact enters' }).inputValue()).toBe('Only once');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('is drawn as the server has it, though it was open a moment ago', async () => {
    const of = `/automations/${path.split('/').at(-1)}`;
    const { steps, connections } = (await (await world.program.request(of)).json()) as {
      readonly steps: readonly { readonly type: string; readonly config: object }[];
      readonly connections: readonly object[];
    };
    await page.goto(path);
    await card('Wait').waitFor();
    await page.getByRole('link', { name: 'Automations' }).last().click();
    await row('Welcome series').waitFor();
    const changed = steps.map((step) => (step.type === 'delay' ? { ...step, config: { duration: '11 days' } } : step));
    const body = JSON.stringify({ steps: changed, connections });
    expect((await world.program.request(of, { method: 'PATCH', body })).status).toBe(200);
    await page.getByRole('link', { name: 'Welcome series' }).first().click();
    await page.getByText('11 days').first().waitFor();
  });

  it('is renamed, copied, disabled, stopped and deleted', async () => {
    const choose = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Duplicate');
    await page.getByRole('heading', { name: 'Welcome series (copy)', level: 1 }).waitFor();
    await page.getByText('Disabled').waitFor();
    await choose('Rename');
    await dialog().getByLabel('Name').fill('Second series');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Second series', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await acceptFindings(dialog());
    await dialog().getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled').waitFor();
    await choose('Stop all runs');
    await dialog().getByRole('button', { name: 'Stop all runs' }).click();
    await page.getByText('Automation stopped').waitFor();
    await choose('Delete');
    await dialog().getByRole('textbox').fill('Second series');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await row('Welcome series').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Second series' }).count()).toBe(0);
  });

  it('is changed on a phone, where the steps stand below each other', async () => {
    const phone = await visit(browser, world.program.url, { width: 390, height: 844 });
    await signIn(phone.page, world.owner.email, world.password);
    await phone.page.goto(path);
    await phone.page.getByRole('button', { name: /^Wait/ }).click();
    await phone.page.getByLabel('Duration').fill('5 days');
    await phone.page.getByRole('region', { name: 'Step Wait' }).getByRole('button', { name: 'Close' }).click();
    await phone.page.getByText('5 days').waitFor();
    expect(phone.watch.troubles).toEqual([]);
    await phone.context.close();
  });

  const twoLooks = [
    ['light', 1440],
    ['dark', 390],
  ] as const;

  it.each(
    rounds<readonly (readonly ['light' | 'dark', number])[]>(twoLooks, [...twoLooks, ['dark', 1440], ['light', 390]]),
  )(
    'axe finds nothing, and no console has an error: %s, %i wide',
    async (scheme, width) => {
      const own = await visit(browser, world.program.url, { scheme, width });
      await signIn(own.page, world.owner.email, world.password);
      const runs = `${path}/runs`;
      const broken: string[] = [];
      for (const at of ['/app/automations', '/app/events', path, runs, `${path}/metrics`]) {
        await own.page.goto(at);
        await own.page.getByRole('heading', { level: 1 }).first().waitFor();
        await own.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        if (at === path) {
          await own.page.getByRole('button', { name: /^On the pro plan/ }).click();
          await own.page.getByRole('region', { name: 'Step On the pro plan?' }).waitFor();
        }
        for (const violation of await violationsOf(own.page)) broken.push(`${at}: ${violation}`);
      }
      broken.push(...own.watch.troubles, ...owner.watch.troubles);
      await own.context.close();
      expect([...new Set(broken)]).toEqual([]);
    },
    120_000,
  );

  it('enabling says which contacts of a segment it does not start for', async () => {
    const { id: segment } = await post('/segments', { name: 'Regulars' });
    await post('/contacts', { email: 'old@customer.test', segments: [{ id: segment }] });
    const { id } = await post('/automations', {
      name: 'Newcomers',
      steps: [
        { key: 'a', type: 'trigger', config: { event_name: 'resend:segment.entered', segment_id: segment } },
        { key: 'b', type: 'delay', config: { duration: '1 day' } },
      ],
      connections: [{ from: 'a', to: 'b' }],
    });
    await page.goto(`/app/automations/${id}`);
    await page.getByRole('button', { name: 'Enable' }).click();
    await dialog().getByText('Contacts already in “Regulars” (1) do not start.').waitFor();
    await dialog().getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Automation enabled').waitFor();
  });
});
