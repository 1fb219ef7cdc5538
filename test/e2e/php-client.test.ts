import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Disk, DiskSpace } from '#observability/disk';
import { Adapters } from '#platform/adapters';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { until } from '../support/runner/until.js';

const gigabyte = 1024 ** 3;

class NearlyFullDisk extends Disk {
  async space(): Promise<DiskSpace> {
    return { freeBytes: gigabyte / 2, totalBytes: 100 * gigabyte };
  }
}

/** What resend-php sends. It throws for a body with `error`, or with a `name` that it knows, and for nothing else. */
const php = 'resend-php/1.7.0';
const node = 'resend-node:6.22.0';

describe('an error', () => {
  let program: RecordingProgram;

  beforeAll(async () => {
    program = await startRecordingProgram({}, new Adapters().use(Disk, new NearlyFullDisk()));
  });
  afterAll(() => program.stop());

  const send = (userAgent: string): Promise<Response> =>
    program.request('/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify(anEmail()),
    });

  it('whose name the PHP client does not know is in `error` too, so that no email counts as sent', async () => {
    const refusal = await until(async () => {
      const response = await send(php);
      return response.status === 503 ? response : undefined;
    });

    const { error, ...body } = (await refusal.json()) as Record<string, unknown>;

    expect(body).toEqual({ statusCode: 503, name: 'service_unavailable', message: expect.any(String) });
    expect(error).toEqual(body);
  });

  it('has three keys for every other client', async () => {
    const refusal = await send(node);

    expect(refusal.status).toBe(503);
    expect(Object.keys((await refusal.json()) as object).sort()).toEqual(['message', 'name', 'statusCode']);
  });

  it('whose name the PHP client knows has three keys for it as well', async () => {
    const missing = '/emails/01890000-0000-7000-8000-000000000001';

    const refusal = await program.request(missing, { headers: { 'user-agent': php } });

    expect(await refusal.json()).toEqual({ statusCode: 404, name: 'not_found', message: 'Email not found' });
  });
});
