import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { until } from '../support/runner/until.js';

let program: RecordingProgram;

beforeAll(async () => {
  program = await startRecordingProgram();
});

afterAll(() => program.stop());

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  program.request('/emails/batch', { method: 'POST', body: JSON.stringify(body), headers });

describe('a batch', () => {
  it('is accepted as a whole and delivered', async () => {
    const subjects = Array.from({ length: 100 }, (_, index) => `Batch ${index}`);

    const { data, error } = await program.resend.batch.send(subjects.map((subject) => anEmail({ subject })));

    expect(error).toBeNull();
    expect(new Set(data?.data.map(({ id }) => id)).size).toBe(100);
    expect(Object.keys(data ?? {})).toEqual(['data']);
    const shown = await program.resend.emails.get(data?.data[7]?.id ?? '');
    expect(shown.data?.subject).toBe('Batch 7');
    await until(() => subjects.every((subject) => program.delivered(subject) === 1));
  });

  it('is refused as a whole if one entry is invalid', async () => {
    const batch = [anEmail({ subject: 'Refused' }), anEmail({ subject: 'Refused', to: 'nobody' })];

    const { data, error } = await program.resend.batch.send(batch);

    expect(data).toBeNull();
    expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect(error?.message).toContain('`to`');
    const listed = await program.resend.emails.list({ limit: 100 });
    expect(listed.data?.data.some(({ subject }) => subject === 'Refused')).toBe(false);
  });

  it('is accepted in part if it is permissive, with the index of each invalid entry', async () => {
    const batch = [
      anEmail({ from: undefined as never }),
      anEmail({ subject: 'Second' }),
      anEmail({ from: 'me@elsewhere.test' }),
      anEmail({ subject: 'Fourth' }),
      'no email' as never,
    ];

    const { data, error } = await program.resend.batch.send(batch, { batchValidation: 'permissive' });

    expect(error).toBeNull();
    expect(data?.data).toHaveLength(2);
    expect(data?.errors.map(({ index }) => index)).toEqual([0, 2, 4]);
    expect(data?.errors[0]?.message).toBe('Missing `from` field.');
    expect((await program.resend.emails.get(data?.data[1]?.id ?? '')).data?.subject).toBe('Fourth');
  });

  it('may have no valid entry at all when it is permissive', async () => {
    const batch = [{}, { attachments: [{ filename: 'a' }] }];

    const response = await post(batch, { 'x-batch-validation': 'permissive' });

    expect(response.status).toBe(200);
    const message = 'Missing `from` field.';
    expect(await response.json()).toEqual({
      data: [],
      errors: [
        { index: 0, message },
        { index: 1, message },
      ],
    });
  });

  it.each([
    ['no array', { emails: [] }],
    ['an empty array', []],
    ['more than 100 entries', Array.from({ length: 101 }, () => anEmail())],
    ['no body', undefined],
  ])('is refused if it is %s', async (_, body) => {
    const response = await post(body);

    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ statusCode: 422, name: 'validation_error', message: expect.any(String) });
  });

  it('carries attachments, scheduled times and tags as a single email does', async () => {
    const { data } = await program.resend.batch.send([
      anEmail({ subject: 'Attached', attachments: [{ filename: 'a.txt', content: Buffer.from('content') }] }) as never,
      anEmail({ scheduledAt: 'in 2 days', tags: [{ name: 'kind', value: 'later' }] }),
    ]);

    await until(() => program.delivered('Attached') === 1);
    const later = await program.resend.emails.get(data?.data[1]?.id ?? '');
    expect(later.data).toMatchObject({ last_event: 'scheduled', tags: [{ name: 'kind', value: 'later' }] });
  });

  it('counts as one request', async () => {
    const response = await post([anEmail(), anEmail(), anEmail()]);
    const { limit, remaining } = Object.fromEntries(
      ['limit', 'remaining'].map((name) => [name, Number(response.headers.get(`ratelimit-${name}`))]),
    );

    expect(response.status).toBe(200);
    expect(limit).toBe(100_000);
    expect(remaining).toBeGreaterThan(90_000);
  });
});
