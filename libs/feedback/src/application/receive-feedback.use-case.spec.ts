import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ReturnPathOwner, ReturnPaths } from '#delivery';
import { ServiceNames } from '#domains';
import { OutgoingEmails } from '#emails';
import { Suppressions, NewSuppression } from '#suppressions';
import { UnsubscribeByMail } from '#unsubscribe';
import { aRequest, InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { MailReport } from '../domain/mail-report.js';
import { FeedbackAddresses, ReceiveFeedback } from './receive-feedback.use-case.js';
import { MailReportReader, Reports } from './ports/reports.port.js';
import { ApplyReport } from './apply-report.js';

const feedbackAddress = 'fbl@mail.service.test';
const reporter = 'mx.sink.test';
const complaint: MailReport = { kind: 'feedback', reporter, feedbackType: 'abuse' };
const failure = (status: string, diagnostic: string, address = 'ada@sink.test'): MailReport => ({
  kind: 'delivery',
  reporter,
  recipients: [{ addresses: [address], action: 'failed', status, replyCode: undefined, diagnostic }],
});
const unknownUser = failure('5.1.1', '550 5.1.1 User unknown');
const pathOf = ({ emailId, recipientNo }: ReturnPathOwner) => `${emailId}/${recipientNo}@send.acme.test`;

let sending: InMemorySending;
let suppressed: NewSuppression[];
let left: string[];
let reported: unknown[];
let isNew: boolean;
let report: MailReport;
let returnPaths: string[];
let feedback: ReceiveFeedback;

beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'],
  });
  sending = new InMemorySending();
  suppressed = [];
  left = [];
  reported = [];
  isNew = true;
  returnPaths = [];
  const paths = {
    ownerOf: (address) => {
      const [, emailId, no] = /^([0-9a-f-]{36})\/(\d+)@/.exec(address) ?? [];
      return emailId === undefined ? undefined : { emailId, recipientNo: Number(no) };
    },
  } as ReturnPaths;
  const names = { regions: ['r'], hostsOf: () => ({ host: 'mail.service.test' }) } as unknown as ServiceNames;
  const reader = {
    read: async (_content, _owner, maxPaths) => ({ report, returnPaths: returnPaths.slice(0, maxPaths) }),
  } satisfies MailReportReader;
  const reports: Reports = {
    add: async (_owner, entry) => {
      if (isNew) reported.push(entry.effect);
      return isNew;
    },
  };
  feedback = new ReceiveFeedback(
    paths,
    new FeedbackAddresses(names),
    reader,
    new ApplyReport(
      sending.unitOfWork,
      reports,
      new OutgoingEmails(sending.repository),
      { add: async (all: readonly NewSuppression[]) => void suppressed.push(...all) } as unknown as Suppressions,
      sending.clock,
    ),
    {
      accepts: (recipient: string) => recipient.startsWith('unsubscribe+'),
      receive: async (recipient: string) => void left.push(recipient),
    } as unknown as UnsubscribeByMail,
  );
});
afterEach(() => void jest.useRealTimers());

async function send(): Promise<string> {
  const accepted = sending.acceptEmails.send(sending.principal, aRequest({}));
  // Requests gather for some milliseconds.
  await jest.advanceTimersByTimeAsync(10);
  return (await accepted).id;
}

async function delivered(): Promise<string> {
  const emailId = await send();
  await deliver(emailId);
  return emailId;
}

function deliver(emailId: string): Promise<void> {
  const change = { status: 'delivered', event: 'email.delivered', data: null } as const;
  return sending.repository.recordChanges([{ emailId, recipientNo: 0, ...change, at: sending.clock.now() }]);
}

async function receive(what: MailReport, ...recipients: string[]): Promise<void> {
  report = what;
  await feedback.receive({ clientNetwork: '192.0.2.0/24', mailFrom: '', recipients, content: Buffer.alloc(0) });
}

const lastEvent = async (id: string) => (await sending.repository.find(id))?.lastEvent;
const toOwner = (emailId: string) => pathOf({ emailId, recipientNo: 0 });

it('hands mail of people who unsubscribe on, and reads a report for the other recipients', async () => {
  const id = await delivered();
  await receive(complaint, 'unsubscribe+x@send.acme.test', toOwner(id));
  expect([left, await lastEvent(id)]).toEqual([['unsubscribe+x@send.acme.test'], 'complained']);
  await receive(complaint, 'unsubscribe+x@send.acme.test');
  expect(left).toHaveLength(2);
});

it('takes mail for return paths and feedback addresses, and no other', () => {
  const accepted = [toOwner(sending.teamId), 'FBL@mail.service.test', 'ada@acme.test'].map((address) =>
    feedback.accepts(address),
  );
  expect(accepted).toEqual([true, true, false]);
});

it('an address that does not exist bounces its email and is suppressed', async () => {
  const id = await delivered();
  await receive(unknownUser, toOwner(id));
  expect([await lastEvent(id), reported]).toEqual(['bounced', ['bounced']]);
  expect(suppressed).toEqual([{ teamId: sending.teamId, email: 'ada@sink.test', origin: 'bounce', sourceId: id }]);
});

it('a bounce for another reason suppresses nobody', async () => {
  const id = await delivered();
  await receive(failure('5.2.2', '552 5.2.2 Mailbox full'), toOwner(id));
  expect([await lastEvent(id), suppressed]).toEqual(['bounced', []]);
});

it('a complaint is recorded and suppresses the address', async () => {
  const id = await delivered();
  await receive(complaint, toOwner(id));
  expect(await lastEvent(id)).toBe('complained');
  expect(suppressed).toMatchObject([{ origin: 'complaint', sourceId: id }]);
});

it('at a feedback address the reported message tells whose mail it is', async () => {
  const id = await delivered();
  returnPaths = [toOwner(id)];
  await receive(unknownUser, feedbackAddress);
  expect(await lastEvent(id)).toBe('delivered');
  await receive(complaint, feedbackAddress);
  expect(await lastEvent(id)).toBe('complained');
});

it('the same report again changes nothing', async () => {
  const id = await delivered();
  isNew = false;
  await receive(unknownUser, toOwner(id));
  expect([await lastEvent(id), suppressed]).toEqual(['delivered', []]);
});

it('what says nothing, and what is about an unknown email, changes nothing', async () => {
  const id = await delivered();
  await receive({ kind: 'unknown', reporter }, toOwner(id));
  await receive(unknownUser, toOwner(sending.teamId));
  expect([await lastEvent(id), reported, suppressed]).toEqual(['delivered', ['none'], []]);
});

it('a report that comes before the delivery is written down waits for it', async () => {
  const id = await send();
  const receiving = receive(unknownUser, toOwner(id));
  await jest.advanceTimersByTimeAsync(300);
  await deliver(id);
  await jest.advanceTimersByTimeAsync(300);
  await receiving;
  expect(await lastEvent(id)).toBe('bounced');
});

it('the other server has to come again where the delivery takes longer', async () => {
  const id = await send();
  const refusal = expect(receive(unknownUser, toOwner(id))).rejects.toMatchObject({ kind: 'unavailable' });
  await jest.advanceTimersByTimeAsync(10_000);
  await refusal;
  expect([reported, suppressed]).toEqual([[], []]);
});
