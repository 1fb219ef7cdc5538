import { expect, test } from '@jest/globals';
import { checkRelayUrl, nodemailerAddressFromUrl, relayOptionsFromUrl } from './relay-url.js';

test('a plain relay uses port 25 with opportunistic TLS and without credentials', () => {
  expect(relayOptionsFromUrl('smtp://relay.example.test')).toEqual({
    host: 'relay.example.test',
    port: 25,
    tls: 'opportunistic',
    implicitTls: false,
    credentials: undefined,
  });
});

test('credentials are decoded and change the default port to submission', () => {
  expect(relayOptionsFromUrl('smtp://user%40a.test:p%3Aw@relay.test?tls=required')).toMatchObject({
    port: 587,
    tls: 'required',
    credentials: { username: 'user@a.test', password: 'p:w' },
  });
});

test('smtps means TLS from the first byte, verified unless configured otherwise', () => {
  expect(relayOptionsFromUrl('smtps://[::1]')).toMatchObject({
    host: '::1',
    port: 465,
    tls: 'required',
    implicitTls: true,
  });
  expect(relayOptionsFromUrl('smtps://a.test:1?tls=opportunistic')).toMatchObject({ port: 1, tls: 'opportunistic' });
});

test.each([
  'http://a.test',
  'smtp://',
  'relay',
  'smtp://a.test?tls=maybe',
  'smtps://a.test?tls=none',
  'smtp://%zz:secret@a.test',
])('%s is refused without quoting it', (url) => {
  expect(() => relayOptionsFromUrl(url)).toThrow(RangeError);
  expect(() => relayOptionsFromUrl(url)).not.toThrow(/secret/);
});

test('a module of Nodemailer has its options in the query, and those that are given besides win', () => {
  const url = 'nodemailer:@acme/mailer?host=relay.test&secure=true&key=a?b&port=25';
  expect(nodemailerAddressFromUrl(url, { port: 465 })).toEqual({
    module: '@acme/mailer',
    options: { host: 'relay.test', secure: true, key: 'a?b', port: 465 },
  });
  expect(nodemailerAddressFromUrl('nodemailer:./own.mjs')).toEqual({ module: './own.mjs', options: {} });
  expect(nodemailerAddressFromUrl('smtp://relay.test')).toBeUndefined();
});

test.each(['nodemailer:', 'nodemailer:?a=b', 'nodemailer:data:text/javascript,1', 'nodemailer:a b'])(
  '%s has no module',
  (url) => expect(() => checkRelayUrl(url)).toThrow('has no module'),
);
