import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';
import { stretched } from '../../support/runner/stretched.js';

const own = 'someone@attacker.test';
const envelope = ['MAIL FROM:<someone@attacker.test>', 'RCPT TO:<reader@good.test>'];

let hostile: HostileProgram;
let client: SmtpDialogue;

beforeAll(async () => {
  hostile = await startHostileProgram({ SMTP_LISTEN: '127.0.0.1:0+tls' });
  client = await SmtpDialogue.loggedIn(hostile.program.smtpPorts[0] as number, hostile.attackerKey);
});

afterAll(async () => {
  client.drop();
  await hostile.stop();
});

/** The reply to a message with this header. */
async function submit(header: string): Promise<string> {
  for (const command of envelope) await client.ask(command);
  await client.ask('DATA');
  client.send(`${header}\r\n\r\nBody\r\n.\r\n`);
  return client.reply();
}

it.each([
  ['a From of 250 KB', `From: ${'b,'.repeat(125_000)}`, /^550 5\.6\.0/],
  ['a To of 250 KB', `From: ${own}\r\nTo: ${'b,'.repeat(125_000)}`, /^250 /],
  ['many To fields', `From: ${own}\r\n${`To: ${'b,'.repeat(500)}\r\n`.repeat(240)}Subject: x`, /^250 /],
  ['a subject of encoded words', `From: ${own}\r\nSubject: ${'=?utf-8?q?a?= '.repeat(17_000)}`, /^250 /],
  ['fields without a colon', `From: ${own}${'\r\na'.repeat(9_000)}`, /^250 /],
  ['more lines than a header has', `From: ${own}${'\r\na'.repeat(12_000)}`, /^552 5\.3\.4/],
  ['brackets and quotes', `From: ${'<("'.repeat(80_000)}`, /^550 5\.6\.0/],
])('a header with %s delays nobody', async (_, header, reply) => {
  const { result, slowestRequestMs, slowestDeliveryMs, failures } = await hostile.during(() => submit(header));
  expect(result).toMatch(reply);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(stretched(1_000));
  expect(slowestDeliveryMs).toBeLessThan(stretched(1_000));
});

it.each([
  `<${own}> <ceo@bank.test>`,
  `${own}\r\n ceo@bank.test`,
  `ceo@bank.test <${own}>,`,
  `ceo@bank.test\0<${own}>`,
  `ceo@bank.test <${own}>`,
  `Team: ${own}, ceo@bank.test;`,
  `${own} (ceo@bank.test)`,
  `<@bank.test:${own}>`,
  `${own}\r\nFROM : ceo@bank.test`,
  `"ceo@bank.test\0" <${own}>`,
])('a From that may show a reader another sender is refused: %j', async (from) => {
  expect(await submit(`From: ${from}`)).toMatch(/^550 5\.6\.0/);
});

it.each([
  own,
  `J. R. Smith <${own}>`,
  `"ceo@bank.test" <${own}>`,
  `=?utf-8?q?J=C3=BCrgen?=\r\n\t=?utf-8?q?_M=C3=BCller?=\r\n <${own}>`,
  Buffer.from(`Jürgen <${own}>`).toString('latin1'),
  `${own} (Jane)`,
])('a From that ordinary clients write is accepted: %j', async (from) => {
  expect(await submit(`From: ${from}`)).toMatch(/^250 /);
});

it('a control character in any field is refused', async () => {
  expect(await submit(`From: ${own}\r\nSubject: a\0b`)).toMatch(/^550 5\.6\.0/);
  expect(await submit(`From: ${own}\r\nX-Anything: a\x07b`)).toMatch(/^550 5\.6\.0/);
});
