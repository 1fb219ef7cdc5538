import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The violations of WCAG 2.2 AA on a page, each as one line. */
export async function violationsOf(page: Page): Promise<string[]> {
  const found = await analysed(page);
  if (found.length === 0) return [];
  // What appears while the page is examined has colours in between for a moment.
  await page.waitForFunction("document.getAnimations().every(({ playState }) => playState !== 'running')");
  return analysed(page);
}

async function analysed(page: Page): Promise<string[]> {
  const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page })
    // What passes is not described, and no second page is opened for the report: a third of the time.
    .options({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] })
    .setLegacyMode(true)
    // Frames show other people's HTML in a sandbox, where no script can look.
    .exclude('iframe')
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary?.split('\n')[1]?.trim() ?? ''}`,
    ),
  );
}
