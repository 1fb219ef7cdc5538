import { Client } from 'pg';
import type { CDPSession, Page } from 'playwright-core';
import { BenchCase, Measurement, SkippedCase } from '../bench-case.js';
import { storeEmails } from '../stored-emails.js';
import { noChromium, signIn, startChromium, visit } from '../../support/clients/chromium.js';
import { startDashboardWorld } from '../../support/builders/dashboard-world.js';
import { startTestServer, stopTestServer } from '../../support/servers/test-server.js';

const emails = Number(process.env.BENCH_LISTED ?? 100_000);
const loaded = Math.min(emails, 20_000);
const turns = 250;
const turnPixels = 360;

/**
 * Whether the list of the dashboard stutters, in a real browser that scrolls it: frames that come late, and who made
 * them late.
 */
export const scrollingCase: BenchCase = {
  name: 'scrolling',
  isLong: true,
  open: async () => {
    if (noChromium !== undefined) throw new SkippedCase(noChromium);
    await startTestServer();
    const world = await startDashboardWorld();
    const client = new Client({ connectionString: world.program.database.url });
    await client.connect();
    try {
      await storeEmails(client, emails);
    } finally {
      await client.end();
    }
    const browser = await startChromium();
    const list = `a list of ${emails.toLocaleString('en')} emails`;
    return {
      measure: async () => {
        const { page, context } = await visit(browser, world.program.url);
        await signIn(page, world.owner.email, world.password);
        await page.goto('/app/emails');
        await page.getByRole('grid').getByRole('link').first().waitFor();
        const reading = await scroll(page, 1);
        console.log(`while it is read: ${JSON.stringify(reading)}`);
        await load(page, loaded);
        const [up, down] = [await scroll(page, -1), await scroll(page, 1)];
        await context.close();
        return [
          ...figures(`${list}, read while it is scrolled`, [reading]),
          ...figures(`${list}, scrolled with ${loaded.toLocaleString('en')} of them loaded`, [up, down]),
        ];
      },
      close: async () => {
        await browser.close();
        await world.stop();
        await stopTestServer();
      },
    };
  },
};

interface Frames {
  readonly count: number;
  readonly late: number;
  readonly longestMs: number;
  /** CPU of the page's main thread, which says something on a machine that others use too. */
  readonly cpuMs: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
}

/** Runs in the page: notes how long each frame and each long task takes. */
const watch = `{
  const seen = { frames: [], tasks: [], stop: false };
  window.seen = seen;
  new PerformanceObserver((found) => {
    for (const { duration } of found.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask' });
  let last = performance.now();
  const next = () => {
    const now = performance.now();
    seen.frames.push(now - last);
    last = now;
    if (!seen.stop) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}`;

const whatWasSeen = `(({ seen }) => {
  seen.stop = true;
  return {
    count: seen.frames.length,
    late: seen.frames.filter((ms) => ms > 50).length,
    longestMs: Math.max(...seen.frames),
    longTasks: seen.tasks.length,
    longestTaskMs: Math.max(0, ...seen.tasks),
  };
})(window)`;

/** Turns the wheel. A frame is late after 50 ms: three in a row have then been missed at 60 Hz. */
async function scroll(page: Page, direction: 1 | -1): Promise<Frames> {
  await page.mouse.move(700, 500);
  await page.evaluate(watch);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await cpuMsOf(session);
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, direction * turnPixels);
    await page.waitForTimeout(16);
  }
  const cpuMs = (await cpuMsOf(session)) - before;
  await session.detach();
  const frames = await page.evaluate<Omit<Frames, 'cpuMs'>>(whatWasSeen);
  return { ...frames, cpuMs };
}

async function cpuMsOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

/** Scrolls to the end of the list until it has this many rows. */
async function load(page: Page, count: number): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const grid = document.querySelector('[role=grid]');
    const look = () => {
      if (grid.scrollHeight / 40 >= ${count - 1}) return done();
      grid.scrollTop = grid.scrollHeight;
      setTimeout(look, 10);
    };
    look();
  })`);
}

function figures(name: string, scrolled: readonly Frames[]): Measurement[] {
  const sum = (of: (frames: Frames) => number): number => scrolled.reduce((total, frames) => total + of(frames), 0);
  const most = (of: (frames: Frames) => number): number => Math.max(...scrolled.map(of));
  const frames = sum(({ count }) => count);
  return [
    {
      name: `${name}: late frames of ${frames}`,
      value: sum(({ late }) => late),
      unit: 'above 50 ms',
      cpuMs: sum(({ cpuMs }) => cpuMs) / frames,
    },
    { name: `${name}: longest frame`, value: most(({ longestMs }) => longestMs), unit: 'ms' },
    { name: `${name}: long tasks`, value: sum(({ longTasks }) => longTasks), unit: 'above 50 ms' },
    { name: `${name}: longest task`, value: most(({ longestTaskMs }) => longestTaskMs), unit: 'ms' },
  ];
}
