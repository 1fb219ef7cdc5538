import type { Page } from 'playwright-core';
import type { Stage } from './stage.js';

export interface Shot {
  /** Name of the file, and what can be asked for on the command line. */
  readonly name: string;
  readonly path: (stage: Stage) => string;
  /** Default: the installation with mail in it. `out`: nobody is signed in. */
  readonly world?: 'full' | 'empty' | 'out';
  readonly prepare?: (page: Page, isPhone: boolean) => Promise<unknown>;
}

/** Every page and state that is worth looking at. A new page adds its line. */
export const shots: readonly Shot[] = [
  { name: 'sign-in', path: () => '/app/sign-in', world: 'out' },
  { name: 'forgot', path: () => '/app/forgot-password', world: 'out' },
  { name: 'two-factor', path: () => '/app/sign-in/two-factor', world: 'out' },
  { name: 'owner', path: () => '/app/owner#some-token', world: 'out' },
  { name: 'settings-profile', path: () => '/app/settings' },
  { name: 'settings-security', path: () => '/app/settings/security' },
  { name: 'settings-team', path: () => '/app/settings/team' },
  { name: 'settings-audit', path: () => '/app/settings/audit' },
  { name: 'emails', path: () => '/app/emails' },
  { name: 'emails-filtered', path: () => '/app/emails?status=bounced&subject=welcome' },
  { name: 'emails-none', path: () => '/app/emails?q=nobody@nowhere.test' },
  { name: 'start', path: () => '/app/start', world: 'empty' },
  { name: 'start-done', path: () => '/app/start' },
  {
    name: 'palette',
    path: () => '/app/emails',
    prepare: (page, isPhone) => (isPhone ? Promise.resolve() : page.keyboard.press('Control+k')),
  },
  {
    name: 'palette-found',
    path: () => '/app/emails',
    prepare: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('a');
      await page.getByRole('group', { name: /Contacts/ }).waitFor();
    },
  },
  {
    name: 'write-email',
    path: () => '/app/write',
    prepare: async (page) => {
      await page.getByLabel('To', { exact: true }).fill('ada@customer.test, grace@customer.test');
      await page.getByLabel('Subject').fill('Your order is on its way');
      await page.getByRole('textbox', { name: 'Text' }).fill('It arrives on Friday.');
      await page.getByText('checks passed').waitFor();
    },
  },
  { name: 'write-email-empty', path: () => '/app/write' },
  {
    name: 'write-email-sender',
    path: () => '/app/write',
    prepare: (page) => page.getByRole('combobox', { name: 'From' }).fill('sales'),
  },
  { name: 'keys', path: () => '/app/emails', prepare: (page) => page.keyboard.press('?') },
  {
    name: 'metrics',
    path: () => '/app/metrics?range=day',
    prepare: (page) => page.locator('.recharts-surface').first().waitFor(),
  },
  {
    name: 'metrics-span',
    path: () => '/app/metrics?range=day',
    prepare: async (page) => {
      await page.locator('.recharts-surface').first().waitFor();
      await page.getByRole('button', { name: 'Custom range' }).click();
    },
  },
  {
    name: 'metrics-week',
    path: () => '/app/metrics',
    prepare: (page) => page.locator('.recharts-surface').nth(1).waitFor(),
  },
  { name: 'metrics-empty', path: () => '/app/metrics', world: 'empty' },
  {
    name: 'metrics-table',
    path: () => '/app/metrics?range=day',
    prepare: (page) => page.locator('label').filter({ hasText: 'Table' }).click(),
  },
  { name: 'domains', path: () => '/app/domains' },
  { name: 'domain', path: ({ ids }) => `/app/domains/${ids.domainId}` },
  { name: 'domain-insights', path: ({ ids }) => `/app/domains/${ids.domainId}?view=insights` },
  {
    name: 'domain-insights-provider',
    path: ({ ids }) => `/app/domains/${ids.domainId}?view=insights&days=7`,
    prepare: async (page) => {
      await page.locator('summary').filter({ hasText: 'Gmail' }).click();
      await page.locator('summary').filter({ hasText: 'Outlook' }).click();
    },
  },
  {
    name: 'domain-insights-google',
    path: ({ ids }) => `/app/domains/${ids.domainId}?view=insights`,
    prepare: (page) => page.getByRole('region', { name: 'What Google says' }).scrollIntoViewIfNeeded(),
  },
  { name: 'domain-insights-empty', path: ({ ids }) => `/app/domains/${ids.unusedId}?view=insights`, world: 'empty' },
  {
    name: 'domain-add',
    path: () => '/app/domains',
    prepare: (page) => page.getByRole('button', { name: 'Add domain' }).first().click(),
  },
  { name: 'api-keys', path: () => '/app/api-keys' },
  {
    name: 'api-key-create',
    path: () => '/app/api-keys',
    prepare: (page) => page.getByRole('button', { name: 'Create key' }).first().click(),
  },
  { name: 'webhooks', path: () => '/app/webhooks' },
  { name: 'webhooks-empty', path: () => '/app/webhooks', world: 'empty' },
  {
    name: 'webhook',
    path: ({ ids }) => `/app/webhooks/${ids.webhookId}`,
    prepare: (page) =>
      page
        .getByRole('button', { name: /webhook.test|email/ })
        .first()
        .click(),
  },
  { name: 'suppressions', path: () => '/app/suppressions' },
  { name: 'suppressions-empty', path: () => '/app/suppressions', world: 'empty' },
  { name: 'logs', path: () => '/app/logs' },
  { name: 'log', path: ({ ids }) => `/app/logs/${ids.logId}` },
  { name: 'contacts', path: () => '/app/contacts' },
  { name: 'contacts-empty', path: () => '/app/contacts', world: 'empty' },
  { name: 'contact', path: ({ ids }) => `/app/contacts/${ids.contactId}` },
  {
    name: 'contact-add',
    path: () => '/app/contacts',
    prepare: (page) => page.getByRole('button', { name: 'Add contact' }).first().click(),
  },
  { name: 'segments', path: () => '/app/segments' },
  { name: 'segment', path: ({ ids }) => `/app/segments/${ids.segmentId}` },
  {
    name: 'segment-create',
    path: () => '/app/segments',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Create segment' }).first().click();
      await page.getByRole('button', { name: 'Add group' }).click();
      await page.getByLabel('Value').last().fill('@harbour.test');
      await page.getByText(/match(es)? now/).waitFor();
    },
  },
  { name: 'topics', path: () => '/app/topics' },
  { name: 'properties', path: () => '/app/properties' },
  { name: 'imports', path: () => '/app/imports' },
  { name: 'automations', path: () => '/app/automations' },
  { name: 'automations-empty', path: () => '/app/automations', world: 'empty' },
  { name: 'automation', path: ({ ids }) => `/app/automations/${ids.welcome}` },
  {
    name: 'automation-step',
    path: ({ ids }) => `/app/automations/${ids.welcome}`,
    prepare: (page) =>
      page
        .getByRole('button', { name: /^On the pro plan/ })
        .first()
        .click(),
  },
  { name: 'automation-sixty', path: ({ ids }) => `/app/automations/${ids.sixty}` },
  { name: 'automation-runs', path: ({ ids }) => `/app/automations/${ids.welcome}/runs` },
  { name: 'automation-run', path: ({ ids }) => `/app/automations/${ids.welcome}/runs/${ids.run}` },
  { name: 'events', path: () => '/app/events' },
  { name: 'broadcasts', path: () => '/app/broadcasts' },
  { name: 'broadcasts-empty', path: () => '/app/broadcasts', world: 'empty' },
  {
    name: 'broadcasts-failing',
    path: () => '/app/broadcasts',
    prepare: async (page) => {
      await page.route('**/broadcasts?*', (route) => route.abort());
      await page.reload();
      await page.getByRole('alert').waitFor();
      await page.unroute('**/broadcasts?*');
    },
  },
  {
    name: 'broadcast-draft',
    path: ({ ids }) => `/app/broadcasts/${ids.draft}`,
    prepare: (page) => page.frameLocator('iframe').getByRole('heading').waitFor(),
  },
  {
    name: 'broadcast-options',
    path: ({ ids }) => `/app/broadcasts/${ids.draft}`,
    prepare: async (page) => {
      await page.getByRole('radiogroup', { name: 'Parts of the email' }).getByText('Settings', { exact: true }).click();
      await page.locator('label').filter({ hasText: 'Test subjects' }).click();
    },
  },
  {
    name: 'broadcast-send',
    path: ({ ids }) => `/app/broadcasts/${ids.draft}`,
    prepare: (page) => page.getByRole('button', { name: 'Send', exact: true }).click(),
  },
  { name: 'broadcast-done', path: ({ ids }) => `/app/broadcasts/${ids.done}` },
  { name: 'broadcast-slow', path: ({ ids }) => `/app/broadcasts/${ids.slow}` },
  { name: 'broadcast-subjects', path: ({ ids }) => `/app/broadcasts/${ids.tried}` },
  { name: 'broadcast-recipients', path: ({ ids }) => `/app/broadcasts/${ids.done}?view=recipients` },
  { name: 'templates', path: () => '/app/templates' },
  { name: 'templates-empty', path: () => '/app/templates', world: 'empty' },
  {
    name: 'template',
    path: ({ ids }) => `/app/templates/${ids.templateId}`,
    prepare: (page) => page.frameLocator('iframe').getByRole('heading').waitFor(),
  },
  { name: 'received', path: () => '/app/received' },
  { name: 'received-empty', path: () => '/app/received', world: 'empty' },
  { name: 'received-one', path: ({ ids }) => `/app/received/${ids.receivedId}` },
  {
    name: 'routes',
    path: () => '/app/routes',
    prepare: async (page) => {
      await page.getByLabel('Recipient to test').fill('support@acme-mail.test');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('Accepted').first().waitFor();
    },
  },
  {
    name: 'route-add',
    path: () => '/app/routes',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add route' }).first().click();
      await page.getByRole('button', { name: 'Add condition' }).click();
    },
  },
  { name: 'inboxes', path: () => '/app/inboxes' },
  { name: 'inboxes-empty', path: () => '/app/inboxes', world: 'empty' },
  {
    name: 'inboxes-add',
    path: () => '/app/inboxes',
    prepare: (page) => page.getByRole('button', { name: 'Add inbox' }).first().click(),
  },
  {
    name: 'inboxes-mail',
    path: ({ ids }) => `/app/inboxes/${ids.inboxId}`,
    prepare: (page) => page.getByRole('row').nth(1).waitFor(),
  },
  {
    name: 'inboxes-folders',
    path: ({ ids }) => `/app/inboxes/${ids.inboxId}?folder=drafts`,
    prepare: (page, isPhone) =>
      isPhone
        ? page.getByRole('button', { name: 'Drafts', exact: true }).click()
        : page.getByRole('row').nth(1).waitFor(),
  },
  { name: 'inboxes-thread', path: ({ ids }) => `/app/inboxes/${ids.inboxId}/${ids.orderThreadId}` },
  {
    name: 'inboxes-reply',
    path: ({ ids }) => `/app/inboxes/${ids.inboxId}/${ids.orderThreadId}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Reply', exact: true }).click();
      await page.getByLabel('Text').fill('Hello Ada, no, you need not.');
    },
  },
  { name: 'inboxes-new', path: ({ ids }) => `/app/inboxes/${ids.inboxId}/new` },
  {
    name: 'inboxes-label',
    path: ({ ids }) => `/app/inboxes/${ids.inboxId}/${ids.orderThreadId}`,
    prepare: (page) => page.getByRole('button', { name: 'Labels' }).click(),
  },
  { name: 'inbox', path: () => '/app/inbox', world: 'empty' },
  { name: 'smtp', path: () => '/app/smtp' },
  { name: 'usage', path: () => '/app/usage' },
  {
    name: 'machine-room-addresses',
    path: () => '/app/machine-room',
    prepare: (page) => page.getByRole('region', { name: 'Addresses' }).scrollIntoViewIfNeeded(),
  },
  { name: 'machine-room', path: () => '/app/machine-room', prepare: (page) => page.waitForTimeout(2_500) },
  {
    name: 'reference',
    path: () => '/app/reference',
    prepare: (page, isPhone) =>
      isPhone ? page.getByRole('button', { name: /Send an email/ }).click() : page.getByRole('article').waitFor(),
  },
  {
    name: 'domains-failing',
    path: () => '/app/domains',
    prepare: async (page) => {
      await page.route('**/domains?*', (route) => route.abort());
      await page.reload();
      await page.getByRole('alert').waitFor();
      await page.unroute('**/domains?*');
    },
  },
  { name: 'email-delivered', path: ({ ids }) => `/app/emails/${ids.delivered}` },
  {
    name: 'email-insights',
    path: ({ ids }) => `/app/emails/${ids.delivered}`,
    prepare: (page) => page.getByRole('tab', { name: /Insights|Hinweise|診断/ }).click(),
  },
  { name: 'email-bounced', path: ({ ids }) => `/app/emails/${ids.bounced}` },
  { name: 'email-delayed', path: ({ ids }) => `/app/emails/${ids.down}` },
  { name: 'email-several', path: ({ ids }) => `/app/emails/${ids.several}` },
  { name: 'email-scheduled', path: ({ ids }) => `/app/scheduled/${ids.scheduled}` },
  { name: 'scheduled', path: () => '/app/scheduled' },
  { name: 'scheduled-empty', path: () => '/app/scheduled', world: 'empty' },
];
