import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { BrowserTool } from '../support/clients/browser-tool.js';
import { noChromium, startChromium, visit } from '../support/clients/chromium.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { describeUnless } from '../support/runner/unless.js';
import { addMember, firstTeam, TestUser, testPassword } from '../support/builders/users.js';

describeUnless(noChromium)('a tool that signs in through a browser', () => {
  let program: TestProgram;
  let browser: Browser;
  let user: TestUser;
  let page: Page;

  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), startChromium()]);
    user = await addMember(program, await firstTeam(program), 'developer');
    ({ page } = await visit(browser, program.url));
  });

  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  const read = (token: string, path: string): Promise<Response> =>
    program.request(path, { headers: { authorization: `Bearer ${token}` } });

  it('gets its token once the user has signed in and allowed it', async () => {
    const tool = await BrowserTool.start(program.url);
    await page.goto(await tool.begin());
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back in the tool' }).waitFor();
    expect((await read(await tool.finish(), '/domains')).status).toBe(200);
    await tool.close();
  });

  it('is told where the user denies it', async () => {
    const tool = await BrowserTool.start(program.url);
    await page.goto(await tool.begin());
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Back in the tool' }).waitFor();
    await expect(tool.finish()).rejects.toThrow('access_denied');
    await tool.close();
  });

  it.each(['localhost', '[::1]'])('may wait on %s', async (host) => {
    const tool = await BrowserTool.start(program.url, host);
    await page.goto(await tool.begin());
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back in the tool' }).waitFor();
    expect((await read(await tool.finish(), '/domains')).status).toBe(200);
    await tool.close();
  });
});
