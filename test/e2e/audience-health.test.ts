import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { imported } from '../support/builders/contact-import-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';

let program: TestProgram;
let segmentId: string;
let broadcastId: string;

beforeAll(async () => {
  program = await startProgram();
  segmentId = (await program.resend.segments.create({ name: 'Fair' })).data?.id as string;
  const { data } = await program.resend.broadcasts.create({
    segmentId,
    from: testSender,
    subject: 'After the fair',
    html: '<p>Hello</p>',
  });
  broadcastId = data?.id as string;
});

afterAll(() => program.stop());

async function health(id: string, apiKey?: string): Promise<{ status: number; json: ParsedJson }> {
  const headers = apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` };
  const response = await program.request(`/broadcasts/${id}/audience-health`, { headers });
  return { status: response.status, json: (await response.json()) as ParsedJson };
}

it('an import is known by the name of its file, and the audience that it brought by the import', async () => {
  const fields = { segments: [{ id: segmentId }] };
  const rows = Array.from({ length: 110 }, (_, no) => `guest${no}@fair.test`).join('\n');
  const { id, file_name } = await imported(program, `email\n${rows}\n`, fields, 'C:\\files\\the fair\u202e.csv');
  expect(file_name).toBe('the fair .csv');
  const { status, json } = await health(broadcastId);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    object: 'audience_health',
    broadcast_id: broadcastId,
    members: 110,
    recipients: 110,
    measured: 110,
    estimated: false,
    imports: [{ id, file_name, contacts: 110 }],
  });
  const statuses = (json.findings as { id: string; status: string }[]).map((finding) => [finding.id, finding.status]);
  expect(statuses).toEqual([
    ['never_mailed', 'warning'],
    ['recent_imports', 'warning'],
    ['recipients', 'good'],
    ['suppressed', 'good'],
    ['unengaged', 'not_measured'],
  ]);
  expect(json.findings[1]).toMatchObject({ contacts: 110, of: 110, percent: 100, fix: expect.any(String) });
});

it('those who bounced are told, and get nothing', async () => {
  await program.resend.contacts.update({ email: 'guest0@fair.test', unsubscribed: true });
  await program.request('/suppressions', { method: 'POST', body: JSON.stringify({ email: 'guest1@fair.test' }) });
  const { json } = await health(broadcastId);
  expect(json).toMatchObject({ members: 110, recipients: 108 });
});

it('other teams, unknown broadcasts and segments that are gone answer 404', async () => {
  const { apiKey } = await addSecondTeam(program.postrider.app);
  expect((await health(broadcastId, apiKey)).status).toBe(404);
  expect((await health(newId())).status).toBe(404);
  await program.resend.segments.remove(segmentId);
  expect((await health(broadcastId)).status).toBe(404);
});
