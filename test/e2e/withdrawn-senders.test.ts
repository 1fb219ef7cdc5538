import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { eventsOf, lastEventOf } from '../support/builders/email-events.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const minute = 60_000;
const clock = new TestClock();
let program: RecordingProgram;

beforeAll(async () => {
  program = await startRecordingProgram({}, new Adapters().use(Clock, clock));
});

afterAll(() => program.stop());

const soon = (): string => new Date(clock.now().getTime() + 10 * minute).toISOString();

async function deleteDomain({ resend }: RecordingProgram): Promise<void> {
  const id = (await resend.domains.list()).data?.data[0]?.id ?? '';
  expect((await resend.domains.remove(id)).error).toBeNull();
}

async function failedWith(program: RecordingProgram, id: string): Promise<unknown[]> {
  await until(async () => (await program.resend.emails.get(id)).data?.last_event === 'failed');
  return (await eventsOf(program, id)).filter(({ type }) => type === 'email.failed').map(({ data }) => data);
}

it('a scheduled email whose API key was deleted fails when it is due, and the others are sent', async () => {
  const key = (await program.resend.apiKeys.create({ name: 'Short-lived' })).data;
  const client = new Resend(key?.token ?? '', { baseUrl: program.url });
  const to = ['one@example.test', 'two@example.test'];
  const doomed = (await client.emails.send(anEmail({ subject: 'Doomed', to, scheduledAt: soon() }))).data?.id ?? '';
  const other = (await program.resend.emails.send(anEmail({ subject: 'Other', scheduledAt: soon() }))).data?.id ?? '';

  await program.resend.apiKeys.remove(key?.id ?? '');
  clock.advance(10 * minute);

  expect(await failedWith(program, doomed)).toEqual([
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

it('a scheduled email whose domain was deleted fails when it is due', async () => {
  const id = (await program.resend.emails.send(anEmail({ scheduledAt: soon() }))).data?.id ?? '';

  await deleteDomain(program);
  clock.advance(10 * minute);

  expect(await failedWith(program, id)).toEqual([{ failed: { reason: 'domain_deleted' } }]);
});

it('mail that waits for another attempt fails as soon as its domain is deleted, and the trace says why', async () => {
  // With the real clock the next attempt is most of a minute away.
  const patient = await startRecordingProgram();
  try {
    patient.transport.outcomeFor('slow@example.test', InMemoryDeliveryTransport.deferred('451 later'));
    const id = (await patient.resend.emails.send(anEmail({ to: 'slow@example.test' }))).data?.id ?? '';
    await lastEventOf(patient, id, 'delivery_delayed');

    await deleteDomain(patient);

    expect(await failedWith(patient, id)).toEqual([{ failed: { reason: 'domain_deleted' } }]);
    const trace = (await (await patient.request(`/emails/${id}/trace`)).json()) as {
      recipients: { attempts: { reason: string }[] }[];
    };
    expect(trace).toMatchObject({ recipients: [{ status: 'failed', held_by: null }] });
    expect(trace.recipients[0]?.attempts.map(({ reason }) => reason)).toEqual([
      '451 later',
      'The sending domain was deleted',
    ]);
    expect((await patient.resend.suppressions.list()).data?.data).toEqual([]);
  } finally {
    await patient.stop();
  }
});
