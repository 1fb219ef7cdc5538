import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { Disk, DiskSpace } from '#observability/disk';
import { DiskCheck } from '../../apps/server/src/doctor/checks/disk.check.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { Clock } from '#kernel';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { testApiKey } from '../support/programs/program.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { until } from '../support/runner/until.js';

const gigabyte = 1024 ** 3;

class TestDisk extends Disk {
  freeBytes = 50 * gigabyte;
  async space(): Promise<DiskSpace> {
    return { freeBytes: this.freeBytes, totalBytes: 100 * gigabyte };
  }
}

describe('a disk that is nearly full', () => {
  const disk = new TestDisk();
  const clock = new TestClock();
  let program: RecordingProgram;

  beforeAll(async () => {
    program = await startRecordingProgram(
      { SMTP_LISTEN: '127.0.0.1:0+tls' },
      new Adapters().use(Disk, disk).use(Clock, clock),
    );
  });
  afterAll(() => program.stop());

  const send = (subject: string, key?: string, changes: object = {}): Promise<Response> =>
    program.request('/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: JSON.stringify(anEmail({ subject, ...changes })),
    });
  /** A busy machine may leave the process unready for a moment, and then the response has no details. */
  const isAccepting = async (): Promise<boolean> => {
    const details = await until(async () => {
      const response = (await (await program.request('/readyz')).json()) as {
        details?: { disk: { accepting_mail: boolean } };
      };
      return response.details;
    });
    return details.disk.accepting_mail;
  };
  const metric = async (name: string): Promise<number> => {
    const text = await (await program.request('/metrics')).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const mail = async (): Promise<string> => {
    const client = await SmtpDialogue.loggedIn(program.postrider.smtp.listening[0]?.port ?? 0, testApiKey);
    return client.ask('MAIL FROM:<hello@sandbox.postrider.test>');
  };

  it('refuses mail over HTTP and SMTP, delivers accepted mail, and accepts mail again by itself', async () => {
    const first = await (await send('before', 'key-1')).json();
    const in_a_minute = new Date(clock.now().getTime() + 60_000).toISOString();
    expect((await send('scheduled', undefined, { scheduled_at: in_a_minute })).status).toBe(200);
    expect(await mail()).toMatch(/^250/);
    expect(await metric('postrider_disk_accepting')).toBe(1);

    disk.freeBytes = gigabyte - 1;
    await until(async () => !(await isAccepting()));
    const refusal = await send('refused');
    expect(refusal.status).toBe(503);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refusal.json()).toEqual({
      statusCode: 503,
      name: 'service_unavailable',
      message: expect.stringContaining('room'),
    });
    expect(await mail()).toMatch(/^451 4\.3\.1 /);
    expect(await metric('postrider_disk_accepting')).toBe(0);
    expect(await metric('postrider_disk_free_bytes')).toBe(gigabyte - 1);

    // A repeated request gets its response again, stored mail can be read, and accepted mail is sent.
    expect(await (await send('before', 'key-1')).json()).toEqual(first);
    expect((await program.request('/emails')).status).toBe(200);
    clock.advance(61_000);
    await until(() => program.delivered('scheduled') === 1);

    disk.freeBytes = 1.05 * gigabyte;
    await until(async () => (await metric('postrider_disk_free_bytes')) === 1.05 * gigabyte);
    expect(await isAccepting()).toBe(false);

    disk.freeBytes = 1.2 * gigabyte;
    await until(isAccepting);
    expect((await send('after')).status).toBe(200);
    expect(await mail()).toMatch(/^250/);
    expect(program.delivered('refused')).toBe(0);
  });

  it('is red in the report of the doctor', async () => {
    const config = readConfig({});
    disk.freeBytes = gigabyte / 2;
    expect(await new DiskCheck(config, disk).run()).toMatchObject([
      { level: 'red', text: expect.stringContaining('no mail is accepted') },
    ]);
    disk.freeBytes = 50 * gigabyte;
    expect(await new DiskCheck(config, disk).run()).toMatchObject([{ level: 'green' }]);
  });
});
