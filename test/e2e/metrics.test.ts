import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { startProgram, testApiKey } from '../support/programs/program.js';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { until } from '../support/runner/until.js';
import { inOneProcess } from '../support/programs/start-for-test.js';

describe('the metrics', () => {
  let program: RecordingProgram;
  beforeAll(async () => (program = await startRecordingProgram({ ...inOneProcess, SMTP_LISTEN: '127.0.0.1:0+tls' })));
  afterAll(() => program.stop());

  const exposition = async (): Promise<string> => (await fetch(`${program.url}/metrics`)).text();
  const send = (body: object): Promise<Response> =>
    program.request('/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('have every name that the dashboard and the alerts use', async () => {
    const text = await exposition();
    const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    for (const file of ['docker/grafana/postrider.json', 'docker/grafana/alerts.yaml']) {
      const used = new Set((await readFile(file, 'utf8')).match(/postrider_[a-z0-9_]+/g));
      const unknown = [...used].filter(
        (name) => !exported.has(name) && !exported.has(name.replace(/_(?:bucket|sum|count)$/, '')),
      );
      expect(used.size).toBeGreaterThan(5);
      expect(unknown).toEqual([]);
    }
  });

  it('count accepted emails by door, refusals, and delivery attempts', async () => {
    const before = await exposition();
    await send(anEmail({ subject: 'over http' }));
    await send({ from: 'nobody' });
    const client = await SmtpDialogue.loggedIn(program.postrider.smtp.listening[0]?.port ?? 0, testApiKey);
    await client.ask('MAIL FROM:<hello@sandbox.postrider.test>');
    await client.ask('RCPT TO:<someone@example.test>');
    await client.ask('DATA');
    await client.ask('From: hello@sandbox.postrider.test\r\nSubject: over smtp\r\n\r\nHi\r\n.');
    await client.ask('MAIL FROM:<hello@sandbox.postrider.test>');
    await client.ask('RCPT TO:<someone@example.test>');
    await client.ask('DATA');
    await client.ask('From: hello@stranger.test\r\nSubject: refused\r\n\r\nHi\r\n.');
    await until(() => program.delivered('over smtp') + program.delivered('over http') === 2);

    const grownBy = (after: string, series: string): number => valueOf(after, series) - valueOf(before, series);
    await until(
      async () => grownBy(await exposition(), 'postrider_delivery_attempts_total{outcome="delivered"}') === 2,
    );
    const after = await exposition();
    expect(grownBy(after, 'postrider_emails_accepted_total{door="http"}')).toBe(1);
    expect(grownBy(after, 'postrider_emails_accepted_total{door="smtp"}')).toBe(1);
    expect(sumOf(after, 'postrider_http_refusals_total')).toBe(1);
    expect(sumOf(after, 'postrider_smtp_refusals_total')).toBe(1);
    expect(grownBy(after, 'postrider_delivery_latency_seconds_count')).toBe(2);
    expect(grownBy(after, 'postrider_acceptance_duration_seconds_count')).toBe(2);
    expect(sumOf(after, 'postrider_database_connections')).toBeGreaterThan(0);
    expect(valueOf(after, 'postrider_partitions_made_until_timestamp_seconds')).toBeGreaterThan(Date.now() / 1_000);
  });

  it('count waiting recipients by state, and do not query the queue each time', async () => {
    await program.stop();
    program = await startRecordingProgram(inOneProcess);
    const database = program.postrider.app.get(Database, { strict: false });
    await database.execute({
      text: `INSERT INTO lane_pauses VALUES ('down', now(), now() + interval '1 hour', 1, 'x')`,
    });
    await database.execute({
      text: `INSERT INTO outbound_queue (email_id, recipient_no, size, worker_id, due_at, queued_at, lane, address)
             SELECT gen_random_uuid(), 0, 1, NULL, due, queued, lane, 'a@b.test'
             FROM (VALUES (now() + interval '2 h', now() + interval '2 h', 'x'), (now() + interval '1 h', now() - interval '1 h', 'x'),
                          (now() + interval '1 h', now() - interval '2 h', 'x'), (now(), now() - interval '3 h', 'down')
                  ) AS r (due, queued, lane)`,
    });
    const first = await exposition();
    const states = ['fresh', 'retry', 'paused'];
    const waiting = (text: string): number[] =>
      states.map((state) => valueOf(text, `postrider_queue_recipients{state="${state}"}`));
    expect(waiting(first)).toEqual([1, 2, 1]);
    const oldest = states.map((state) => valueOf(first, `postrider_queue_oldest_age_seconds{state="${state}"}`));
    expect(oldest.map((seconds) => Math.round(seconds / 3_600))).toEqual([0, 2, 3]);
    await database.execute({ text: 'DELETE FROM outbound_queue' });
    expect(waiting(await exposition())).toEqual([1, 2, 1]);
  });

  it('are served to this machine only, not through a proxy', async () => {
    const proxied = await fetch(`${program.url}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(proxied.status).toBe(404);
    expect(await proxied.text()).not.toContain('postrider_');
  });

  it('require the token if there is one, even in a process without the API', async () => {
    const guarded = await startProgram({ METRICS_TOKEN: 'correct-horse', ROLES: 'worker' });
    try {
      const ask = async (authorization?: string): Promise<number> =>
        (await fetch(`${guarded.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } }))
          .status;
      expect([await ask(), await ask('Bearer wrong'), await ask('Bearer correct-horse')]).toEqual([404, 404, 200]);
    } finally {
      await guarded.stop();
    }
  });
});

function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

function sumOf(text: string, name: string): number {
  const lines = text.split('\n').filter((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
