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
  { name: 'keys', path: () => '/app/emails', prepare: (page) => page.keyboard.press('?') },
  { name: 'email-delivered', path: ({ ids }) => `/app/emails/${ids.delivered}` },
  { name: 'email-bounced', path: ({ ids }) => `/app/emails/${ids.bounced}` },
  { name: 'email-delayed', path: ({ ids }) => `/app/emails/${ids.down}` },
  { name: 'email-several', path: ({ ids }) => `/app/emails/${ids.several}` },
  { name: 'email-scheduled', path: ({ ids }) => `/app/scheduled/${ids.scheduled}` },
  { name: 'scheduled', path: () => '/app/scheduled' },
  { name: 'scheduled-empty', path: () => '/app/scheduled', world: 'empty' },
];
