import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { startProgram, TestProgram, testSender } from '../support/program.js';

let program: TestProgram;

beforeAll(async () => {
  program = await startProgram();
});
afterAll(() => program.stop());

async function ask(path: string, init?: RequestInit): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await program.request(path, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('an account that has received nothing', () => {
  it('has an empty list of received emails', async () => {
    const empty = { object: 'list', has_more: false, data: [] };

    expect(await ask('/emails/receiving')).toEqual({ status: 200, body: empty });
    expect(await ask(`/emails/receiving?limit=5&after=${newId()}`)).toEqual({ status: 200, body: empty });
    expect((await program.resend.emails.receiving.list()).data).toEqual(empty);
    expect(await ask('/emails/receiving?limit=101')).toMatchObject({ status: 422, body: { name: 'validation_error' } });
    expect(await ask('/emails/receiving?after=x')).toMatchObject({ status: 422, body: { name: 'validation_error' } });
  });

  it.each(['', '/attachments', `/attachments/${newId()}`])('has no email at {id}%s', async (path) => {
    const { status, body } = await ask(`/emails/receiving/${newId()}${path}`);

    expect({ status, ...body }).toMatchObject({ status: 404, name: 'not_found', message: 'Email not found' });
    expect(await ask(`/emails/receiving/x${path}`)).toMatchObject({ status: 422, body: { name: 'invalid_parameter' } });
  });

  it('does not find what it sent among what it received', async () => {
    const { data } = await program.resend.emails.send({ from: testSender, to: 'a@b.test', subject: 'Hi', text: 'Hi' });

    expect((await ask(`/emails/receiving/${data?.id}`)).status).toBe(404);
    expect((await ask(`/emails/${data?.id}`)).status).toBe(200);
  });

  it('needs a key with full access', async () => {
    const { data } = await program.resend.apiKeys.create({ name: 'Sending', permission: 'sending_access' });
    const headers = { authorization: `Bearer ${data?.token}` };

    expect(await ask('/emails/receiving', { headers })).toMatchObject({ body: { name: 'restricted_api_key' } });
    expect((await ask('/emails/receiving', { headers: { authorization: '' } })).status).toBe(401);
  });
});

describe.each(['/email', '/emails/sending', '/email/sending'])('the former path %s', (path) => {
  const post = (key: string, at = path, headers = {}) =>
    ask(at, {
      method: 'POST',
      headers: { 'idempotency-key': key, ...headers },
      body: JSON.stringify({ from: testSender, to: 'a@b.test', subject: 'Hi', text: 'Hi' }),
    });

  it('accepts emails like /emails, even with a sending key', async () => {
    const { data } = await program.resend.apiKeys.create({ name: 'Sending', permission: 'sending_access' });

    const sent = await post(path, path, { authorization: `Bearer ${data?.token}` });

    expect(sent).toEqual({ status: 200, body: { id: expect.any(String) } });
    expect(await post(path, '/emails')).toEqual(sent);
    expect(await ask(path, { method: 'POST', body: '{}' })).toMatchObject({
      status: 422,
      body: { name: 'missing_required_field' },
    });
  });
});
