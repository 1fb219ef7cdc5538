import { expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { NotFoundError, UnitOfWork } from '#kernel';
import { Quotas } from '#rate-limit';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { failedBecause } from '../domain/withheld-recipient.js';
import { ComposeEmail } from './compose-email.js';
import { OutgoingEmails } from './outgoing-emails.js';
import { RecipientScreening } from './recipient-screening.js';
import { RehearseEmail } from './rehearse-email.use-case.js';

const accepted = {
  email: { id: 'e', teamId: 't', topicId: 'news', mergeValues: null, scheduledAt: new Date(0) },
  body: { html: null, text: 'Hello' },
  recipients: [
    { no: 0, address: 'ada@customer.test' },
    { no: 1, address: 'grace@customer.test' },
  ],
  attachmentContents: [],
} as unknown as AcceptedEmail;

const principal = Principal.ofService('t');
const asked: unknown[] = [];

function rehearsal({ refuses }: { refuses?: Error } = {}): RehearseEmail {
  const compose = {
    fetching: (_: string, work: (fetches: unknown) => Promise<unknown>) => work({}),
    rehearsed: async () => accepted,
  };
  const quotas = {
    refuseNow: async (...counted: unknown[]) => {
      asked.push(counted);
      if (refuses !== undefined) throw refuses;
    },
  };
  const screening = {
    verdicts: async () => (recipient: { address: string }) =>
      recipient.address.startsWith('grace') ? failedBecause('unsubscribed') : undefined,
  };
  const emails = { personal: (outgoing: unknown) => outgoing };
  return new RehearseEmail(
    compose as unknown as ComposeEmail,
    { check: () => undefined },
    quotas as unknown as Quotas,
    screening as unknown as RecipientScreening,
    emails as unknown as OutgoingEmails,
    { run: (work: (transaction: unknown) => Promise<unknown>) => work({}) } as unknown as UnitOfWork,
  );
}

it('composes and screens an email, scheduled mail as well, and asks the quota for all of its recipients', async () => {
  const rehearsed = await rehearsal().rehearse(principal, {}, async (result) => result);
  expect(rehearsed.accepted.recipients.map(({ withheld }) => withheld?.status)).toEqual([undefined, 'failed']);
  expect(rehearsed.outgoing).toMatchObject({ email: accepted.email, body: accepted.body });
  expect(asked).toEqual([[{ teamId: 't', messages: 2 }]]);
});

it('is refused where sending is', async () => {
  const refusal = new NotFoundError('Quota');
  await expect(rehearsal({ refuses: refusal }).rehearse(principal, {}, async () => 1)).rejects.toBe(refusal);
});
