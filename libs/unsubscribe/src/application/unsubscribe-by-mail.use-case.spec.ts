import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { InMemoryConsents } from '../../../../test/support/fakes/in-memory-consents.js';
import { HeaderSubjects } from '../infrastructure/mime/header-subjects.js';
import { SignedUnsubscribeTokens } from '../infrastructure/tokens/signed-unsubscribe-tokens.js';
import { ChangePreferences } from './change-preferences.use-case.js';
import { UnsubscribeByMail } from './unsubscribe-by-mail.use-case.js';

const [teamId, otherTeam] = [newId(), newId()];
const tokens = new SignedUnsubscribeTokens(new SecretBox('ab'.repeat(32)));
const token = tokens.of({ teamId, topicId: null, address: 'ada@sink.test' });
let consents: InMemoryConsents;
let byMail: UnsubscribeByMail;

beforeEach(() => {
  consents = new InMemoryConsents();
  const change = new ChangePreferences(tokens, consents.preferences, consents.changeConsent);
  byMail = new UnsubscribeByMail(tokens, new HeaderSubjects(), change);
});

const to = (team: string) => `${tokens.mailboxOf(team)}@send.acme.test`;
const mail = (subject: string) => Buffer.from(`From: x@y.test\r\nSubject: ${subject}\r\n\r\nunsubscribe ${token}\r\n`);

it('takes mail for its addresses only', () => {
  expect(
    [to(teamId), to(teamId).toUpperCase(), 'unsubscribe@send.acme.test', 'unsubscribe'].map((one) =>
      byMail.accepts(one),
    ),
  ).toEqual([true, true, false, false]);
});

it.each([
  `unsubscribe ${token}`,
  `Re: UNSUBSCRIBE  ${token}`,
  `unsubscribe\r\n ${token}`,
  `=?utf-8?q?unsubscribe_${token.replaceAll('_', '=5F')}?=`,
])('unsubscribes for the subject %s', async (subject) => {
  await byMail.receive(to(teamId), mail(subject));
  expect(consents.changes).toMatchObject([
    { teamId, address: 'ada@sink.test', unsubscribed: true, source: 'one-click' },
  ]);
});

it.each([
  '',
  'unsubscribe',
  `unsubscribe ${token.slice(0, -1)}`,
  `unsubscribe ${token}A`,
  `unsubscribe ${'A'.repeat(90)}`,
])('changes nothing for the subject %s', async (subject) => {
  await byMail.receive(to(teamId), mail(subject));
  expect(consents.changes).toEqual([]);
});

it("changes nothing with another team's link", async () => {
  await byMail.receive(to(otherTeam), mail(`unsubscribe ${token}`));
  expect(consents.changes).toEqual([]);
});
