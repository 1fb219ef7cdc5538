import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { checkSignature } from './webhook-signature.js';

const key = Buffer.alloc(32, 5);
const secret = `whsec_${key.toString('base64')}`;
const body = '{"type":"email.delivered","data":{}}';
const timestamp = '1763850000';
const now = 1_763_850_060_000;
const id = 'msg_1';
const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
const call = { secret, id, timestamp, signature, body };

it('tells a valid signature, also beside one of the previous secret', async () => {
  expect(await checkSignature(call, now)).toBe('valid');
  expect(await checkSignature({ ...call, signature: `v1,AAAA ${signature}` }, now)).toBe('valid');
});

it('names the likely mistake', async () => {
  expect(await checkSignature(call, now + 600_000)).toBe('old');
  expect(await checkSignature({ ...call, body: JSON.stringify(JSON.parse(body), null, 2) }, now)).toBe('reformatted');
  expect(await checkSignature({ ...call, body: `${body} ` }, now)).toBe('reformatted');
  expect(await checkSignature({ ...call, body: 'else' }, now)).toBe('wrong');
  expect(await checkSignature({ ...call, signature: 'sha256=abc' }, now)).toBe('unreadable');
  expect(await checkSignature({ ...call, secret: 'whsec_%' }, now)).toBe('unreadable');
});
