import { expect, it } from '@jest/globals';
import { toleratedCommand } from './tolerated-command.js';

it.each([
  ['MAIL FROM:a@acme.test', 'MAIL FROM:<a@acme.test>'],
  ['mail from: a@acme.test SIZE=100 BODY=8BITMIME', 'mail from:<a@acme.test> SIZE=100 BODY=8BITMIME'],
  ['RCPT TO:b@sink.test', 'RCPT TO:<b@sink.test>'],
  ['EHLO Scanner in the hall', 'EHLO Scanner-in-the-hall'],
  ['HELO my  printer ', 'HELO my-printer'],
])('takes %j for %j', (line, command) => expect(toleratedCommand(line)).toBe(command));

it.each([
  'MAIL FROM:<a@acme.test> SIZE=100',
  'MAIL FROM:<>',
  'MAIL FROM:<a@acme.test',
  'MAIL FROM:a@acme.test>',
  'MAIL FROM:',
  'RCPT TO:<"a b"@sink.test>',
  'EHLO client.test',
  'EHLO ',
  'DATA',
  'AUTH PLAIN AGE=',
])('leaves %j as it is', (line) => expect(toleratedCommand(line)).toBe(line));
