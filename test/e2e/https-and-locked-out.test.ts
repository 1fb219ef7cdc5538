import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Browser } from '../support/clients/browser.js';
import { startProgram, TestProgram, testEnvironment } from '../support/programs/program.js';
import { addUser, testPassword } from '../support/builders/users.js';

let program: TestProgram;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.stop());

it('over https, cookies are for this host alone and never sent in clear', async () => {
  const secure = await startProgram({ PUBLIC_URL: 'https://mail.people.test' }, undefined, program.database);
  try {
    const user = await addUser(program);
    const browser = new Browser(secure.url, 'https://mail.people.test');
    const body = { email: user.email, password: testPassword };
    const response = await browser.request('/auth/sign-in/email', { body });
    expect(response.status).toBe(200);
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-postrider\./);
      expect(cookie).toMatch(/; Secure/i);
      expect(cookie).toMatch(/; Path=\/(?:;|$)/i);
      expect(cookie).not.toMatch(/domain=/i);
    }
    expect((await browser.request('/me')).status).toBe(200);
    // A cookie that plain http could have set is not looked at.
    const planted = { cookie: `postrider.session_token=${user.browser.cookie('postrider.session_token')}` };
    expect(
      (await new Browser(secure.url, 'https://mail.people.test').request('/me', { headers: planted })).status,
    ).toBe(401);
    expect((await new Browser(secure.url).json('/auth/sign-in/email', { body })).status).toBe(403);
  } finally {
    await secure.stop();
  }
});

it('who is locked out gets a new password from the command line, which ends all sessions', async () => {
  const user = await addUser(program);
  const run = (...options: string[]) =>
    promisify(execFile)(process.execPath, ['dist/apps/server/src/main.js', 'user', ...options], {
      env: { PATH: process.env.PATH, ...testEnvironment(program.database, '/nowhere') },
    });
  const { stdout } = await run('reset-password', user.email.toUpperCase(), '--without-second-factor');
  const password = /is (\S+)\n/.exec(stdout)?.[1] ?? '';
  expect((await user.browser.request('/me')).status).toBe(401);
  expect((await user.browser.signIn(user.email, testPassword)).status).toBe(401);
  expect((await user.browser.signIn(user.email, password)).status).toBe(200);
  await expect(run('reset-password', 'nobody@people.test')).rejects.toMatchObject({
    stderr: expect.stringContaining('There is no user'),
  });
  await expect(run()).rejects.toMatchObject({ stderr: expect.stringContaining('Usage') });
});
