import { describe, expect, it } from '@jest/globals';
import { NodemailerResult, outcomesOf } from './nodemailer-outcomes.js';

const recipients = ['Ada@a.test', 'bob@b.test'];

function outcomes(result: Partial<NodemailerResult>) {
  return outcomesOf(recipients, { error: null, info: {}, wasRead: true, host: 'module', durationMs: 1, ...result });
}

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

describe('what a transport of Nodemailer says', () => {
  it('is delivered to all who were not rejected', () => {
    const info = {
      rejected: ['bob@B.test'],
      rejectedErrors: [failure({ recipient: 'bob@B.test', responseCode: 550, response: '550 5.1.1 No such user' })],
      response: '250 2.0.0 Queued as 7',
    };
    expect(outcomes({ info })).toEqual([
      {
        kind: 'delivered',
        detail: {
          host: 'module',
          replyCode: 250,
          enhancedCode: '2.0.0',
          replyText: '2.0.0 Queued as 7',
          durationMs: 1,
        },
      },
      expect.objectContaining({ kind: 'bounced', category: 'bad-address' }),
    ]);
  });

  it('is temporary for recipients who were rejected without a reason', () => {
    expect(outcomes({ info: { rejected: [{ address: 'ada@a.test' }] } })).toMatchObject([
      { kind: 'deferred' },
      { kind: 'delivered' },
    ]);
  });

  it.each([
    ['a refused sender', { responseCode: 550, response: '550 5.1.8 Bad sender', command: 'MAIL FROM' }, 'bounced'],
    ['refused content', { responseCode: 554, response: '554 5.7.1 Spam', command: 'DATA' }, 'bounced'],
    ['a code without a command', { responseCode: 552, response: '552 5.3.4 Too large' }, 'bounced'],
    ['a temporary code', { responseCode: 451, response: '451 4.3.0 Later', command: 'DATA' }, 'deferred'],
    [
      'a wrong password',
      { code: 'EAUTH', responseCode: 535, response: '535 5.7.8 No', command: 'AUTH PLAIN' },
      'deferred',
    ],
    [
      'credentials that are asked for',
      { responseCode: 530, response: '530 5.7.0 Log in', command: 'MAIL FROM' },
      'deferred',
    ],
    ['a refused greeting', { responseCode: 554, response: '554 5.7.1 Go away', command: 'CONN' }, 'deferred'],
    ['an error of an API', { statusCode: 400, message: 'Email address is not verified' }, 'deferred'],
  ])('%s', (_, fields, kind) => {
    expect(outcomes({ error: failure(fields), info: undefined }).map((outcome) => outcome.kind)).toEqual([kind, kind]);
  });

  it('is trouble of the site before the content was read, and unknown after it', () => {
    const error = failure({ code: 'ECONNECTION' });
    expect(outcomes({ error, wasRead: false })).toMatchObject([{ isSiteTrouble: true, outcomeUnknown: false }, {}]);
    expect(outcomes({ error, wasRead: true })).toMatchObject([{ isSiteTrouble: false, outcomeUnknown: true }, {}]);
  });

  it.each([['text'], [undefined], [7], [{ response: 7, responseCode: '550', rejectedErrors: 'x', code: {} }]])(
    'may be anything, such as %j',
    (error) => {
      expect(outcomes({ error: error ?? new Error('') })).toMatchObject([{ kind: 'deferred' }, { kind: 'deferred' }]);
      expect(outcomes({ info: error })).toMatchObject([{ kind: 'delivered' }, { kind: 'delivered' }]);
    },
  );
});
