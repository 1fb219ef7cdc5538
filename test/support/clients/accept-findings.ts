import type { Locator } from 'playwright-core';

/** Reads what a dialog says against sending, and goes on in spite of it. */
export async function acceptFindings(dialog: Locator): Promise<void> {
  await dialog.getByRole('region', { name: 'Findings' }).waitFor();
  const accept = dialog.getByLabel('Send it anyway');
  if ((await accept.count()) > 0) await accept.check();
}
