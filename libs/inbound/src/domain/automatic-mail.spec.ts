import { expect, it } from '@jest/globals';
import { automaticBy, automaticReason, isOfProgram } from './automatic-mail.js';

const says = (field: string): boolean => {
  const colon = field.indexOf(':');
  return automaticBy(field.slice(0, colon).toLowerCase(), field, colon + 1);
};

it.each([
  'Auto-Submitted: auto-generated',
  'Auto-Submitted: (a (comment) auto-notified; by=x',
  'Auto-Submitted: nonsense',
  'Content-Type: multipart/report; report-type=delivery-status',
  'Content-Type: Multipart/Report; report-type=disposition-notification',
  'Precedence: junk',
  'Precedence:\r\n auto_reply',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  'X-Autorespond: I am away',
  'X-Auto-Response-Suppress: All',
])('%s is mail of a program', (field) => {
  expect(says(field)).toBe(true);
});

it.each([
  'Auto-Submitted: no',
  'Auto-Submitted: (said a person) No; x=y',
  'Auto-Submitted:',
  'Auto-Submitted: (',
  'Content-Type: multipart/mixed; boundary="multipart/report"',
  'Precedence: first-class',
  'X-Auto-Response-Suppress: DR, RN, NRN',
  'Subject: List-Id: x',
])('%s is no mail of a program', (field) => {
  expect(says(field)).toBe(false);
});

it('an address shows that it is that of a program or a list', () => {
  const programs = [
    'No-Reply@a.test',
    'MAILER-DAEMON@a.test',
    'noreply+7@a.test',
    'owner-x@a.test',
    'x-request@a.test',
  ];
  expect(programs.filter((address) => !isOfProgram(address))).toEqual([]);
  const people = ['ada@a.test', 'reply@a.test', 'bouncer@a.test', 'request@a.test', 'owner@a.test', ''];
  expect(people.filter(isOfProgram)).toEqual([]);
  expect([automaticReason('list-id', '', ''), automaticReason(null, '', 'a@b.test')]).toEqual([
    'list-id',
    'null-sender',
  ]);
  expect(automaticReason(null, 'a@b.test', 'a@b.test')).toBeNull();
});
