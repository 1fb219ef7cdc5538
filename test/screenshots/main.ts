import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { OutboundHttp } from '#http/outbound';
import { Adapters } from '#platform/adapters';
import { startChromium, visit } from '../support/clients/chromium.js';
import { DashboardWorld, sendSamples, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { Furniture, furnish } from '../support/builders/furnished-dashboard.js';
import { furnishAutomations } from '../support/builders/furnished-automations.js';
import { furnishBroadcasts } from '../support/builders/furnished-broadcasts.js';
import { furnishInsights, furnishProviderReports } from '../support/builders/furnished-insights.js';
import { furnishInbox } from '../support/builders/furnished-inboxes.js';
import { furnishPages, receivingEnvironment } from '../support/builders/furnished-pages.js';
import { MailboxProviders } from '../support/servers/mailbox-providers.js';
import { startTestServer, stopTestServer } from '../support/servers/test-server.js';
import { shots } from './shots.js';
import type { Stage } from './stage.js';

/**
 * `npm run screenshots`: every page in both themes and two widths, into `test-output/`. `npm run screenshots -- emails`
 * takes only those whose name contains the word; `--light`, `--dark`, `--wide`, `--narrow` take only that kind, `--de`
 * and `--ja` those languages.
 */
const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('--'));
const has = (name: string, other: string): boolean => !words.includes(`--${other}`) || words.includes(`--${name}`);
const schemes = (['light', 'dark'] as const).filter((scheme) => has(scheme, scheme === 'light' ? 'dark' : 'light'));
const widths = ([1440, 390] as const).filter((width) =>
  has(width === 1440 ? 'wide' : 'narrow', width === 1440 ? 'narrow' : 'wide'),
);

const language = words.includes('--de') ? 'de' : words.includes('--ja') ? 'ja' : undefined;
const inLanguage = language === undefined ? '' : `-${language}`;

await mkdir('test-output', { recursive: true });
await startTestServer();
const providers = new MailboxProviders();
await providers.listen();
providers.data = [
  '192.0.2.10,11/25/2026 1:00 AM,11/25/2026 11:00 PM,4220,4215,4210,GREEN,< 0.1%,,,0,,,',
  '192.0.2.11,11/25/2026 1:00 AM,11/25/2026 11:00 PM,3990,3985,3980,YELLOW,0.3%,,,2,,,',
].join('\r\n');
providers.status = '192.0.2.12,192.0.2.15,Yes,Blocked due to user complaints or other evidence of spamming';
const full = await startDashboardWorld(
  {
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    ...receivingEnvironment,
    POSTMASTER_TOOLS_KEY_FILE: 'none.json',
    SNDS_KEY: providers.sndsKey,
  },
  new Adapters().use(OutboundHttp, providers.outbound()),
);
const empty = await startDashboardWorld();
const furniture = await furnish(full);
const pagesIds = await furnishPages(full);
const inbox = await furnishInbox(full);
const broadcasts = await furnishBroadcasts(full);
const automations = await furnishAutomations(full);
const stage: Stage = {
  full,
  empty,
  ids: {
    ...(await sendSamples(full)),
    ...idsOf(furniture),
    ...pagesIds,
    ...inbox,
    ...broadcasts,
    ...automations,
    unusedId: await unusedDomain(),
  },
};
await furnishInsights(full, furniture.domainId, stage.ids.delivered ?? '');
await furnishProviderReports(full, furniture.domainId);
await pause(4_000);
const browser = await startChromium();
const troubles: string[] = [];
try {
  for (const scheme of schemes) {
    for (const width of widths) await take(scheme, width);
  }
} finally {
  await browser.close();
  await full.stop();
  await furniture.receiver.close();
  await empty.stop();
  await stopTestServer();
  await providers.close();
}
for (const trouble of new Set(troubles)) console.log(trouble);

/** Without the page, whose words differ by language. */
async function signIn(page: Page, { program, owner, password }: DashboardWorld): Promise<void> {
  await page.request.post('/auth/sign-in/email', {
    data: { email: owner.email, password },
    headers: { origin: program.url, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'postrider' },
  });
}

/** The domain of the empty installation. */
async function unusedDomain(): Promise<string> {
  const { data } = await empty.program.resend.domains.list();
  return data?.data[0]?.id ?? '';
}

function idsOf({ domainId, webhookId, logId }: Furniture): Record<string, string> {
  return { domainId, webhookId, logId };
}

async function take(scheme: 'light' | 'dark', width: number): Promise<void> {
  const open = async (world: DashboardWorld): Promise<Page> => {
    const { page, watch } = await visit(browser, world.program.url, {
      scheme,
      width,
      height: width < 500 ? 844 : 900,
      language,
    });
    watches.push(watch.troubles);
    await signIn(page, world);
    return page;
  };
  const watches: string[][] = [];
  const pages = {
    full: await open(full),
    empty: await open(empty),
    out: (await visit(browser, full.program.url, { scheme, width, language })).page,
  };
  for (const shot of shots) {
    if (wanted.length > 0 && !wanted.some((word) => shot.name.includes(word))) continue;
    const page = pages[shot.world ?? 'full'];
    try {
      await page.goto(shot.path(stage));
      await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
      await shot.prepare?.(page, width < 500);
      await pause(250);
      await page.screenshot({ path: `test-output/${shot.name}-${scheme}-${width}${inLanguage}.png` });
    } catch (error) {
      console.log(`${shot.name} ${scheme} ${width}: ${(error as Error).message.split('\n')[0]}`);
      await page
        .screenshot({ path: `test-output/${shot.name}-${scheme}-${width}${inLanguage}.png` })
        .catch(() => undefined);
    }
  }
  troubles.push(...watches.flat());
  for (const page of Object.values(pages)) await page.context().close();
}
