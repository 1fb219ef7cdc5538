import { describe, expect, it } from '@jest/globals';
import { classifyReply, endsSessionOnly, namesOnlySender, replyRules, ruleFor } from './classify-reply.js';

function parsed(reply: string): [code: number, enhanced: string | undefined, text: string] {
  const [, code, enhanced, text] = /^(\d{3}) (?:(\d\.\d+\.\d+) )?(.*)$/.exec(reply) as unknown as string[];
  return [Number(code), enhanced, text as string];
}

describe('each rule is the first that matches its example', () => {
  it.each(replyRules.map((rule) => [rule.example, rule] as const))('%s', (example, rule) => {
    expect(ruleFor(...parsed(example))).toBe(rule);
  });
});

describe('replies of real servers', () => {
  it.each([
    ['bad-address', '550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking'],
    ['bad-address', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
    ['bad-address', "554 delivery error: dd This user doesn't have a yahoo.com account"],
    ['bad-address', '550 Unrouteable address: unknown user'],
    ['mailbox-full', '452 4.2.2 The email account that you tried to reach is over quota'],
    ['mailbox-full', '552 5.2.2 The recipient inbox is out of storage space and inactive'],
    ['rate', '450 4.2.1 The user you are trying to contact is receiving mail too quickly'],
    ['rate', '421 4.7.0 [TSS04] Messages temporarily deferred due to unexpected volume'],
    ['rate', '421 4.7.28 Our system has detected an unusual rate of unsolicited mail'],
    [
      'reputation',
      '550 5.7.1 Unfortunately, messages from [192.0.2.1] were not sent. part of their network is on our block list (S3150)',
    ],
    ['reputation', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
    ['policy', '550 5.7.26 This mail is unauthenticated, which poses a security risk'],
    ['policy', '554 5.7.1 <a@b.test>: Relay access denied'],
    ['content', '550 5.7.1 Our system has detected that this message is likely unsolicited mail'],
    ['attachment', '552 5.7.0 This message was blocked because its content presents a potential attachment risk'],
    ['too-large', '552 5.3.4 Message size exceeds fixed maximum message size'],
    ['greylisting', '450 4.2.0 <a@b.test>: Recipient address rejected: Greylisted, see http://postgrey.example'],
    ['our-fault', '550 5.7.25 The IP address sending this message does not have a PTR record setup'],
    ['unknown', '550 Go away'],
  ])('%s: %s', (category, reply) => {
    expect(classifyReply(...parsed(reply)).category).toBe(category);
  });
});

it('a permanent code with a temporary meaning is treated as temporary', () => {
  expect(classifyReply(550, '5.7.1', 'Greylisted').isTemporary).toBe(true);
  expect(classifyReply(554, undefined, 'Too many connections').isTemporary).toBe(true);
  expect(classifyReply(550, '5.1.1', 'No such user').isTemporary).toBe(false);
});

it('a temporary refusal never counts as a bad address', () => {
  expect(classifyReply(450, '4.1.1', 'User unknown in local table')).toEqual({
    category: 'unknown',
    isTemporary: true,
  });
});

it.each([
  [true, '421 4.4.2 Connection timed out'],
  [true, '421 Service not available, closing transmission channel'],
  [true, '421 4.7.0 Connection expired, try reconnecting'],
  [true, '421 Too many messages in this session'],
  [false, '421 4.4.2 Message submission rate for this client has exceeded the configured limit'],
  [false, '421 4.7.0 Try again later, closing connection'],
  [false, '421 Too many connections from your host'],
  [false, '451 4.4.2 Timeout'],
])('%s: that %s ends only the session', (expected, reply) => {
  expect(endsSessionOnly(...parsed(reply))).toBe(expected);
});

it('before a recipient is named, no reply calls a recipient bad', () => {
  const categoryAt = (stage: 'handshake' | 'mail' | 'recipient'): string =>
    classifyReply(550, '5.1.1', 'No such user', stage).category;
  expect([categoryAt('handshake'), categoryAt('mail'), categoryAt('recipient')]).toEqual([
    'unknown',
    'bad-sender',
    'bad-address',
  ]);
  expect(classifyReply(550, '5.1.1', 'host said: No such user (in reply to MAIL FROM command)').category).toBe(
    'bad-sender',
  );
});

it('a reply that names sender and recipient may be about either', () => {
  const names = (text: string): boolean => namesOnlySender(text, 'b@acme.test', ['ann@example.test']);
  expect([names('<B@acme.test> unknown'), names('<ann@example.test> unknown'), names('unknown')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(names('mail from b@acme.test to ann@example.test: unknown')).toBe(false);
  expect(namesOnlySender('unknown', '', [])).toBe(false);
});
