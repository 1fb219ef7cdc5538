import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { firstIdAt, newId } from '#kernel';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { stretched } from '../../support/runner/stretched.js';

/** Emails in the inbox of the attacker: half of them in one thread, the others in threads of their own. */
const emails = 60_000;
const inbox = newId();
const thread = newId();
/** The member who looks after all threads. */
const assignee = 'grace@attacker.test';

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram();
  await hostile.query(
    `INSERT INTO inboxes (id, team_id, domain_id, address, created_at, updated_at)
     SELECT $1, id, id, 'flood@attacker.test', now(), now() FROM teams WHERE name = 'Attacker'`,
    [inbox],
  );
  const idOf = (n: string): string => `overlay($1 placing lpad(to_hex(${n}), 12, '0') from 25)::uuid`;
  await hostile.query(
    `INSERT INTO inbox_threads (id, inbox_id, root, folder, subject, email_count, last_no, read_through, is_unread,
                                has_attachment, last_email_id, last_email_at)
     SELECT CASE WHEN n = 0 THEN $4::uuid ELSE ${idOf('n')} END, $2, gen_random_uuid(), 'inbox', 'Flood', 1, 1, 0, true, false,
            ${idOf('n')}, now() - n * interval '1 second'
     FROM generate_series(0, $3::int / 2) n`,
    [firstIdAt(new Date()), inbox, emails, thread],
  );
  await hostile.query(
    `INSERT INTO inbox_emails (inbox_id, id, thread_id, no, root, direction, "from", "to", cc, bcc, reply_to, subject, attachments,
                               received_at, search)
     SELECT $2::uuid, ${idOf('n')}, CASE WHEN n > $3::int / 2 THEN $4::uuid ELSE ${idOf('n')} END, n, gen_random_uuid(), 'inbound',
            'ada@x.test', (SELECT array_agg(repeat('x', 60) || g || '@x.test') FROM generate_series(1, 20) g), '{}', '{}', '{}',
            'Flood', '[]', now(), to_tsvector('simple', 'flood word' || n) || array_to_tsvector(ARRAY['inbox=' || $2::uuid])
     FROM generate_series(1, $3::int) n`,
    [firstIdAt(new Date()), inbox, emails, thread],
  );
  await hostile.query(
    `WITH made AS (
       INSERT INTO auth."user" (name, email, "emailVerified") VALUES ('Grace', $1, true) RETURNING id
     ), joined AS (
       INSERT INTO team_members (team_id, user_id, role, created_at)
       SELECT t.id, made.id, 'developer', now() FROM made, teams t WHERE t.name = 'Attacker' RETURNING user_id
     ) UPDATE inbox_threads SET assignee_id = joined.user_id FROM joined`,
    [assignee],
  );
  await hostile.query('ANALYZE inbox_emails, inbox_threads');
}, 240_000);

afterAll(() => hostile.stop());

async function statusesOf(paths: readonly string[]): Promise<readonly string[]> {
  const statuses = await Promise.all(
    paths.map(async (path) => {
      const response = await hostile.request(path);
      await response.text();
      return String(response.status);
    }),
  );
  return [...new Set(statuses)];
}

const many = Array.from({ length: 20 }, (_, n) => `nobody${n}`).join(',');

it.each([
  ['searches that look at all addresses', 60, () => `/inboxes/${inbox}/threads/search?to=${many}&cc=${many}`],
  ['searches for a word that stands everywhere', 60, () => `/inboxes/${inbox}/threads/search?query=flood`],
  ['searches without a word', 60, () => `/inboxes/${inbox}/threads/search?query=-flood`],
  ['lists of threads', 200, () => `/inboxes/${inbox}/threads?limit=100&folders=inbox,archive,sent,spam,trash`],
  ['lists of the threads of one member', 200, () => `/inboxes/${inbox}/threads?limit=100&assignee_email=${assignee}`],
  ['lists of a thread of thirty thousand', 60, () => `/inboxes/${inbox}/threads/${thread}/emails?limit=100`],
])(
  '%s, %i at once, do not hold up others',
  async (_, count, path) => {
    const calm = await hostile.during(() => statusesOf(Array.from({ length: count }, path)));

    expect(calm.result.filter((status) => !['200', '422', '429', '503'].includes(status))).toEqual([]);
    expect(calm.failures).toEqual([]);
    expect(calm.slowestRequestMs).toBeLessThan(calmMs);
    expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  },
  120_000,
);

it('a large thread is marked as read at once', async () => {
  const path = `/inboxes/${inbox}/threads/${thread}`;
  const startedAt = performance.now();
  for (const read of [true, false, true]) {
    const response = await hostile.request(path, { method: 'PATCH', body: JSON.stringify({ read }) });
    expect(response.status).toBe(200);
  }
  expect(performance.now() - startedAt).toBeLessThan(stretched(2_000));
});
