import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdempotencyKeys, RemoveExpiredKeys } from '#idempotency';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { addSecondTeam } from '../support/programs/second-team.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { until } from '../support/runner/until.js';

const clock = new TestClock();
let program: RecordingProgram;
let other: RecordingProgram;

beforeAll(async () => {
  program = await startRecordingProgram({}, new Adapters().use(Clock, clock));
  other = await startRecordingProgram({}, new Adapters().use(Clock, clock), program.database);
});

afterAll(async () => {
  await other.stop();
  await program.stop();
});

async function countOf(subject: string): Promise<number> {
  const rows = await program.postrider.app
    .get(Database)
    .query({ text: 'SELECT 1 FROM emails WHERE subject = $1', values: [subject] });
  return rows.length;
}

const send = (key: string, body: object, from = program): Promise<Response> =>
  from.request('/emails', { method: 'POST', body: JSON.stringify(body), headers: { 'idempotency-key': key } });

describe('an idempotency key', () => {
  it('gives a repeated request the first response, without a second email', async () => {
    const email = anEmail({ subject: 'Once' });

    const first = await program.resend.emails.send(email, { idempotencyKey: 'once' });
    const second = await program.resend.emails.send(email, { idempotencyKey: 'once' });

    expect(first.error).toBeNull();
    expect(second.data).toEqual(first.data);
    await until(() => program.delivered('Once') + other.delivered('Once') === 1);
    expect(await countOf('Once')).toBe(1);
  });

  it('compares the content of bodies, not their formatting', async () => {
    const body = { ...anEmail({ subject: 'Order' }), tags: [{ name: 'a', value: 'b' }] };
    const first = await (await send('order', body)).json();
    const reordered = Object.fromEntries(Object.entries(body).reverse());

    const second = await program.request('/emails', {
      method: 'POST',
      body: JSON.stringify(reordered, undefined, 4),
      headers: { 'idempotency-key': 'order' },
    });

    expect(second.status).toBe(200);
    expect(await second.json()).toEqual(first);
  });

  it('is refused for another body', async () => {
    await program.resend.emails.send(anEmail({ subject: 'Mine' }), { idempotencyKey: 'mismatch' });

    const { error } = await program.resend.emails.send(anEmail({ subject: 'Other' }), { idempotencyKey: 'mismatch' });

    expect(error).toMatchObject({ statusCode: 409, name: 'invalid_idempotent_request' });
    expect(await countOf('Other')).toBe(0);
  });

  it('covers a whole batch, separately from single sends and from other teams', async () => {
    const batch = [anEmail({ subject: 'In batch' }), anEmail({ subject: 'In batch' })];
    const { apiKey } = await addSecondTeam(program.postrider.app);

    const first = await program.resend.batch.send(batch, { idempotencyKey: 'shared' });
    const second = await program.resend.batch.send(batch, { idempotencyKey: 'shared' });
    const single = await program.resend.emails.send(anEmail(), { idempotencyKey: 'shared' });
    const stranger = await program.request('/emails', {
      method: 'POST',
      body: JSON.stringify(anEmail()),
      headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'shared' },
    });

    expect(first.data?.data).toHaveLength(2);
    expect(second.data).toEqual(first.data);
    expect(single.error).toBeNull();
    expect(((await stranger.json()) as { name: string }).name).toBe('validation_error');
    expect(await countOf('In batch')).toBe(2);
  });

  it('repeats the response to a permissive batch with its errors', async () => {
    const batch = [anEmail({ subject: 'Partly' }), anEmail({ to: 'nobody' })];
    const options = { batchValidation: 'permissive', idempotencyKey: 'partly' } as const;

    const first = await program.resend.batch.send(batch, options);
    const second = await program.resend.batch.send(batch, options);

    expect(first.data?.errors).toHaveLength(1);
    expect(second.data).toEqual(first.data);
    expect(await countOf('Partly')).toBe(1);
  });

  it('is not used up by a refusal: a corrected request with the same key is sent', async () => {
    const refused = await program.resend.emails.send(anEmail({ to: 'nobody' }), { idempotencyKey: 'corrected' });
    const corrected = await program.resend.emails.send(anEmail({ subject: 'Corrected' }), {
      idempotencyKey: 'corrected',
    });

    expect(refused.error?.statusCode).toBe(422);
    expect(corrected.error).toBeNull();
  });

  it('repeats the first response even if the request would be refused now', async () => {
    const email = anEmail({ scheduledAt: new Date(clock.now().getTime() + 60_000).toISOString() });
    const first = await program.resend.emails.send(email, { idempotencyKey: 'late' });
    clock.advance(3_600_000);

    const second = await program.resend.emails.send(email, { idempotencyKey: 'late' });

    expect(first.error).toBeNull();
    expect(second.data).toEqual(first.data);
  });

  it.each(['', 'x'.repeat(257)])('of the wrong length is refused', async (key) => {
    const response = await send(key, anEmail());

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ statusCode: 400, name: 'invalid_idempotency_key' });
  });

  it('may have 256 characters', async () => {
    expect((await send('y'.repeat(256), anEmail())).status).toBe(200);
  });

  it('sends one email for many concurrent requests to two processes', async () => {
    const email = anEmail({ subject: 'Hundred' });
    const results = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const response = await send('hundred', email, index % 2 === 0 ? program : other);
        return { status: response.status, body: (await response.json()) as { id?: string; name?: string } };
      }),
    );

    const accepted = results.filter(({ status }) => status === 200);
    const refused = results.filter(({ status }) => status !== 200);
    expect(accepted.length).toBeGreaterThan(0);
    expect(new Set(accepted.map(({ body }) => body.id)).size).toBe(1);
    expect(refused.every(({ body }) => body.name === 'concurrent_idempotent_requests')).toBe(true);
    expect(await countOf('Hundred')).toBe(1);
    await until(() => program.delivered('Hundred') + other.delivered('Hundred') === 1);
  });

  it('that is refused does not affect the requests that share its transaction', async () => {
    await send('taken', anEmail({ subject: 'Taken' }));
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0
          ? send('taken', anEmail({ subject: `Neighbour ${index}` }))
          : index % 3 === 1
            ? send(`free ${index}`, anEmail({ subject: 'Neighbour' }))
            : program.request('/emails', { method: 'POST', body: JSON.stringify(anEmail({ subject: 'Neighbour' })) }),
      ),
    );

    expect(results.map(({ status }) => status)).toEqual(
      Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 409 : 200)),
    );
    expect(await countOf('Neighbour')).toBe(40);
  });

  it('that an uncommitted transaction holds is refused at once as in progress', async () => {
    const { app } = program.postrider;
    const request = { teamId: await teamId(), endpoint: 'POST /emails', key: 'held', fingerprint: new Uint8Array(32) };
    const claim = { request, response: {}, claimedAt: clock.now() };

    await app
      .get(Database)
      .run(async (transaction) => {
        await app.get(IdempotencyKeys).claim([claim], transaction);
        const response = await send('held', anEmail({ subject: 'Held' }), other);
        expect(await response.json()).toMatchObject({ statusCode: 409, name: 'concurrent_idempotent_requests' });
        throw new Error('rolled back');
      })
      .catch((error: Error) => expect(error.message).toBe('rolled back'));

    expect((await send('held', anEmail({ subject: 'Held' }), other)).status).toBe(200);
    expect(await countOf('Held')).toBe(1);
  });

  it('is forgotten after 24 hours', async () => {
    const email = anEmail({ subject: 'Daily' });
    const first = await program.resend.emails.send(email, { idempotencyKey: 'daily' });
    clock.advance(24 * 3_600_000 - 10_000);
    const replayed = await program.resend.emails.send(email, { idempotencyKey: 'daily' });
    clock.advance(10_000);
    const again = await program.resend.emails.send(anEmail({ subject: 'Daily, changed' }), { idempotencyKey: 'daily' });

    expect(replayed.data).toEqual(first.data);
    expect(again.error).toBeNull();
    expect(again.data?.id).not.toBe(first.data?.id);
  });

  it('is removed once it has expired', async () => {
    await send('swept', anEmail());
    clock.advance(25 * 3_600_000);

    expect(await program.postrider.app.get(RemoveExpiredKeys).remove()).toBeGreaterThan(0);

    const left = await program.postrider.app.get(Database).query({ text: 'SELECT 1 FROM idempotency_keys' });
    expect(left).toEqual([]);
  });
});

async function teamId(): Promise<string> {
  const [row] = await program.postrider.app
    .get(Database)
    .query<{ team_id: string }>({ text: 'SELECT team_id FROM domains LIMIT 1' });
  return row?.team_id ?? '';
}
