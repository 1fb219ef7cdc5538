import { Transaction } from '#kernel';
import { DatabaseTransaction, statementsOf } from '#postgres/database';
import { ArrivedEmail } from '../../application/ports/received-emails.port.js';
import { messageKeyOf } from '../mime/message-ids.js';

interface KnownMessage {
  readonly teamId: string;
  readonly key: string;
  readonly threadId: string;
}

type Threads = Map<string, KnownMessage>;

const nameOf = ({ teamId, key }: Pick<KnownMessage, 'teamId' | 'key'>): string => `${teamId} ${key}`;

/**
 * Gives each email the thread of the first of its keys that is known, and remembers all of its keys. Emails that answer
 * each other may be accepted at the same time: the second one waits until the first is committed, because both write the
 * key of the same message. Other emails do not wait.
 */
export async function placeInThreads(
  arrivals: readonly ArrivedEmail[],
  now: Date,
  transaction: DatabaseTransaction,
): Promise<ArrivedEmail[]> {
  const named: Threads = new Map();
  for (const { email, threadKeys } of arrivals) {
    for (const key of threadKeys) {
      const message = { teamId: email.teamId, key, threadId: email.threadId };
      if (!named.has(nameOf(message))) named.set(nameOf(message), message);
    }
  }
  if (named.size === 0) return [...arrivals];
  const added = await remember([...named.values()], now, transaction);
  const earlier = [...named.values()].filter((message) => !added.has(nameOf(message)));
  const known: Threads = new Map((await threadsOf(earlier, transaction)).map((message) => [nameOf(message), message]));
  const placed = arrivals.map((arrival) => placedAmong(known, arrival));
  const other = [...known.values()].filter(
    (message) => added.has(nameOf(message)) && named.get(nameOf(message))?.threadId !== message.threadId,
  );
  if (other.length > 0) await move(other, transaction);
  return placed;
}

/** The thread of a message that a team has sent, for the mail that answers it. */
export async function noteThread(
  teamId: string,
  messageId: string,
  threadId: string,
  now: Date,
  transaction: Transaction,
): Promise<void> {
  await remember([{ teamId, key: messageKeyOf(messageId), threadId }], now, statementsOf(transaction));
}

function placedAmong(known: Threads, arrival: ArrivedEmail): ArrivedEmail {
  const { email, threadKeys } = arrival;
  const { teamId } = email;
  const names = threadKeys.map((key) => nameOf({ teamId, key }));
  const name = names.find((each) => known.has(each)) ?? '';
  const threadId = known.get(name)?.threadId ?? email.threadId;
  for (const key of threadKeys) {
    const message = { teamId, key, threadId };
    if (!known.has(nameOf(message))) known.set(nameOf(message), message);
  }
  return { ...arrival, email: { ...email, threadId } };
}

/** Returns the names of those that were not known. In one order, so that two transactions do not wait for each other. */
async function remember(
  messages: readonly KnownMessage[],
  now: Date,
  transaction: DatabaseTransaction,
): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ teamId: string; key: string }>({
    name: 'remember-threads',
    text: `INSERT INTO received_threads (team_id, message_key, thread_id, created_at)
           SELECT team_id, key, thread_id, $4 FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS m (team_id, key, thread_id)
           ORDER BY team_id, key
           ON CONFLICT DO NOTHING RETURNING team_id AS "teamId", message_key AS key`,
    values: [...columnsOf(messages), now],
  });
  return new Set(rows.map(nameOf));
}

async function threadsOf(
  messages: readonly KnownMessage[],
  transaction: DatabaseTransaction,
): Promise<readonly KnownMessage[]> {
  if (messages.length === 0) return [];
  const [teamIds, keys] = columnsOf(messages);
  return transaction.query<KnownMessage & Record<string, unknown>>({
    name: 'known-threads',
    text: `SELECT m.team_id AS "teamId", m.key, t.thread_id AS "threadId"
           FROM unnest($1::uuid[], $2::uuid[]) AS m (team_id, key) CROSS JOIN LATERAL (
             SELECT thread_id FROM received_threads WHERE team_id = m.team_id AND message_key = m.key LIMIT 1
           ) t`,
    values: [teamIds, keys],
  });
}

async function move(messages: readonly KnownMessage[], transaction: DatabaseTransaction): Promise<void> {
  await transaction.execute({
    name: 'move-to-threads',
    text: `UPDATE received_threads t SET thread_id = m.thread_id
           FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS m (team_id, key, thread_id)
           WHERE t.team_id = m.team_id AND t.message_key = m.key`,
    values: columnsOf(messages),
  });
}

function columnsOf(messages: readonly KnownMessage[]): [string[], string[], string[]] {
  return [
    messages.map(({ teamId }) => teamId),
    messages.map(({ key }) => key),
    messages.map(({ threadId }) => threadId),
  ];
}
