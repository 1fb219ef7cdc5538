import { beforeEach, expect, it } from '@jest/globals';
import { ValidationError } from '#kernel';
import { anIdempotentRequest, aRequest, InMemorySending } from '../../../../test/support/in-memory-sending.js';
import { BatchItem } from '../domain/batch.js';
import { SendBatch } from './send-batch.use-case.js';

let sending: InMemorySending;
let sendBatch: SendBatch;

beforeEach(() => {
  sending = new InMemorySending();
  sendBatch = new SendBatch(sending.composeEmail, sending.linkedAttachments, sending.acceptOnce);
});

const batch = (permissive: boolean, ...items: BatchItem[]) => ({ permissive, items });
const fault = new ValidationError('not an email');

it('the response to a batch has the order of its items', async () => {
  const items = ['a', 'b', 'c'].map((subject) => aRequest({ subject }));
  const { data } = await sendBatch.execute(sending.principal, batch(false, ...items));
  const emails = await Promise.all(data.map(({ id }) => sending.repository.find(id)));
  expect(emails.map((email) => email?.subject)).toEqual(['a', 'b', 'c']);
});

it('a strict batch is refused as a whole because of its first fault', async () => {
  const items = [aRequest({}), fault, aRequest({ to: 'x' })];
  await expect(sendBatch.execute(sending.principal, batch(false, ...items))).rejects.toBe(fault);
  expect(sending.emails.byId.size).toBe(0);
});

it('a permissive batch accepts the valid emails and lists the faults', async () => {
  const { data, errors } = await sendBatch.execute(sending.principal, batch(true, aRequest({}), fault, aRequest({})));
  expect(data).toHaveLength(2);
  expect(errors).toEqual([{ index: 1, message: 'not an email' }]);
});

it('a repetition gets the first response', async () => {
  const send = () =>
    sendBatch.execute(sending.principal, batch(true, aRequest({}), fault), anIdempotentRequest(sending.teamId));
  expect(await send()).toEqual(await send());
  expect(sending.emails.byId.size).toBe(1);
});
