import { expect, it } from '@jest/globals';
import { MarkContacts } from '#audience';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { MarkAudience, RefusalEvent } from './mark-audience.use-case.js';
import { RefusedRecipient, RefusedRecipients } from './ports/reports.port.js';

it('only a bad address and a complaint mark a contact', async () => {
  const audience = new InMemoryAudience();
  const emails = { bad: newId(), full: newId(), spam: newId(), gone: newId() };
  const recipients: RefusedRecipient[] = [
    { emailId: emails.bad, recipientNo: 1, teamId: audience.teamId, address: 'Bad@x.test' },
    { emailId: emails.full, recipientNo: 1, teamId: audience.teamId, address: 'full@x.test' },
    { emailId: emails.spam, recipientNo: 2, teamId: audience.teamId, address: 'spam@x.test' },
  ];
  class KnownRecipients extends RefusedRecipients {
    async of(): Promise<readonly RefusedRecipient[]> {
      return recipients;
    }
  }
  for (const email of ['bad@x.test', 'full@x.test', 'spam@x.test']) await audience.add(email);
  const at = new Date(1_000);
  const event = (emailId: string, recipientNo: number | null, type: string, data: unknown = null): RefusalEvent => ({
    emailId,
    recipientNo,
    type,
    data,
    createdAt: at,
  });
  const noEmail = { bounce: { type: 'Permanent', subType: 'NoEmail' } };
  const mark = new MarkAudience(
    new KnownRecipients(),
    new MarkContacts(audience.contacts, audience.recorder, audience.clock),
  );
  await new InMemoryUnitOfWork().run((transaction) =>
    mark.mark(
      [
        event(emails.bad, 1, 'email.bounced', noEmail),
        event(emails.full, 1, 'email.bounced', { bounce: { type: 'Transient', subType: 'MailboxFull' } }),
        event(emails.spam, 2, 'email.complained'),
        event(emails.gone, 1, 'email.complained'),
        event(emails.spam, null, 'email.bounced', noEmail),
      ],
      transaction,
    ),
  );
  const marks = async (email: string) => {
    const contact = await audience.contacts.find(audience.teamId, { email });
    return [contact?.bouncedAt, contact?.complainedAt];
  };
  expect(await marks('bad@x.test')).toEqual([at, null]);
  expect(await marks('full@x.test')).toEqual([null, null]);
  expect(await marks('spam@x.test')).toEqual([null, at]);
});
