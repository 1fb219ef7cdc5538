import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChangeSchedule, ReleaseScheduled } from '#emails';
import { Clock, newId, ValidationError } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { addSecondTeam } from '../support/programs/second-team.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { until } from '../support/runner/until.js';

const minute = 60_000;
const clock = new TestClock();
let program: RecordingProgram;

beforeAll(async () => {
  program = await startRecordingProgram({}, new Adapters().use(Clock, clock));
});

afterAll(() => program.stop());

const inMinutes = (minutes: number): string => new Date(clock.now().getTime() + minutes * minute).toISOString();

async function schedule(subject: string, scheduledAt = inMinutes(10)): Promise<string> {
  const { data, error } = await program.resend.emails.send(anEmail({ subject, scheduledAt }));
  expect(error).toBeNull();
  return data?.id ?? '';
}

async function lastEvent(id: string): Promise<string | undefined> {
  return (await program.resend.emails.get(id)).data?.last_event;
}

async function eventsOf(id: string): Promise<string[]> {
  const response = await program.request(`/emails/${id}/events`);
  const { data } = (await response.json()) as { data: { seq: number; type: string }[] };
  expect(data.map(({ seq }) => seq)).toEqual(data.map((_, index) => index + 1));
  return data.map(({ type }) => type);
}

