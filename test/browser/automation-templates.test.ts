import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { acceptFindings } from '../support/clients/accept-findings.js';
import { branchesOf, type DraftStep } from '../../apps/dashboard/src/logic/automation-draft.js';
import {
  startingAutomations,
  stepsWith,
  type StartingAutomation,
} from '../../apps/dashboard/src/logic/starting-automations.js';
import { htmlOf } from '../../apps/dashboard/src/logic/starting-emails.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { testSender } from '../support/programs/program.js';
import { rounds } from '../support/runner/rounds.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

type Way = 'mouse' | 'keyboard';
type Config = DraftStep['config'];

const typeNames: Readonly<Record<string, string>> = {
  send_email: 'Send email',
  delay: 'Wait',
  wait_until: 'Wait until',
  wait_for_event: 'Wait for event',
  goal: 'Goal',
  contact_update: 'Update contact',
  contact_delete: 'Delete contact',
};
const branchNames: Readonly<Record<string, string>> = { event_received: 'Received', timeout: 'Timed out' };
const triggerNames: Readonly<Record<string, string>> = {
  'resend:contact.created': 'Contact is created',
  'resend:contact.date': 'Date of the contact',
};
const dayNames: Readonly<Record<string, string>> = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri' };

/** Does with the mouse or with the keyboard alone what a person does with the pages. */
class Hands {
  constructor(
    private readonly page: Page,
    private readonly way: Way,
  ) {}

  async press(what: Locator): Promise<void> {
    if (this.way === 'mouse') return what.click();
    await what.focus();
    await this.page.keyboard.press('Enter');
  }

  async fill(field: Locator, text: string): Promise<void> {
    if (this.way === 'mouse') return field.fill(text);
    await field.focus();
    if ((await field.getAttribute('type')) === 'time') {
      // Hours, minutes and half of the day, one after the other: all times here are in the morning.
      return this.page.keyboard.type(`${text.replace(':', '')}a`);
    }
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.insertText(text);
  }

  async check(box: Locator): Promise<void> {
    // The box itself lies hidden below its label.
    if (this.way === 'mouse') {
      const id = (await box.getAttribute('id')) ?? '';
      return this.page.locator(`label[for="${id}"]`).first().click();
    }
    await box.focus();
    await this.page.keyboard.press('Space');
  }

  async choose(field: Locator, option: string): Promise<void> {
    const wanted = this.page.getByRole('option', { name: option, exact: true });
    if (this.way === 'mouse') {
      await field.click();
      return wanted.click();
    }
    await field.focus();
    await until(async () => {
      // A choice that has just opened forgets once more which option is marked: people are slower than that.
      await this.page.keyboard.press('ArrowDown');
      await wanted.waitFor();
      await this.goTo(() => wanted.getAttribute('data-combobox-selected').then((selected) => selected !== null));
      return (await field.inputValue()) === option;
    });
  }

  async fromMenu(button: Locator, item: string): Promise<void> {
    await this.press(button);
    const wanted = this.page.getByRole('menuitem', { name: item, exact: true });
    await wanted.waitFor();
    if (this.way === 'mouse') return wanted.click();
    const focused = wanted.and(this.page.locator(':focus'));
    await this.goTo(() => focused.isVisible());
  }

  private async goTo(isThere: () => Promise<boolean>): Promise<void> {
    for (let keys = 0; keys < 200 && !(await isThere()); keys++) await this.page.keyboard.press('ArrowDown');
    await this.page.keyboard.press('Enter');
  }
}

