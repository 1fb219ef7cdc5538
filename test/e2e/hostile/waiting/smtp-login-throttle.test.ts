import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';
import { testApiKey } from '../../../support/programs/program.js';
import { binaryProxyHeader } from '../../../support/builders/proxy-headers.js';
import { SmtpDialogue } from '../../../support/clients/smtp-dialogue.js';
import { stretched } from '../../../support/runner/stretched.js';

const guesses = 60;
const stranger = '192.0.2.66';

let hostile: HostileProgram;
beforeAll(async () => {
  hostile = await startHostileProgram({
    SMTP_LISTEN: '127.0.0.1:0+tls',
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_PROXY_PROTOCOL: 'true',
  });
});
afterAll(() => hostile.stop());

async function open(address: string): Promise<SmtpDialogue> {
  const client = await SmtpDialogue.proxied(hostile.program.smtpPorts[0] ?? 0, binaryProxyHeader(address, 1), true);
  await client.ask('EHLO client.test');
  return client;
}

/** The reply, and how long it took in ms. */
async function logIn(address: string, apiKey: string): Promise<{ reply: string; ms: number }> {
  const client = await open(address);
  const started = performance.now();
  const reply = await client.logIn(apiKey);
  client.drop();
  return { reply, ms: performance.now() - started };
}

it('clients that guess keys lock nobody out, not even on their own address', async () => {
  const guess = (_: unknown, index: number) => logIn(stranger, `re_guess_${index}_0123456789abcdef`);
  const calm = await hostile.during(async () => {
    const guessed = Promise.all(Array.from({ length: guesses }, guess));
    const honest = [];
    for (const address of ['198.51.100.7', stranger, '198.51.100.8', stranger]) {
      honest.push(await logIn(address, testApiKey));
    }
    return { guessed: await guessed, honest, late: await logIn(stranger, testApiKey) };
  });

  const { guessed, honest, late } = calm.result;
  for (const { reply, ms } of [...honest, late]) {
    expect(reply).toMatch(/^235/);
    expect(ms).toBeLessThan(stretched(1_000));
  }
  for (const { reply } of guessed) expect(reply).toMatch(/^(?:535 5\.7\.8|421 4\.7\.0 Too many failed logins)/);
  expect(guessed.filter(({ reply }) => reply.startsWith('421')).length).toBeGreaterThan(guesses / 3);
  expect(Math.max(...guessed.map(({ ms }) => ms))).toBeGreaterThan(5_000);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
});
