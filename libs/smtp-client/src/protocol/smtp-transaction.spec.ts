import { describe, expect, test } from '@jest/globals';
import { outcomeFromFailure, outcomeFromReply } from './smtp-transaction.js';
import { SmtpFailure } from './smtp-failure.js';
import type { SmtpPhase } from './smtp-options.js';
import { SmtpReply } from './smtp-reply-parser.js';

const connection = { host: 'mx.example.test', address: '127.0.0.1:25' };

const kindOf = (phase: SmtpPhase, code: number, enhancedCode?: string): string =>
  outcomeFromReply(phase, new SmtpReply(code, enhancedCode, ['text']), connection, 1).kind;

describe('outcomeFromReply', () => {
  test('a positive reply to the final dot means delivered', () => {
    expect(kindOf('dataTermination', 250)).toBe('delivered');
  });

  test.each(['mail', 'rcpt', 'dataInitiation', 'dataTermination'] as const)(
    'in %s a 5yz reply is final and a 4yz reply is not',
    (phase) => {
      expect(kindOf(phase, 550)).toBe('bounced');
      expect(kindOf(phase, 450)).toBe('deferred');
    },
  );

  test.each(['banner', 'ehlo', 'starttls', 'auth'] as const)('in %s no reply is final', (phase) => {
    expect(kindOf(phase, 554)).toBe('deferred');
    expect(kindOf(phase, 421)).toBe('deferred');
  });

  test.each([530, 534, 535, 538])('%d concerns our credentials, not the recipient', (code) => {
    expect(kindOf('mail', code)).toBe('deferred');
    expect(kindOf('rcpt', code)).toBe('deferred');
  });

  test('too many recipients is temporary even with a 5yz code', () => {
    expect(kindOf('rcpt', 552, '5.5.3')).toBe('deferred');
  });

  test('the decisive reply is in the detail and in the reason', () => {
    expect(outcomeFromReply('rcpt', new SmtpReply(550, '5.1.1', ['No', 'such user']), connection, 7)).toEqual({
      kind: 'bounced',
      reason: 'mx.example.test said: 550 5.1.1 No such user (while sending RCPT TO)',
      category: 'bad-address',
      detail: {
        ...connection,
        tls: undefined,
        replyCode: 550,
        enhancedCode: '5.1.1',
        replyText: 'No such user',
        durationMs: 7,
      },
    });
  });

  test('a reply text is cut to 1 KB', () => {
    const outcome = outcomeFromReply('rcpt', new SmtpReply(550, undefined, ['x'.repeat(2_000)]), connection, 1);

    expect(outcome.detail.replyText).toHaveLength(1_024);
  });
});

describe('outcomeFromFailure', () => {
  test('a failure without a reply reports whether the outcome is known', () => {
    const failure = new SmtpFailure('timeout', 'dataTermination', 'mx.example.test: timed out');

    expect(outcomeFromFailure(failure, true, connection, 1)).toMatchObject({ kind: 'deferred', outcomeUnknown: true });
  });

  test('a failure with a reply has a known outcome', () => {
    const failure = new SmtpFailure('refused', 'dataTermination', '', new SmtpReply(421, '4.3.2', ['Shutting down']));

    expect(outcomeFromFailure(failure, true, connection, 1)).toMatchObject({
      kind: 'deferred',
      outcomeUnknown: false,
      detail: { replyCode: 421, enhancedCode: '4.3.2' },
    });
  });
});
