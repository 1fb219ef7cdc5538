import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { addSecondTeam } from '../support/programs/second-team.js';
import { lastEventOf } from '../support/builders/email-events.js';
import { recordEvents } from '../support/fakes/recorded-events.js';
import { until } from '../support/runner/until.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';

let program: TestProgram;
let emailIds: string[];
let domainId: string;

const minute = 60_000;
const now = new Date();

beforeAll(async () => {
  program = await startProgram();
  const send = async (to: string[], lastEvent: string): Promise<string> => {
    const { data } = await program.resend.emails.send({ from: testSender, to, subject: 'Hi', text: 'Hello' });
    await lastEventOf(program, data?.id ?? '', lastEvent);
    return data?.id ?? '';
  };
  emailIds = [
    await send(['delivered@resend.dev', 'delivered+2@resend.dev'], 'delivered'),
    await send(['bounced@resend.dev'], 'bounced'),
    await send(['complained@resend.dev'], 'complained'),
    await send(['suppressed@resend.dev'], 'suppressed'),
  ];
  // An email to two recipients is `delivered` when the first one is.
  await until(async () => (await program.resend.emails.metrics()).data?.totals.delivered === 3);
  domainId = (await program.resend.domains.list()).data?.data[0]?.id ?? '';
});

afterAll(() => program.stop());

interface MetricsResponse {
  readonly status: number;
  readonly body: ParsedJson;
}

async function get(query: string): Promise<MetricsResponse> {
  const response = await program.request(`/emails/metrics?${query}`);
  return { status: response.status, body: await response.json() };
}

