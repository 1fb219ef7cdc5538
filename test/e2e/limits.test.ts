import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { InProcessRateLimiter, RateLimiter } from '#rate-limit';
import { addSecondTeam } from '../support/programs/second-team.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';

const dayMs = 24 * 3_600_000;
const clock = new TestClock();
const headersOf = (response: Response): (string | null)[] =>
  ['limit', 'remaining', 'reset', 'policy'].map((name) => response.headers.get(`ratelimit-${name}`));

describe('the rate limit', () => {
  let program: RecordingProgram;

  beforeAll(async () => {
    const adapters = new Adapters().use(Clock, clock).use(RateLimiter, new InProcessRateLimiter(3, clock));
    program = await startRecordingProgram({}, adapters);
  });

  afterAll(() => program.stop());

  it('is in every response to an authenticated request, including refusals', async () => {
    clock.advance(1_000);

    const found = await program.request('/emails');
    const refused = await program.request('/emails', { method: 'POST', body: '{}' });
    const missing = await program.request('/emails/01890000-0000-7000-8000-000000000001');

    expect([found.status, refused.status, missing.status]).toEqual([200, 422, 404]);
    expect(headersOf(found)).toEqual(['3', '2', '1', '3;w=1']);
    expect(headersOf(refused)).toEqual(['3', '1', '1', '3;w=1']);
    expect(headersOf(missing)).toEqual(['3', '0', '1', '3;w=1']);
  });

  it('refuses all requests of a team beyond it until the window is over', async () => {
    clock.advance(1_000);
    await program.resend.batch.send([anEmail(), anEmail(), anEmail(), anEmail()]);
    await program.resend.emails.list();
    await program.resend.usage.get();

    const { error, headers } = await program.resend.emails.send(anEmail());
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const other = await program.request('/emails', { headers: { authorization: `Bearer ${apiKey}` } });
    clock.advance(1_000);
    const next = await program.resend.emails.send(anEmail());

    expect(error).toMatchObject({ statusCode: 429, name: 'rate_limit_exceeded' });
    expect(error?.message).toContain('3 requests per second');
    expect(headers).toMatchObject({ 'retry-after': '1', 'ratelimit-remaining': '0', 'ratelimit-limit': '3' });
    expect(other.status).toBe(200);
    expect(next.error).toBeNull();
  });

  it('is not in a response to a request without a key', async () => {
    const response = await fetch(`${program.postrider.url}/emails`);

    expect(response.status).toBe(401);
    expect(response.headers.has('ratelimit-limit')).toBe(false);
  });
});

describe('quotas', () => {
  let program: RecordingProgram;

  beforeAll(async () => {
    program = await startRecordingProgram(
      { DAILY_QUOTA: '10', MONTHLY_QUOTA: '100' },
      new Adapters().use(Clock, clock),
    );
  });

  afterAll(() => program.stop());

  const recipients = (count: number): string[] => Array.from({ length: count }, (_, at) => `user${at}@example.test`);
  const quotasOf = (headers: Record<string, string> | null): (string | undefined)[] =>
    ['daily', 'monthly'].map((period) => headers?.[`x-resend-${period}-quota`]);

  it('count every recipient, refuse requests beyond them, and end with their period', async () => {
    const { headers } = await program.resend.emails.send(
      anEmail({ to: recipients(3), cc: 'copy@example.test', bcc: 'blind@example.test' }),
    );
    expect(quotasOf(headers)).toEqual(['5', '5']);

    const beyond = await program.resend.emails.send(anEmail({ to: recipients(6) }));
    expect(beyond.error).toMatchObject({ statusCode: 429, name: 'daily_quota_exceeded' });
    expect(beyond.headers?.['retry-after']).toBe(String(Math.ceil((dayMs - (clock.now().getTime() % dayMs)) / 1_000)));
    expect(quotasOf(beyond.headers)).toEqual(['5', '5']);

    const batch = await program.resend.batch.send([anEmail({ to: recipients(4) }), anEmail({ to: recipients(2) })]);
    expect(batch.error?.name).toBe('daily_quota_exceeded');

    const last = await program.resend.emails.send(anEmail({ to: recipients(5) }));
    expect(quotasOf(last.headers)).toEqual(['10', '10']);

    const usage = await program.resend.usage.get();
    expect(usage.data?.emails.daily).toMatchObject({ used: 10, limit: 10, sent: 10, received: 0 });
    expect(Date.parse(usage.data?.emails.daily.resets_at ?? '')).toBeGreaterThan(clock.now().getTime());
  });

  it('allow a repeated request although they are used up', async () => {
    await fill();
    const email = anEmail({ to: recipients(1) });
    const refused = await program.resend.emails.send(email, { idempotencyKey: 'beyond' });
    nextDay();
    const first = await program.resend.emails.send(email, { idempotencyKey: 'within' });
    await fill();

    const again = await program.resend.emails.send(email, { idempotencyKey: 'within' });

    expect(refused.error?.name).toBe('daily_quota_exceeded');
    expect(first.error).toBeNull();
    expect(again.data).toEqual(first.data);
  });

  it('hold under concurrent requests, and allow those that still fit', async () => {
    nextDay();
    const results = await Promise.all(
      Array.from({ length: 40 }, () => program.resend.emails.send(anEmail({ to: recipients(1) }))),
    );

    expect(results.filter(({ error }) => error === null)).toHaveLength(10);
    expect(results.filter(({ error }) => error?.name === 'daily_quota_exceeded')).toHaveLength(30);
  });

  it('hold over several processes', async () => {
    nextDay();
    const other = await startRecordingProgram(
      { DAILY_QUOTA: '10' },
      new Adapters().use(Clock, clock),
      program.database,
    );
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? program : other).resend.emails.send(anEmail({ to: recipients(1) })),
      ),
    );

    expect(results.filter(({ error }) => error === null)).toHaveLength(10);
    expect(results.filter(({ error }) => error?.name === 'daily_quota_exceeded')).toHaveLength(30);
    await other.stop();
  });

  it('may be monthly only', async () => {
    const monthly = await startRecordingProgram({ MONTHLY_QUOTA: '5' }, new Adapters().use(Clock, clock));
    const first = await monthly.resend.emails.send(anEmail({ to: recipients(5) }));

    const { error } = await monthly.resend.emails.send(anEmail());

    expect(quotasOf(first.headers)).toEqual([undefined, '5']);
    expect(error).toMatchObject({ statusCode: 429, name: 'monthly_quota_exceeded' });
    await monthly.stop();
  });

  async function fill(): Promise<void> {
    for (let sent = 0; sent < 10; sent++) await program.resend.emails.send(anEmail());
  }

  function nextDay(): void {
    clock.advance(dayMs);
  }
});

describe('usage', () => {
  it('has every field that the client knows, with numbers where there is no limit', async () => {
    const program = await startRecordingProgram();

    const { data } = await program.resend.usage.get();

    expect(data).toMatchObject({
      object: 'usage',
      emails: { daily: { used: 0, limit: null }, monthly: { used: 0, limit: 2 ** 31 - 1 } },
      contacts: { limit: 2 ** 31 - 1 },
      automation_runs: { limit: 2 ** 31 - 1 },
      domains: { used: 1, limit: null },
      broadcasts: { used: 0, limit: null },
      rate_limit: { limit: 100_000, duration: '1s' },
    });
    await program.stop();
  });
});
