import type { Page } from 'playwright-core';
import { startDashboardWorld } from '../../support/builders/dashboard-world.js';
import { documentOf, everyBlock } from '../../support/builders/editor-documents.js';
import { noChromium, signIn, startChromium, visit } from '../../support/clients/chromium.js';
import { startTestServer, stopTestServer } from '../../support/servers/test-server.js';
import { BenchCase, Measurement, SkippedCase } from '../bench-case.js';

const blocks = 300;
const keys = 200;

/** How soon the editor shows what is typed in a long document, in a real browser. */
export const typingCase: BenchCase = {
  name: 'typing',
  isLong: true,
  open: async () => {
    if (noChromium !== undefined) throw new SkippedCase(noChromium);
    await startTestServer();
    const world = await startDashboardWorld();
    const browser = await startChromium();
    const ask = async (path: string, body: object): Promise<{ readonly id: string }> => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      return (await (await world.program.request(path, init)).json()) as { id: string };
    };
    const { id } = await ask('/templates', { name: 'Long', html: '<p></p>' });
    const all = Array.from({ length: 12 }, () => everyBlock().content.filter((block) => !isFooter(block))).flat();
    const content = documentOf(...all.slice(0, blocks));
    await ask('/editor/content', { resource_type: 'template', resource_id: id, content });
    return {
      measure: async () => {
        const { page, context } = await visit(browser, world.program.url);
        await signIn(page, world.owner.email, world.password);
        const opened = await firstKey(page, () => page.goto(`/app/templates/${id}`));
        await page.goto('/app/templates');
        await page.waitForLoadState('networkidle');
        const chosen = await firstKey(page, () => page.getByRole('link', { name: 'Long' }).first().click());
        const measured = await type(page);
        await context.close();
        return [
          { name: `${name}: from its address to the first key that is taken`, value: opened, unit: 'ms' },
          { name: `${name}: from a click in the list to the first key that is taken`, value: chosen, unit: 'ms' },
          ...measured,
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

const isFooter = (block: object): boolean => (block as { type: string }).type === 'footer';

/** From the key to the end of the work that it makes, before the browser draws. */
const watchKeys = `(() => {
  window.keyTimes = [];
  document.addEventListener('keydown', () => {
    const at = performance.now();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.keyTimes.push(performance.now() - at);
      port2.postMessage(0);
    });
  }, true);
})()`;

const name = `document of ${blocks} blocks`;

const canvas = `document.querySelector('[role="textbox"][aria-label="Document"][contenteditable="true"]')`;

/** Looks in each frame until there is something. The policy of the page allows `waitForFunction` no text. */
function whenThere(expression: string): string {
  return `new Promise((found) => {
    const look = () => {
      const value = ${expression};
      if (value) found(value);
      else requestAnimationFrame(look);
    };
    look();
  })`;
}

/** The middle of the first long paragraph. */
const placeOfText = whenThere(`(() => {
  const text = [...(${canvas}?.querySelectorAll('p') ?? [])].find((each) => each.textContent.includes('this week we'));
  const { x, y, width, height } = text?.getBoundingClientRect() ?? {};
  return text && { x: x + width / 2, y: y + height / 2 };
})()`);

async function firstKey(page: Page, open: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await open();
  // The browser looks by itself: a locator of Playwright waits for the page to be at rest.
  const { x, y } = await page.evaluate<{ readonly x: number; readonly y: number }>(placeOfText);
  await page.mouse.click(x, y);
  await page.keyboard.type('@');
  await page.evaluate(whenThere(`${canvas}?.textContent.includes('@')`));
  await page.keyboard.press('Backspace');
  return performance.now() - started;
}

async function type(page: Page): Promise<readonly Measurement[]> {
  await page.evaluate(watchKeys);
  await page.keyboard.type('the boats are back '.repeat(keys).slice(0, keys), { delay: 40 });
  const times = (await page.evaluate<number[]>('window.keyTimes')).sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? NaN;
  return [
    { name: `${name}: from a key to its frame, median`, value: at(0.5), unit: 'ms' },
    { name: `${name}: from a key to its frame, 95 of 100`, value: at(0.95), unit: 'ms' },
  ];
}