describe('a scheduled email', () => {
  it('is sent to every recipient when it is due, and not before', async () => {
    const { data } = await program.resend.emails.send(
      anEmail({ subject: 'Due', to: ['one@example.test', 'two@example.test'], scheduledAt: 'in 10 min' }),
    );
    const id = data?.id ?? '';
    expect(await program.postrider.app.get(ReleaseScheduled).release()).toBe(0);
    expect(await lastEvent(id)).toBe('scheduled');
    expect(await eventsOf(id)).toEqual(['email.scheduled']);

    clock.advance(10 * minute);

    await until(async () => (await lastEvent(id)) === 'delivered');
    await until(async () => (await eventsOf(id)).length === 5);
    expect((await eventsOf(id)).slice(0, 3)).toEqual(['email.scheduled', 'email.sent', 'email.sent']);
    const recipients = program.transport.delivered
      .filter(({ content }) => Buffer.from(content).includes('Subject: Due'))
      .flatMap((message) => message.recipients);
    expect(recipients.sort()).toEqual(['one@example.test', 'two@example.test']);
  });

  it('can be rescheduled', async () => {
    const id = await schedule('Moved');

    const updated = await program.resend.emails.update({ id, scheduledAt: inMinutes(30) });
    clock.advance(15 * minute);
    await program.postrider.app.get(ReleaseScheduled).release();

    expect(updated.data).toEqual({ object: 'email', id });
    expect(await lastEvent(id)).toBe('scheduled');
    clock.advance(15 * minute);
    await until(() => program.delivered('Moved') === 1);
  });

  it('can be canceled permanently', async () => {
    const id = await schedule('Canceled');

    const canceled = await program.resend.emails.cancel(id);
    clock.advance(20 * minute);
    await program.postrider.app.get(ReleaseScheduled).release();

    expect(canceled.data).toEqual({ object: 'email', id });
    expect(await lastEvent(id)).toBe('canceled');
    expect(await eventsOf(id)).toEqual(['email.scheduled', 'email.canceled']);
    expect(program.delivered('Canceled')).toBe(0);
    const again = await program.resend.emails.cancel(id);
    const revived = await program.resend.emails.update({ id, scheduledAt: inMinutes(10) });
    expect(again.error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect(revived.error).toMatchObject({ statusCode: 422, name: 'validation_error' });
  });

  it('cannot be changed once it was sent, nor by another team', async () => {
    const sent = (await program.resend.emails.send(anEmail())).data?.id ?? '';
    const waiting = await schedule('Waiting');
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const headers = { authorization: `Bearer ${apiKey}` };

    expect((await program.resend.emails.cancel(sent)).error).toMatchObject({ statusCode: 422 });
    expect((await program.resend.emails.cancel(newId())).error).toMatchObject({
      statusCode: 404,
      name: 'not_found',
      message: 'Email not found',
    });
    expect((await program.request(`/emails/${waiting}/cancel`, { method: 'POST', headers })).status).toBe(404);
    const body = JSON.stringify({ scheduled_at: inMinutes(20) });
    expect((await program.request(`/emails/${waiting}`, { method: 'PATCH', headers, body })).status).toBe(404);
    expect(await lastEvent(waiting)).toBe('scheduled');
  });

  it.each([
    ['in 31 days', 422],
    ['in 29 days', 200],
    ['tomorrow at 9am Pacific', 200],
    ['tomorrow at 9am Europe/Berlin', 200],
    ['tomorrow at 9am Europe/Bergen', 422],
    ['tomorrow at 25:00', 422],
    ['yesterday at noon', 422],
    ['whenever you like', 422],
    ['2026-02-30T99:00:00Z', 422],
    [42, 422],
  ])('at %s gets the status %i', async (scheduledAt, status) => {
    const body = JSON.stringify({ ...anEmail(), scheduled_at: scheduledAt });

    expect((await program.request('/emails', { method: 'POST', body })).status).toBe(status);
  });

  it('a few seconds in the past is sent at once, since clocks differ', async () => {
    await schedule('Just past', new Date(clock.now().getTime() - 5_000).toISOString());

    await until(() => program.delivered('Just past') === 1);
  });

  it('cannot be changed without a new time', async () => {
    const response = await program.request(`/emails/${newId()}`, { method: 'PATCH', body: '{}' });

    expect(await response.json()).toMatchObject({ statusCode: 422, name: 'missing_required_field' });
  });

  it('is either canceled or delivered, even if both happen at the same time', async () => {
    const { app } = program.postrider;
    const [release, changeSchedule] = [app.get(ReleaseScheduled), app.get(ChangeSchedule)];
    const [{ teamId }] = (await app.get(Database).query<{ teamId: string }>({
      text: 'SELECT team_id AS "teamId" FROM domains',
    })) as [{ teamId: string }];
    const ids: string[] = [];
    const canceled = new Set<string>();
    const move = async (id: string, reschedules: boolean): Promise<void> => {
      try {
        if (reschedules) return await changeSchedule.reschedule(teamId, id, clock.now());
        await changeSchedule.cancel(teamId, id);
        canceled.add(id);
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
      }
    };
    for (let round = 0; round < 60; round++) {
      const batch = await program.resend.batch.send(
        Array.from({ length: 12 }, () => anEmail({ subject: 'Race', scheduledAt: inMinutes(1) })),
      );
      const due = batch.data?.data.map(({ id }) => id) ?? [];
      ids.push(...due);
      clock.advance(minute);
      const changing = () => due.map((id, index) => move(id, index % 3 === 0));
      const releasing = () => [release.release(), release.release()];
      await Promise.all(round % 2 === 0 ? [changing(), releasing()].flat() : [releasing(), changing()].flat());
    }

    await until(() => program.delivered('Race') === ids.length - canceled.size);
    const rows = await program.postrider.app.get(Database).query<{ id: string; last_event: string }>({
      text: 'SELECT id, last_event FROM emails WHERE id = ANY ($1)',
      values: [ids],
    });
    await until(async () => {
      const left = await program.postrider.app.get(Database).query({ text: 'SELECT 1 FROM outbound_queue' });
      return left.length === 0;
    });
    expect(
      rows
        .filter((row) => row.last_event === 'canceled')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...canceled].sort());
    expect(program.delivered('Race')).toBe(ids.length - canceled.size);
    expect(canceled.size).toBeGreaterThan(0);
    expect(canceled.size).toBeLessThan(ids.length);
  });

  it('is delivered even if 1,000 are due at once', async () => {
    const count = 1_000;
    const dueAt = inMinutes(5);
    for (let sent = 0; sent < count; sent += 100) {
      const { error } = await program.resend.batch.send(
        Array.from({ length: 100 }, () => anEmail({ subject: 'Rush', scheduledAt: dueAt })),
      );
      expect(error).toBeNull();
    }

    clock.advance(5 * minute);
    await until(() => program.delivered('Rush') === count, 60_000);
  });
});
