import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Evaluated by the debugger, so that the page's content security policy does not matter. `@axe-core/playwright` takes a second
 * more for each page.
 */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const options: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  resultTypes: ['violations'],
};

/** The violations of WCAG 2.2 AA on a page, each as one line. */
export async function violationsOf(page: Page): Promise<string[]> {
  const found = await analysed(page);
  if (found.length === 0) return [];
  // What appears while the page is examined has colours in between for a moment.
  await page.waitForFunction("document.getAnimations().every(({ playState }) => playState !== 'running')");
  return analysed(page);
}

async function analysed(page: Page): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(`${source};undefined`);
  // Frames show other people's HTML in a sandbox, where no script can look.
  const run = `axe.run({ exclude: ['iframe'] }, ${JSON.stringify(options)})`;
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary?.split('\n')[1]?.trim() ?? ''}`,
    ),
  );
}
