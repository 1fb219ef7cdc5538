import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { inboxAddress, InboxProgram } from '../support/programs/inbox-program.js';
import { until } from '../support/runner/until.js';

/** Conversations that arrive at two servers at once, in the spellings that programs give to references. */
let program: InboxProgram;
let other: InboundProgram;

beforeAll(async () => {
  program = await InboxProgram.start({ RATE_LIMIT_PER_SECOND: '1000' });
  other = await program.inbound.another();
});
afterAll(async () => {
  await other.stop();
  await program.stop();
});

/** The same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const spellings: readonly ((ids: readonly string[]) => string)[] = [
  (ids) => ids.map((id) => `<${id}>`).join(' '),
  (ids) => ids.map((id) => `<${id.toUpperCase()}>`).join('\n '),
  (ids) => ids.join(' '),
  (ids) => ids.map((id) => `<${id}>`).join(','),
  (ids) => ids.map((id) => encodeURIComponent(`<${id}>`)).join(' '),
  (ids) => ids.map((id) => `=?us-ascii?Q?=3C${id}=3E?=`).join(' '),
  (ids) => ids.map((id) => `<${id.replace('@', '\n @')}>`).join(' '),
  (ids) => ['<elsewhere@gateway.test>', ...ids.map((id) => `<${id}>`)].join('\n '),
];

interface Mail {
  readonly id: string;
  readonly from: string;
  readonly fields: readonly string[];
}

function messageOf({ id, from, fields }: Mail): string {
  return [`From: ${from}`, `To: ${inboxAddress}`, `Message-ID: <${id}>`, ...fields, 'Subject: x', '', 'x', ''].join(
    '\n',
  );
}

/** Each mail names the message that it answers, and perhaps those before, but not the first one. Each comes after the other. */
function followed(name: string, below: (most: number) => number): Mail[] {
  const ids = Array.from({ length: 2 + below(5) }, (_, no) => `${name}.${no}@Customer.test`);
  return ids.map((id, no) => {
    if (no === 0) return { id, from: `${name}@customer.test`, fields: [] };
    const named = ids.slice(Math.max(no > 1 ? 1 : 0, no - 1 - below(3)), no);
    const spelled = spellings[below(spellings.length)]?.(named) ?? '';
    const field = named.length === 1 && below(2) === 0 ? 'In-Reply-To' : 'References';
    return { id, from: `${name}@customer.test`, fields: [`${field}: ${spelled}`] };
  });
}

/** Several people answer one message that never comes, or comes last. Their mail comes at the same time, in any order. */
function scattered(name: string, below: (most: number) => number): Mail[] {
  const ids = Array.from({ length: 3 + below(5) }, (_, no) => `${name}.${no}@Customer.test`);
  const mail = ids.map((id, no) => ({
    id,
    from: `${name}-${below(3)}@customer.test`,
    fields: no === 0 ? [] : [`References: ${spellings[below(spellings.length - 1)]?.(ids.slice(0, no)) ?? ''}`],
  }));
  const isComplete = below(2) === 0;
  return mail
    .slice(isComplete ? 0 : 1)
    .map((each) => ({ each, place: below(1_000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each);
}

describe('the mail of a conversation', () => {
  it.each([1, 2, 3])('is in one thread, in whatever order it is filed (seed %i)', async (seed) => {
    const below = random(seed);
    const servers = [program.inbound, other];
    const serverOf = (): InboundProgram => servers[below(servers.length)] as InboundProgram;
    const conversations = Array.from({ length: 16 }, (_, no) => {
      const name = `c${seed}-${no}`;
      return no % 2 === 0
        ? { mail: followed(name, below), isFollowed: true }
        : { mail: scattered(name, below), isFollowed: false };
    });

    const received = await Promise.all(
      conversations.map(async ({ mail, isFollowed }) => {
        const bring = (each: Mail): Promise<string> =>
          serverOf().received(messageOf(each), { to: inboxAddress, from: each.from });
        if (!isFollowed) return Promise.all(mail.map(bring));
        const ids: string[] = [];
        for (const each of mail) ids.push(await bring(each));
        return ids;
      }),
    );
    const all = received.flat();
    const rows = await until(async () => {
      const filed = await program.rows<{ id: string; inInbox: string; ofMail: string }>(
        `SELECT e.id, e.thread_id AS "inInbox", r.thread_id AS "ofMail"
         FROM inbox_emails e JOIN received_emails r USING (id) WHERE e.id = ANY ($1::uuid[])`,
        [all],
      );
      return filed.length === all.length && new Map(filed.map((row) => [row.id, row]));
    });

    const threadsOf = (field: 'inInbox' | 'ofMail') =>
      received.map((ids) => [...new Set(ids.map((id) => rows.get(id)?.[field]))]);
    for (const field of ['ofMail', 'inInbox'] as const) {
      const threads = threadsOf(field);
      expect(threads.map(({ length }, no) => [no, length])).toEqual(received.map((_, no) => [no, 1]));
      expect(new Set(threads.flat()).size).toBe(received.length);
    }
  });

  it('is in one thread with what the inbox answered, also if only that is named', async () => {
    const { threadId, emailId } = await program.filed(
      messageOf({ id: 'asks@customer.test', from: 'a@b.test', fields: [] }),
    );
    await program.ask('POST', `/threads/${threadId}/emails/${emailId}/reply`, { text: 'Yes' });
    const { body } = await program.ask('GET', `/threads/${threadId}/emails`);
    const [answer] = body.data as { readonly message_id: string }[];
    const fields = [`In-Reply-To: ${answer?.message_id.toUpperCase() ?? ''}`];

    const next = await program.filed(messageOf({ id: 'thanks@customer.test', from: 'a@b.test', fields }));

    expect(next.threadId).toBe(threadId);
    const threads = await program.rows('SELECT DISTINCT thread_id FROM received_emails WHERE id = ANY ($1::uuid[])', [
      [emailId, next.emailId],
    ]);
    expect(threads).toHaveLength(1);
  });

  it('is in the thread of the nearest message that is known', async () => {
    const [far, near] = await Promise.all(
      ['far', 'near'].map((id) =>
        program.filed(messageOf({ id: `${id}@customer.test`, from: 'a@b.test', fields: [] })),
      ),
    );
    const fields = ['References: <gone@x.test> <far@customer.test> <near@customer.test> <unknown@x.test>'];
    const joined = await program.filed(messageOf({ id: 'joins@customer.test', from: 'a@b.test', fields }));

    expect(joined.threadId).toBe(near?.threadId);
    expect(joined.threadId).not.toBe(far?.threadId);
  });
});