describe('GET /emails/metrics', () => {
  it('returns all metrics of the last days by default', async () => {
    const { data, error } = await program.resend.emails.metrics();

    expect(error).toBeNull();
    expect(data).toMatchObject({ object: 'metrics', dimensions: [], granularity: 'daily' });
    expect(data).not.toHaveProperty('data');
    expect(Date.parse(data?.end_date ?? '') - Date.parse(data?.start_date ?? '')).toBe(6 * 24 * 60 * minute);
    expect(data?.totals).toEqual({
      received: 0,
      sent: 4,
      delivered: 3,
      delivery_delayed: 0,
      complained: 1,
      suppressed: 1,
      failed: 0,
      bounced: 1,
      bounced_transient: 0,
      bounced_permanent: 1,
      bounced_undetermined: 0,
      unsubscribed: 0,
      opened: 0,
      clicked: 0,
      unique_opened: 0,
      unique_clicked: 0,
      delivery_rate: 75,
      open_rate: 0,
      click_rate: 0,
      bounce_rate: 25,
      complaint_rate: 33.33,
      unsubscribe_rate: 0,
    });
    expect(Object.keys(data?.totals ?? {})).toEqual(data?.metrics);
  });

  it('breaks down by period and domain, with the client', async () => {
    const startDate = new Date(now.getTime() - 2 * 24 * 60 * minute).toISOString();
    const { data } = await program.resend.emails.metrics({
      startDate,
      dimensions: ['period', 'domain'],
      metrics: ['sent', 'delivery_rate'],
      domainId: [domainId],
      timezone: 'Asia/Kolkata',
    });
    const rows = data?.data ?? [];
    expect(rows.reduce((sum, row) => sum + (row.sent ?? 0), 0)).toBe(4);
    expect(rows[0]).toEqual({
      period: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      domain_id: domainId,
      domain_name: 'sandbox.postrider.test',
      sent: expect.any(Number),
      delivery_rate: expect.any(Number),
    });
  });

  it('has a row for each period, even if nothing happened', async () => {
    const day = (days: number): string => new Date(now.getTime() - days * 24 * 60 * minute).toISOString().slice(0, 10);
    const { body } = await get(`dimensions=period&metrics=sent&start_date=${day(3)}`);
    expect(body.data.slice(0, 3)).toEqual([3, 2, 1].map((days) => ({ period: day(days), sent: 0 })));
    expect(body.data.at(-1).sent).toBeGreaterThan(0);
  });

  it('accepts lists comma-separated, repeated and mixed', async () => {
    const { body } = await get(
      `metrics=sent,failed&metrics=opened&metrics=sent&email_id=${emailIds[0]}&email_id=${emailIds.slice(1).join(',')}`,
    );
    expect(body.metrics).toEqual(['sent', 'failed', 'opened']);
    expect(body.totals).toEqual({ sent: 4, failed: 0, opened: 0 });
  });

  it('breaks down by email, each id on its own', async () => {
    const { body } = await get(
      `dimensions=email&metrics=sent,delivered,bounced&email_id=${emailIds.slice(0, 2).join(',')}`,
    );
    expect(body.data).toEqual([
      { email_id: emailIds[0], sent: 2, delivered: 2, bounced: 0 },
      { email_id: emailIds[1], sent: 1, delivered: 0, bounced: 1 },
    ]);
  });

  it('does not count emails of another team', async () => {
    const { apiKey } = await addSecondTeam(program.postrider.app);
    for (const query of ['', `email_id=${emailIds.join(',')}`, `domain_id=${domainId}`]) {
      const response = await fetch(`${program.url}/emails/metrics?metrics=sent,delivered&${query}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect(((await response.json()) as MetricsResponse['body']).totals).toEqual({ sent: 0, delivered: 0 });
    }
  });

  it('counts all opens and clicks, and as unique those of a human once per recipient', async () => {
    const [emailId = ''] = emailIds;
    await recordEvents(program.postrider.app.get(Database), emailId, [
      { type: 'email.opened', recipientNo: 0, data: { open: { machine: true } } },
      { type: 'email.opened', recipientNo: 0, data: { open: { machine: false } } },
      { type: 'email.opened', recipientNo: 0, data: { open: {} } },
      { type: 'email.opened', recipientNo: 1, data: { open: { machine: true } } },
      { type: 'email.clicked', recipientNo: 1, data: { click: { link: 'https://acme.test' } } },
      { type: 'email.clicked', recipientNo: 1, data: { click: { link: 'https://acme.test' } } },
    ]);
    const chosen = 'metrics=opened,unique_opened,clicked,unique_clicked,open_rate,click_rate';
    const expected = { opened: 4, unique_opened: 1, clicked: 2, unique_clicked: 1 };
    expect((await get(chosen)).body.totals).toEqual({ ...expected, open_rate: 33.33, click_rate: 33.33 });
    expect((await get(`${chosen}&email_id=${emailId}`)).body.totals).toEqual({
      ...expected,
      open_rate: 50,
      click_rate: 50,
    });
  });

  it('counts emails of no broadcast in no broadcast, and nothing outside the period', async () => {
    const { body } = await get(`metrics=sent&dimensions=broadcast`);
    expect(body).toMatchObject({ totals: { sent: 0 }, data: [] });
    expect((await get(`metrics=sent&broadcast_id=${domainId}`)).body.totals).toEqual({ sent: 0 });
    expect((await get('metrics=sent&start_date=2026-01-01&end_date=2026-01-08')).body).toMatchObject({
      totals: { sent: 0 },
      end_date: '2026-01-08T00:00:00.000Z',
    });
  });

  it('ends now at the latest', async () => {
    const { body } = await get('end_date=2999-01-01T00:00:00%2B02:00');
    expect(Date.parse(body.end_date)).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    'metrics=nonsense',
    'dimensions=period,year',
    'granularity=yearly',
    'timezone=Mars/Olympus',
    'timezone=%2B05:30',
    'start_date=yesterday',
    'start_date=2026-02-30',
    'start_date=2026-13-01',
    'end_date=2026-01-02&start_date=2026-01-03',
    'email_id=nonsense',
    `email_id=${Array.from({ length: 101 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`).join(',')}`,
    'dimensions=email,broadcast',
    'dimensions=email',
    'dimensions=broadcast&email_id=00000000-0000-7000-8000-000000000000',
    'dimensions=email&broadcast_id=00000000-0000-7000-8000-000000000000&email_id=00000000-0000-7000-8000-000000000000',
  ])('refuses %s', async (query) => {
    const { status, body } = await get(query);
    expect(status).toBe(422);
    expect(body).toEqual({ statusCode: 422, name: 'validation_error', message: expect.any(String) });
  });
});
