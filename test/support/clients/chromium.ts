import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { stretched } from '../runner/stretched.js';

const places = [
  // A browser without a window of its own draws nothing around the page: a sixth less work.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];
const executable = places.find((place) => existsSync(place));

/** Why browser tests cannot run; undefined if they can. */
export const noChromium = executable === undefined ? 'Chromium is not installed' : undefined;

const settings = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  // The browser itself must not call its maker.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication',
  '--font-render-hinting=none',
];

/** Debian's Chromium, without a window. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executable, args: settings, headless: true });
}

export interface Look {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly language?: string;
}

/** What a page did that it must not do: errors on the console, exceptions, requests to other origins. */
export class Watch {
  readonly troubles: string[] = [];

  constructor(
    context: BrowserContext,
    url: string,
    private readonly tolerated: readonly RegExp[] = [],
  ) {
    const { origin } = new URL(url);
    context.on('page', (page) => this.follow(page));
    // What the content security policy has blocked never left the browser.
    const left = (target: string): void => {
      if (!/^(data|blob|about):/.test(target) && new URL(target).origin !== origin) this.add(`request to ${target}`);
    };
    context.on('response', (response) => left(response.url()));
    context.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      if (!/BLOCKED_BY_CSP|csp/i.test(why) && !(/ABORTED/.test(why) && isTakenBack(request))) left(request.url());
    });
  }

  private follow(page: Page): void {
    page.on('pageerror', (error) => this.add(`exception: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.add(`${message.type()}: ${message.text()}`);
    });
  }

  private add(trouble: string): void {
    if (!this.tolerated.some((pattern) => pattern.test(trouble))) this.troubles.push(trouble);
  }
}

/** A refusal that a test provokes is a line on the browser's console. */
export const refusalOnConsole = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Pictures of an email are not loaded before somebody asks for them. The browser says so, if the page is open for long enough. */
const blockedImage = /Loading the image '[^']*' violates the following Content Security Policy directive/;

/**
 * A preview that is closed takes back what its policy has not judged yet, and so does a page that is left before it was
 * shown. No host outside exists here, so a request that had left would have failed in another way.
 */
function isTakenBack(request: Request): boolean {
  try {
    const frame = request.frame();
    return frame.isDetached() || frame.parentFrame() !== null;
  } catch {
    // The frame of a navigation exists only when something answers.
    return request.isNavigationRequest();
  }
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;
}

/** A window of its own, with its own cookies. */
export async function visit(
  browser: Browser,
  url: string,
  { scheme = 'light', width = 1440, height = 900, language = 'en-GB' }: Look = {},
  tolerated: readonly RegExp[] = [refusalOnConsole, blockedImage],
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: scheme,
    locale: language,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    hasTouch: width < 500,
  });
  // For a machine that is shared: nothing waits for it where all is well.
  context.setDefaultTimeout(stretched(60_000));
  const watch = new Watch(context, url, tolerated);
  return { context, page: await context.newPage(), watch };
}

/** Signs in by the page, as a person does. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/app/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation').first().waitFor();
}
