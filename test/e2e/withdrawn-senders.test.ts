import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { eventsOf, lastEventOf } from '../support/email-events.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/recording-program.js';
import { TestClock } from '../support/test-clock.js';

const minute = 60_000;
const clock = new TestClock();
let program: RecordingProgram;

beforeAll(async () => {
  program = await startRecordingProgram({}, new Adapters().use(Clock, clock));
});

afterAll(() => program.stop());

const soon = (): string => new Date(clock.now().getTime() + 10 * minute).toISOString();

async function failedWith(id: string): Promise<unknown[]> {
  await lastEventOf(program, id, 'failed');
  return (await eventsOf(program, id)).filter(({ type }) => type === 'email.failed').map(({ data }) => data);
}

it('a scheduled email whose API key was deleted fails when it is due, and the others leave', async () => {
  const key = (await program.resend.apiKeys.create({ name: 'Short-lived' })).data;
  const client = new Resend(key?.token ?? '', { baseUrl: program.url });
  const to = ['one@example.test', 'two@example.test'];
  const doomed = (await client.emails.send(anEmail({ subject: 'Doomed', to, scheduledAt: soon() }))).data?.id ?? '';
  const other = (await program.resend.emails.send(anEmail({ subject: 'Other', scheduledAt: soon() }))).data?.id ?? '';

  await program.resend.apiKeys.remove(key?.id ?? '');
  clock.advance(10 * minute);

  expect(await failedWith(doomed)).toEqual([
    { failed: { reason: 'api_key_deleted' } },
    { failed: { reason: 'api_key_deleted' } },
  ]);
  await lastEventOf(program, other, 'delivered');
  expect(program.delivered('Doomed')).toBe(0);
  expect((await program.resend.emails.metrics({ emailId: [doomed] })).data?.totals).toMatchObject({
    failed: 2,
    sent: 0,
  });
});

it('mail of a domain that was deleted ends at once, scheduled or under way, and says why', async () => {
  program.transport.outcomeFor('slow@example.test', InMemoryDeliveryTransport.deferred('451 later'));
  const scheduled = (await program.resend.emails.send(anEmail({ scheduledAt: soon() }))).data?.id ?? '';
  const waiting = (await program.resend.emails.send(anEmail({ to: 'slow@example.test' }))).data?.id ?? '';
  await lastEventOf(program, waiting, 'delivery_delayed');
  const domainId = (await program.resend.domains.list()).data?.data[0]?.id ?? '';

  expect((await program.resend.domains.remove(domainId)).error).toBeNull();
  clock.advance(10 * minute);

  expect(await failedWith(scheduled)).toEqual([{ failed: { reason: 'domain_deleted' } }]);
  expect(await failedWith(waiting)).toEqual([{ failed: { reason: 'domain_deleted' } }]);
  const trace = (await (await program.request(`/emails/${waiting}/trace`)).json()) as {
    recipients: { status: string; attempts: { reason: string }[]; held_by: unknown }[];
  };
  expect(trace.recipients[0]).toMatchObject({ status: 'failed', held_by: null });
  expect(trace.recipients[0]?.attempts[1]?.reason).toBe('The sending domain was deleted');
  expect((await program.resend.suppressions.list()).data?.data).toEqual([]);
});
