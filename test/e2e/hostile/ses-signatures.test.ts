import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';

const mebibyte = 1024 * 1024;
/** One owner may hold 96 MB of bodies. */
const maxGrowth = 400 * mebibyte;

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram({ WIRES: 'ses' });
});

afterAll(() => hostile.stop());

/** A stranger who has learned the id of a key of the other customer signs with a secret that is wrong. */
it('large bodies that a stranger signs in the name of a key take room from nobody else', async () => {
  const [{ id = '' } = {}] = await hostile.query<{ id: string }>('SELECT id FROM api_keys ORDER BY id LIMIT 1');
  const data = 'QUJD'.repeat(5 * mebibyte);
  await flood(id, '/ses/v2/email/outbound-emails', JSON.stringify({ Content: { Raw: { Data: data } } }));
});

it('forms that a stranger signs in the name of a key do not either', async () => {
  const [{ id = '' } = {}] = await hostile.query<{ id: string }>('SELECT id FROM api_keys ORDER BY id LIMIT 1');
  await flood(id, '/ses/', `Action=SendRawEmail&RawMessage.Data=${'%2B'.repeat(5 * mebibyte)}`);
  await flood(id, '/ses/', '&='.repeat(8 * mebibyte - 1), true);
});

async function flood(id: string, path: string, body: string, malformed = false): Promise<void> {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const forged = async (): Promise<number> => {
    const response = await fetch(`${hostile.program.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded',
        'x-amz-date': date,
        authorization:
          `AWS4-HMAC-SHA256 Credential=${id}/${date.slice(0, 8)}/eu-central-1/ses/aws4_request, ` +
          `SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
      },
      body,
    });
    // Version 1 has the status 400 for it.
    return (await response.text()).includes('<Code>Throttling</Code>') ? 429 : response.status;
  };
  const calm = await hostile.during(() => Promise.all(Array.from({ length: 40 }, forged)));

  expect(calm.result).toContain(malformed ? 400 : 403);
  expect(calm.result.filter((status) => ![malformed ? 400 : 403, 429, 503].includes(status))).toEqual([]);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.memoryGrowth).toBeLessThan(maxGrowth);
}
