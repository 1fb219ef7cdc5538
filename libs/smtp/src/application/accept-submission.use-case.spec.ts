import { beforeEach, expect, it } from '@jest/globals';
import { AcceptEmails, RawSendRequest } from '#emails';
import { AuthenticateApiKey, Principal } from '#identity';
import { InProcessRateLimiter } from '#rate-limit';
import { InMemoryIdentity } from '../../../../test/support/fakes/in-memory-identity.js';

import { AcceptSubmission } from './accept-submission.use-case.js';

const apiKey = 're_known';
let identity: InMemoryIdentity;
let isFull: boolean;
let submitted: [Principal, RawSendRequest][];
let submission: AcceptSubmission;

beforeEach(async () => {
  identity = new InMemoryIdentity();
  isFull = false;
  submitted = [];
  const acceptEmails = {
    submit: async (principal: Principal, message: RawSendRequest) => {
      submitted.push([principal, message]);
      return { id: 'id' };
    },
  } as unknown as AcceptEmails;
  const room = {
    check: () => {
      if (isFull) throw new Error('no room');
    },
  };
  const { apiKeys, use, clock } = identity;
  submission = new AcceptSubmission(
    new AuthenticateApiKey(apiKeys, use, clock),
    acceptEmails,
    new InProcessRateLimiter(2, clock),
    room,
  );
  await identity.add(apiKey);
});

it('whoever holds a key is logged in, and nobody else', async () => {
  expect((await submission.logIn(apiKey, '192.0.2.1')).teamId).toBe(identity.teamId);
  await expect(submission.logIn('re_unknown', '192.0.2.1')).rejects.toThrow('API key is invalid');
});

it('a key that was deleted begins no message, however long its session has lasted', async () => {
  const { id } = await identity.add('re_deleted');
  await submission.logIn('re_deleted', '192.0.2.1');
  await identity.apiKeys.delete(identity.teamId, id);
  await expect(submission.begin('re_deleted', '192.0.2.1')).rejects.toThrow('API key is invalid');
});

it('messages beyond the rate of the team are refused before they are sent', async () => {
  await submission.begin(apiKey, '192.0.2.1');
  await submission.begin(apiKey, '192.0.2.1');
  await expect(submission.begin(apiKey, '192.0.2.1')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  identity.clock.advance(1_000);
  await submission.begin(apiKey, '192.0.2.1');
});

it('where there is no room a message is refused before it is sent, and takes nothing of the rate', async () => {
  isFull = true;
  for (let n = 0; n < 3; n++) await expect(submission.begin(apiKey, '192.0.2.1')).rejects.toThrow('no room');
  isFull = false;
  await submission.begin(apiKey, '192.0.2.1');
});

it('a message is accepted like one over HTTP, for who is logged in', async () => {
  const principal = await submission.begin(apiKey, '192.0.2.1');
  const message = { recipients: ['ada@sink.test'] } as unknown as RawSendRequest;
  expect(await submission.accept(principal, message)).toEqual({ id: 'id' });
  expect(submitted).toEqual([[principal, message]]);
});
