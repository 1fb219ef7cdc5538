import { beforeEach, expect, it } from '@jest/globals';
import { InMemorySending, sendingDomain } from '../../../../test/support/fakes/in-memory-sending.js';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { SendInTransaction } from './send-in-transaction.use-case.js';

let sending: InMemorySending;
let sendInTransaction: SendInTransaction;

beforeEach(() => {
  sending = new InMemorySending();
  const { composeEmail, screening, acceptEmails, room, depth } = sending;
  sendInTransaction = new SendInTransaction(composeEmail, screening, acceptEmails, room, depth);
});

const request = { from: `Acme <news@${sendingDomain}>`, to: 'ada@sink.test', subject: 'Hi', text: 'Hello' };
const actor = { kind: 'user', id: '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d' } as const;

async function accept(addresses: readonly string[], fails = false): Promise<readonly string[]> {
  const emails: AcceptedEmail[] = [];
  for (const to of addresses)
    emails.push(await sendInTransaction.compose(sending.teamId, actor, { ...request, to }, 0));
  const announce = await sending.unitOfWork.runPipelined(async (transaction) => {
    const last = await sendInTransaction.accept(emails, transaction);
    if (fails) throw new Error('No');
    return last;
  });
  announce();
  return emails.map(({ email }) => email.id);
}

it('an email is accepted with the transaction of the caller, in the name of the actor', async () => {
  const [id = ''] = await accept(['ada@sink.test']);
  expect(await sending.repository.find(id)).toMatchObject({ to: ['ada@sink.test'], actor });
  expect(sending.queue.enqueued.map(({ emailId }) => emailId)).toEqual([id]);
});

it('the content is stored before the transaction if the store cannot join it', async () => {
  const { email } = await sendInTransaction.compose(sending.teamId, actor, request, 0);
  expect([...(await sending.store.get([email.id])).keys()]).toEqual([email.id]);
});

it('nothing is accepted if the transaction fails', async () => {
  await expect(accept(['ada@sink.test'], true)).rejects.toThrow('No');
  expect(sending.queue.enqueued).toEqual([]);
});

it('an email to a suppressed address is there, and goes nowhere', async () => {
  sending.suppressed.set('eve@sink.test', 'complaint');
  const [id = ''] = await accept(['eve@sink.test']);
  expect((await sending.repository.find(id))?.lastEvent).toBe('suppressed');
  expect(sending.queue.enqueued).toEqual([]);
});

it('no emails are no statements', async () => {
  expect(await accept([])).toEqual([]);
});

it('refuses what the API refuses', async () => {
  await expect(
    sendInTransaction.compose(sending.teamId, actor, { ...request, from: 'x@elsewhere.test' }, 0),
  ).rejects.toThrow('elsewhere.test');
});