describeUnless(noChromium)('the automations to begin with', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let visitor: Visit;
  let page: Page;

  const panel = (): Locator => page.getByRole('region', { name: /^Step / });
  const dialog = (): Locator => page.getByRole('dialog');
  const ask = async <Body = { readonly id: string }>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await world.program.request(path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([startDashboardWorld(), startChromium()]);
    for (const key of new Set(startingAutomations.flatMap(({ properties }) => properties))) {
      await ask('POST', '/contact-properties', { key, type: 'string' });
    }
    await ask('POST', '/contacts', { email: 'ada@harbour.test', first_name: 'Ada' });
    visitor = await visit(browser, world.program.url);
    page = visitor.page;
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  const emailNames = ({ name, emails }: StartingAutomation): ReadonlyMap<string, string> =>
    new Map(emails.map((email) => [email.id, `${name}: ${email.name}`]));

  async function fillTrigger(hands: Hands, within: Locator, config: Config): Promise<void> {
    const kind = triggerNames[String(config.event_name)];
    if (kind === undefined) return hands.fill(within.getByLabel('Event', { exact: true }), String(config.event_name));
    await hands.choose(within.getByRole('combobox', { name: 'Starts when' }), kind);
    if (typeof config.property !== 'string') return;
    const days = Number.parseInt(String(config.offset), 10);
    await hands.choose(within.getByRole('combobox', { name: 'Property' }), config.property);
    await hands.choose(
      within.getByRole('combobox', { name: 'When', exact: true }),
      days < 0 ? 'Days before' : 'Days after',
    );
    await hands.fill(within.getByLabel('Days', { exact: true }), String(Math.abs(days)));
    await hands.fill(within.getByLabel('Time of day'), String(config.time));
    if (config.every_year === true) await hands.check(within.getByRole('switch', { name: 'Every year' }));
  }

  async function fillStep(
    hands: Hands,
    { type, config }: DraftStep,
    emails: ReadonlyMap<string, string>,
  ): Promise<void> {
    const field = (label: string): Locator => panel().getByLabel(label, { exact: true });
    switch (type) {
      case 'send_email': {
        const { id, variables = {} } = config.template as { id: string; variables?: Record<string, { var: string }> };
        await hands.choose(panel().getByRole('combobox', { name: 'Template' }), emails.get(id) ?? id);
        for (const [name, value] of Object.entries(variables)) await hands.fill(field(name), `{{${value.var}}}`);
        return;
      }
      case 'delay':
        return hands.fill(field('Duration'), String(config.duration));
      case 'wait_until':
        await hands.fill(field('Time of day'), String(config.time));
        for (const day of config.weekdays as string[]) {
          await hands.check(panel().getByRole('checkbox', { name: dayNames[day] ?? day }));
        }
        return;
      case 'wait_for_event':
        await hands.fill(field('Event'), String(config.event_name));
        return hands.fill(field('Timeout'), String(config.timeout));
      case 'goal':
        return hands.fill(field('Event'), String(config.event_name));
      case 'contact_update':
        for (const [name, value] of Object.entries(config.properties as Config))
          await hands.fill(field(name), String(value));
        return;
      default:
        return;
    }
  }

  async function draw(hands: Hands, automation: StartingAutomation): Promise<string> {
    const { name, steps, connections } = automation;
    const [first] = steps;
    if (first === undefined) throw new Error('no trigger');
    await page.goto('/app/automations');
    await hands.press(page.getByRole('button', { name: 'Create automation' }).first());
    await hands.fill(dialog().getByLabel('Name', { exact: true }), name);
    await fillTrigger(hands, dialog(), first.config);
    await hands.press(dialog().getByRole('button', { name: 'Create automation' }));
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const names = new Map([[first.key, 'Event']]);
    for (const step of steps.slice(1)) {
      const into = connections.find(({ to }) => to === step.key);
      const from = names.get(into?.from ?? '') ?? into?.from;
      const isBranch = branchesOf(steps.find(({ key }) => key === into?.from)?.type ?? '').length > 1;
      const place = isBranch ? `${from}: ${branchNames[into?.type ?? '']}` : from;
      const add = page.getByRole('button', { name: `Add a step after ${place}`, exact: true });
      await hands.fromMenu(add, typeNames[step.type] ?? step.type);
      await panel().getByRole('heading', { name: typeNames[step.type] }).waitFor();
      await fillStep(hands, step, emailNames(automation));
      await hands.fill(panel().getByLabel('Step name'), step.key);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: `Step ${step.key}`, exact: true }).waitFor();
    }
    return new URL(page.url()).pathname;
  }

  it.each(
    startingAutomations.flatMap((each, no) =>
      rounds<readonly Way[]>([no % 2 === 0 ? 'mouse' : 'keyboard'], ['mouse', 'keyboard']).map(
        (way) => [each.name, way, each] as const,
      ),
    ),
  )(
    '%s is built from nothing with the %s, tried and enabled',
    async (name, way, automation) => {
      const hands = new Hands(page, way);
      const templates = new Map<string, string>();
      for (const email of automation.emails) {
        const variables = Object.entries(email.variables ?? {}).map(([key, fallback_value]) => ({
          key,
          type: 'string',
          fallback_value,
        }));
        const { id } = await ask('POST', '/templates', {
          name: `${name}: ${email.name}`,
          subject: email.subject,
          from: testSender,
          html: htmlOf(email),
          variables,
        });
        await ask('POST', `/templates/${id}/publish`);
        templates.set(email.id, id);
      }
      const path = await draw(hands, automation);

      await hands.press(page.getByRole('button', { name: 'Try it' }));
      const trial = page.getByRole('region', { name: 'Try it' });
      await hands.fill(trial.getByLabel('Contact'), 'ada@harbour.test');
      await hands.press(trial.getByRole('button', { name: 'Run' }));
      await trial.getByText('What would happen').waitFor();
      await trial.getByRole('listitem').nth(1).waitFor();
      await hands.press(trial.getByRole('button', { name: 'Close' }));

      await hands.press(page.getByRole('button', { name: 'Enable' }));
      await acceptFindings(dialog());
      await hands.press(dialog().getByRole('button', { name: 'Enable' }));
      await page.getByText('Automation enabled').waitFor();

      const id = path.split('/').at(-1) ?? '';
      const stored = await ask<Pick<StartingAutomation, 'steps' | 'connections'>>('GET', `/automations/${id}`);
      const renamed = (key: string): string => (key === automation.steps[0]?.key ? 'Event' : key);
      const byKey = (steps: readonly DraftStep[]): object =>
        Object.fromEntries(steps.map(({ key, ...step }) => [renamed(key), step]));
      expect(byKey(stored.steps)).toEqual(byKey(stepsWith(automation.steps, templates)));
      expect([...stored.connections].sort(byEnds)).toEqual(
        automation.connections
          .map(({ from, to, type }) => ({ from: renamed(from), to: renamed(to), type }))
          .sort(byEnds),
      );
      // Its templates have the names of those of the other way.
      await ask('DELETE', `/automations/${id}`);
      for (const template of templates.values()) await ask('DELETE', `/templates/${template}`);
      expect(visitor.watch.troubles).toEqual([]);
    },
    120_000,
  );

  it('begins with one of them, with its emails, event and property', async () => {
    await page.goto('/app/automations');
    await page.getByRole('button', { name: 'Create automation' }).first().click();
    await dialog()
      .getByRole('radio', { name: /^Failed payment/ })
      .click();
    await dialog().getByRole('button', { name: 'Create automation' }).click();
    await page.getByRole('heading', { name: 'Failed payment', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await acceptFindings(dialog());
    await dialog().getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Automation enabled').waitFor();
    await page.goto('/app/events');
    await page.getByText('amount (Text), update_url (Text)').waitFor();
    expect(visitor.watch.troubles).toEqual([]);
  });
});

function byEnds(a: { readonly to: string }, b: { readonly to: string }): number {
  return a.to < b.to ? -1 : 1;
}
