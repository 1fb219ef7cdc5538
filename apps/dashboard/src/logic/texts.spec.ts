import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { codeSamples } from './code-samples.js';
import { EventLines } from './event-lines.js';
import { KeySequence } from './key-sequence.js';
import { addressOf, domainOf, nameOf, receiverOf } from './mail-hosts.js';
import { matching } from './matching.js';
import { duration, parseTime, relativeTime } from './moments.js';
import { safeNext } from './safe-next.js';
import { parseSearch, stringifySearch } from './search.js';
import { deviceOf } from './user-agent.js';

it('times of the API are read in both of their forms', () => {
  expect(parseTime('2026-11-30 20:39:59.54+00').toISOString()).toBe('2026-11-30T20:39:59.540Z');
  expect(parseTime('2026-11-30T20:39:59.540Z').toISOString()).toBe('2026-11-30T20:39:59.540Z');
});

it('times are relative for a week, and lengths have two units', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  expect(relativeTime(new Date(now - 12_000), now, 'en')).toBe('12 seconds ago');
  expect(relativeTime(new Date(now + 2_000), now, 'en')).toBe('now');
  expect(relativeTime(new Date(now + 300_000), now, 'en')).toBe('in 5 minutes');
  expect(relativeTime(new Date(now - 30 * 86_400_000), now, 'en')).toBe('Oct 31');
  expect(duration(315, 'en')).toBe('315 ms');
  expect(duration(1_240, 'en')).toBe('1.2 sec');
  expect(duration(252_000, 'en')).toBe('4 min 12 sec');
  expect(duration(90_000_000, 'en')).toBe('1 day 1 hr');
});

it('the parts of a mailbox, and the name of who receives its mail', () => {
  expect([
    nameOf('"Ada L." <ada@example.org>'),
    addressOf('Ada <ada@example.org>'),
    domainOf('Ada <a@b.test>'),
  ]).toEqual(['Ada L.', 'ada@example.org', 'b.test']);
  expect(receiverOf('ada@acme.test', 'acme-test.mail.protection.outlook.com')).toBe('Outlook');
  expect(receiverOf('ada@acme.test', 'mx.google.com.evil.test')).toBe('acme.test');
  expect(receiverOf('ada@acme.test', null)).toBe('acme.test');
});

it('a sign-in leads only to pages of the dashboard', () => {
  expect(safeNext('/app/emails/1?status=bounced')).toBe('/app/emails/1?status=bounced');
  const elsewhere = [
    'https://evil.test/',
    '//evil.test',
    '/app/\\evil.test',
    '/app/../x\n',
    'javascript:1',
    '/app/sign-in',
  ];
  for (const next of [undefined, ...elsewhere]) expect(safeNext(next)).toBe('/app/emails');
});

it('the query string is plain text', () => {
  expect(stringifySearch({ status: 'bounced', to: 'ada@example.org', none: undefined, empty: '' })).toBe(
    '?status=bounced&to=ada%40example.org',
  );
  expect(parseSearch('?status=bounced&n=1')).toEqual({ status: 'bounced', n: '1' });
});

it('keys are named with what is held, and sequences are followed for a second', () => {
  const key = (name: string, held = {}) => ({
    key: name,
    metaKey: false,
    ctrlKey: false,
    altKey: false,
    shiftKey: false,
    ...held,
  });
  const keys = new KeySequence();
  expect(keys.press(key('k', { ctrlKey: true }), 0)).toEqual(['mod+k']);
  keys.forget();
  expect(keys.press(key('g'), 0)).toEqual(['g']);
  expect(keys.press(key('e'), 900)).toEqual(['g e', 'e']);
  expect(keys.press(key('g'), 2_000)).toEqual(['g']);
  expect(keys.press(key('e'), 4_000)).toEqual(['e']);
  expect(keys.press(key('ArrowDown', { shiftKey: true }), 9_000)).toEqual(['shift+ArrowDown']);
});

it('what is typed finds words by their beginnings', () => {
  expect(matching('Go to Emails', 'em go')).toBe(true);
  expect(matching('Go to Emails', 'domains')).toBe(false);
});

it('a stream of events is read in whatever pieces it comes', () => {
  const text =
    ': here\n\nevent: emails\nid: 1\ndata: {"a":\ndata: 1}\n\ndata: nonsense\n\nevent: ready\r\ndata: {}\r\n\r\n';
  for (const size of [1, 3, 7, 1_000]) {
    const lines = new EventLines();
    const events = (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).flatMap((piece) => lines.push(piece));
    expect(events).toEqual([
      { type: 'emails', data: { a: 1 } },
      { type: 'ready', data: {} },
    ]);
  }
});

it('devices are named as people know them', () => {
  expect(deviceOf('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0')).toBe('Firefox, Linux');
  expect(deviceOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604')).toBe(
    'Safari, iOS',
  );
  expect(deviceOf('curl/8')).toBe('curl/8');
});

describe('code to copy', () => {
  const email = {
    from: `Ann "O'Hara" <a@b.test>`,
    to: 'a@b.test',
    subject: 'It’s $here \\ now',
    html: '<p>Hi</p>',
  };
  const samples = new Map(
    codeSamples({ method: 'POST', path: '/emails', body: email }, 'http://127.0.0.1:3000', 're_x').map(
      ({ id, code }) => [id, code],
    ),
  );

  it('comes in eight languages', () => {
    expect([...samples.keys()]).toEqual(['curl', 'node', 'python', 'go', 'ruby', 'php', 'java', 'csharp']);
  });

  it('says the same in the shell whatever the texts are', () => {
    const command = (samples.get('curl') as string).replace(/^curl /, `printf '%s\\n' `);
    const lines = execFileSync('sh', ['-c', command]).toString();
    expect(JSON.parse(lines.slice(lines.indexOf('{')))).toEqual(email);
  });

  it('is JavaScript that sends the same', () => {
    const body = /JSON\.stringify\(([^]+)\),\n\}\);/.exec(samples.get('node') as string)?.[1] ?? '';
    expect(JSON.parse(body)).toMatchObject({ from: email.from, subject: email.subject });
  });
});
