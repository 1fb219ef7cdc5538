import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { DashboardWorld, startDashboardWorld } from '../support/builders/dashboard-world.js';
import { testSender } from '../support/programs/program.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

/* Pages say what is the case, and what to do, where something is missing. */
describeUnless(noChromium)('what pages say where something is missing', () => {
  let world: DashboardWorld;
  let browser: Browser;
  let seen: Visit;
  let page: Page;
  let domainId: string;

  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await world.program.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string };
  };

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startDashboardWorld({ SMTP_LISTEN: '127.0.0.1:0,127.0.0.1:0+tls' }),
      startChromium(),
    ]);
    domainId = (await post('/domains', { name: 'quiet.test' })).id;
    seen = await visit(browser, world.program.url);
    page = seen.page;
    await signIn(page, world.owner.email, world.password);
  });

  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  it('without a host name the DNS guide says what the operator must set, and the record cannot be copied', async () => {
    await page.route(/\/diagnosis$/, async (route) => {
      const response = await route.fetch();
      const diagnosis = (await response.json()) as { records: { record: string; type: string; value: string }[] };
      for (const record of diagnosis.records) if (record.record === 'SPF') record.value = 'set-host-name.invalid';
      await route.fulfill({ response, json: diagnosis });
    });
    await page.goto(`/app/domains/${domainId}`);
    const spf = page.getByRole('listitem').filter({ hasText: 'HOST_NAME' });
    await spf.first().waitFor();
    expect(await spf.getByRole('button', { name: 'Copy value' }).count()).toBe(0);
    expect(await page.getByText('set-host-name.invalid').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Zone file' }).isDisabled()).toBe(true);
    await page.unroute(/\/diagnosis$/);
  });

  it('a domain that never sent is not told that its email goes as usual', async () => {
    await page.goto(`/app/domains/${domainId}?view=insights`);
    await page.getByText('Nothing was sent in the last 30 days.').waitFor();
    expect(await page.getByText('All email goes as usual').count()).toBe(0);
  });

  it('the SMTP page and its code name the ports that are open', async () => {
    const [open, implicit] = world.program.postrider.smtp.listening;
    await page.goto('/app/smtp');
    await page.getByRole('radiogroup', { name: 'Port' }).getByText(String(open?.port), { exact: true }).waitFor();
    await page.getByText(`port: ${open?.port},`).waitFor();
    await page.getByText(String(implicit?.port), { exact: true }).click();
    await page.getByText('secure: true').waitFor();
    await page.getByText('TLS from the start').waitFor();
    expect(await page.getByText('587', { exact: true }).count()).toBe(0);
  });

  it('at an IP address the passkeys say why they do not work there, and what to open instead', async () => {
    await page.goto('/app/settings/security');
    const named = page.url().replace('127.0.0.1', 'localhost');
    const note = page.getByRole('note').filter({ hasText: 'IP address' });
    await note.getByRole('link', { name: named }).waitFor();
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
  });

  it('the set-up of two-step sign-in can be canceled', async () => {
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(world.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByTestId('totp-secret').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    expect(await page.getByTestId('totp-secret').count()).toBe(0);
  });

  it('UTC is shown as the time zone of the metrics', async () => {
    await page.goto('/app/metrics?zone=UTC');
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('UTC');
  });

  it('every page says that the sandbox keeps all mail, and leads to it', async () => {
    await page.goto('/app/templates');
    await page.getByText('Sandbox: nothing leaves this machine.').waitFor();
    await page.getByRole('link', { name: 'Show captured email' }).click();
    await page.waitForURL('**/app/inbox');
  });

  it('a first step that a program has done is no longer the main action', async () => {
    await page.goto('/app/start');
    const create = page.getByRole('button', { name: 'Create API key' });
    await create.waitFor();
    expect(await create.getAttribute('data-variant')).toBe('filled');
    await post('/emails', { from: testSender, to: 'ada@harbour.test', subject: 'By program', text: 'Hi' });
    await page.locator('button[data-variant="default"]', { hasText: 'Create API key' }).waitFor();
  });

  it('the dialog that sends a broadcast lists what is wrong with it, and asks for a tick', async () => {
    const segment = await post('/segments', { name: 'Readers' });
    const link = '<a href="https://example.com/launch">Go</a> <a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Leave</a>';
    const content = { subject: 'For {{{NAME}}}', html: `<p>Write the first sentence.</p>${link}` };
    const { id } = await post('/broadcasts', { segment_id: segment.id, from: testSender, ...content });
    await page.goto(`/app/broadcasts/${id}`);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const findings = dialog.getByRole('region', { name: 'Findings' });
    await findings.getByText('{{{NAME}}}').waitFor();
    await findings.getByText('A link points to an example site, not yours: example.com').waitFor();
    await findings.getByText('The email has no postal address.').waitFor();
    const send = dialog.getByRole('button', { name: /^Send to/ });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel('Send it anyway').check();
    await until(() => send.isEnabled());
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('an automation is enabled once the findings of its emails are accepted', async () => {
    const html = '<p>Hello {{{NICKNAME}}}</p><a href="https://www.example.org/">Go</a>';
    const variables = [{ key: 'NICKNAME', type: 'string' }];
    const template = await post('/templates', { name: 'Hello', subject: 'Hello', from: testSender, html, variables });
    await post(`/templates/${template.id}/publish`, {});
    const steps = [
      { key: 'Event', type: 'trigger', config: { event_name: 'user.created' } },
      { key: 'Mail', type: 'send_email', config: { template: { id: template.id, variables: { NICKNAME: 'you' } } } },
    ];
    const connections = [{ from: 'Event', to: 'Mail', type: 'default' }];
    const { id } = await post('/automations', { name: 'Welcome', steps, connections });
    await page.goto(`/app/automations/${id}`);
    await page.getByRole('button', { name: 'Enable' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A link points to an example site, not yours: www.example.org').waitFor();
    expect(await dialog.getByText('{{{NICKNAME}}}').count()).toBe(0);
    await dialog.getByLabel('Send it anyway').check();
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Automation enabled').waitFor();
  });

  it('had no error on the console', () => {
    expect(seen.watch.troubles).toEqual([]);
  });
});
