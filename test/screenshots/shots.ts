import type { Page } from 'playwright-core';
import type { Stage } from './main.js';

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
  { name: 'emails', path: () => '/app/emails' },
  { name: 'emails-empty', path: () => '/app/emails', world: 'empty' },
  {
    name: 'palette',
    path: () => '/app/emails',
    prepare: (page, isPhone) => (isPhone ? Promise.resolve() : page.keyboard.press('Control+k')),
  },
  { name: 'keys', path: () => '/app/emails', prepare: (page) => page.keyboard.press('?') },
  {
    name: 'metrics',
    path: () => '/app/metrics?range=day',
    prepare: (page) => page.locator('.recharts-surface').first().waitFor(),
  },
  { name: 'metrics-empty', path: () => '/app/metrics', world: 'empty' },
  {
    name: 'metrics-table',
    path: () => '/app/metrics?range=day',
    prepare: (page) => page.getByText('Table', { exact: true }).first().click({ force: true }),
  },
  { name: 'domains', path: () => '/app/domains' },
  { name: 'domain', path: ({ ids }) => `/app/domains/${ids.domainId}` },
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
  { name: 'smtp', path: () => '/app/smtp' },
  { name: 'usage', path: () => '/app/usage' },
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
  { name: 'email', path: ({ ids }) => `/app/emails/${ids.delivered}` },
];
