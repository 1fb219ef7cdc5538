import { createHash } from 'node:crypto';
import { maxPipelinedPutBytes, MessageStore } from '#emails';
import { TeamEvents } from '#events';
import { Clock, GroupCommit, ItemResult, newId } from '#kernel';
import { Database, storableJson } from '#postgres/database';
import type { DatabaseTransaction } from '#postgres/database';
import { Quotas } from '#rate-limit';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { AcceptedMessage, ArrivedEmail, StoredReceivedMessage } from '../../application/ports/received-emails.port.js';
import { receivedEventData, ReceivedEmail } from '../../domain/received-email.js';
import { Timers } from '#platform/timers';
import { placeInThreads } from './received-threads.js';

const retryMs = 1_000;
/** Receipts that could not be removed yet. More are forgotten: equal bytes count as the same message for some days. */
const maxWaiting = 50_000;
const maxPerStatement = 1_000;

/**
 * Removes the receipts of messages whose 250 has arrived. Equal bytes are a new message from then on, so the client
 * gets no other reply before the removal is durable: after a kill, its next message would be taken for one that it
 * sends again, and not be stored.
 */
@Injectable()
export class ConfirmedReceipts implements OnApplicationShutdown {
  private readonly waiting = new Set<string>();
  private readonly removals: GroupCommit<{ readonly receipt: string; readonly isWaiting: boolean }, undefined>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    timers: Timers,
  ) {
    const remove = async (items: readonly { readonly receipt: string; readonly isWaiting: boolean }[]) => {
      // A receipt that waits no more was written again meanwhile, by a message whose 250 has not arrived.
      const isWanted = ({ receipt, isWaiting }: (typeof items)[number]): boolean =>
        !isWaiting || this.waiting.has(receipt);
      await this.remove(items.filter(isWanted).map(({ receipt }) => receipt));
      return items.map(() => ({ value: undefined }));
    };
    this.removals = new GroupCommit(remove, { maxBatch: maxPerStatement, concurrency: 1, gatherMs: 0 });
    timers.every(retryMs, 'removing the receipts of received mail', () => this.retry());
  }

  /** Resolves once the receipt is removed. If that fails it waits here, and is removed later. */
  async add(receipt: string): Promise<void> {
    const isWaiting = this.waiting.size < maxWaiting;
    if (isWaiting) this.waiting.add(receipt);
    await this.removals.submit({ receipt, isWaiting }).catch(() => undefined);
  }

  /** Those of the receipts that wait here to be removed: messages with them are new. */
  among(receipts: readonly string[]): string[] {
    return this.waiting.size === 0 ? [] : receipts.filter((receipt) => this.waiting.has(receipt));
  }

  /** To be called when receipts were written again. */
  forget(receipts: readonly string[]): void {
    for (const receipt of receipts) this.waiting.delete(receipt);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.removals.drain();
    await this.retry().catch(() => undefined);
  }

  private async retry(): Promise<void> {
    const all = [...this.waiting];
    for (let at = 0; at < all.length; at += maxPerStatement) await this.remove(all.slice(at, at + maxPerStatement));
  }

  private async remove(receipts: readonly string[]): Promise<void> {
    await this.database.execute({
      name: 'remove-received-receipts',
      text: `DELETE FROM received_receipts WHERE digest = ANY (ARRAY(
               SELECT digest FROM received_receipts WHERE digest = ANY ($1::bytea[]) AND created_at <= $2
               ORDER BY digest FOR UPDATE))`,
      // Equal bytes that arrive meanwhile write the receipt again.
      values: [receipts.map((receipt) => Buffer.from(receipt, 'hex')), this.clock.now()],
    });
    this.forget(receipts);
  }
}

/** A larger message gets a transaction of its own, so that small mail never waits for it. */
const maxSharedBytes = 64 * 1024;
/** Maximum wait. After it the other server is told to try again. */
const maxWaitMs = 10_000;

interface Submitted {
  readonly message: AcceptedMessage;
  readonly digest: Buffer;
}

/** Writes accepted messages. Those that arrive at the same time share a transaction. */
@Injectable()
export class AcceptMessages {
  private readonly small: GroupCommit<Submitted, StoredReceivedMessage>;
  private readonly large: GroupCommit<Submitted, StoredReceivedMessage>;

  constructor(
    private readonly database: Database,
    private readonly store: MessageStore,
    private readonly events: TeamEvents,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
    private readonly confirmed: ConfirmedReceipts,
  ) {
    const write = (items: readonly Submitted[]): Promise<readonly ItemResult<StoredReceivedMessage>[]> =>
      this.write(items);
    const options = { gatherMs: 2, patienceMs: maxWaitMs };
    this.small = new GroupCommit(write, { ...options, maxBatch: 128, concurrency: 2, ownerOf: teamOf });
    this.large = new GroupCommit(write, { ...options, maxBatch: 1, concurrency: 4, ownerOf: teamOf });
  }

  async accept(message: AcceptedMessage): Promise<StoredReceivedMessage> {
    const { content, identity } = message;
    const submitted = { message, digest: createHash('sha256').update(JSON.stringify(identity)).digest() };
    if (!this.store.joinsTransaction && content.bytes !== undefined) {
      await this.store.put([{ id: content.id, bytes: content.bytes }]);
    }
    if (content.size <= maxSharedBytes) return this.small.submit(submitted);
    // Writing it may take seconds, for which other mail of its thread must not wait.
    await this.database.run((transaction) => placeInThreads(message.arrivals, this.clock.now(), transaction));
    return this.large.submit(submitted);
  }

  private async write(submitted: readonly Submitted[]): Promise<readonly ItemResult<StoredReceivedMessage>[]> {
    const renewed = this.confirmed.among(submitted.map(({ digest }) => digest.toString('hex')));
    const { ids, usage } = await this.database.run(async (transaction) => {
      const items = await inThreads(submitted, this.clock.now(), transaction);
      if (renewed.length > 0) await this.renew(renewed, items, transaction);
      const { added, found } = await this.insert(items, transaction);
      const fresh = items.filter(({ message }) => added.has(message.content.id));
      return { ids: found, usage: await this.complete(fresh, transaction) };
    });
    this.confirmed.forget(renewed);
    if (usage !== undefined) this.quotas.remember(usage);
    return submitted.map(({ digest }) => {
      const receipt = digest.toString('hex');
      return { value: { id: ids.get(receipt) as string, receipt } };
    });
  }

  /**
   * Equal bytes whose earlier reply has arrived are new messages, unless an attempt for them was committed and not
   * confirmed.
   */
  private async renew(
    receipts: readonly string[],
    items: readonly Submitted[],
    transaction: DatabaseTransaction,
  ): Promise<void> {
    await transaction.execute({
      name: 'renew-received-receipts',
      text: `DELETE FROM received_receipts WHERE digest = ANY (ARRAY(
               SELECT digest FROM received_receipts WHERE digest = ANY ($1::bytea[]) AND email_id <> ALL ($2::uuid[])
               ORDER BY digest FOR UPDATE))`,
      values: [receipts.map((receipt) => Buffer.from(receipt, 'hex')), items.map(({ message }) => message.content.id)],
    });
  }

  /**
   * Inserts the emails of messages that are new. Resolves with the ids that were added, and with the id of each message
   * by its digest: a message that came before, or was written by an attempt whose commit was not confirmed, keeps its
   * earlier id. A receipt that is there stays locked until the end, so that no message is acknowledged for one that is
   * being removed.
   */
  private async insert(
    items: readonly Submitted[],
    transaction: DatabaseTransaction,
  ): Promise<{ readonly added: ReadonlySet<string>; readonly found: ReadonlyMap<string, string> }> {
    const emails = items.flatMap(({ message }) => message.arrivals.map(({ email }) => rowOf(email)));
    const rows = await transaction.query<{ digest: string; id: string; isNew: boolean }>({
      name: 'accept-received',
      text: `WITH receipts AS (
               INSERT INTO received_receipts AS r (digest, email_id, created_at)
               SELECT DISTINCT ON (digest) digest, email_id, $3::timestamptz
               FROM unnest($1::bytea[], $2::uuid[]) AS given (digest, email_id) ORDER BY digest, email_id
               ON CONFLICT (digest) DO UPDATE SET created_at = r.created_at RETURNING digest, email_id, xmax = 0 AS is_new
             ), mail AS (
               INSERT INTO received_emails (${columnNames})
               SELECT ${columnNames} FROM json_to_recordset($4::json) AS m (${columnTypes})
               WHERE content_id IN (SELECT email_id FROM receipts WHERE is_new)
             )
             SELECT encode(digest, 'hex') AS digest, email_id AS id, is_new AS "isNew" FROM receipts`,
      values: [
        items.map(({ digest }) => digest),
        items.map(({ message }) => message.content.id),
        this.clock.now(),
        storableJson(emails),
      ],
    });
    return {
      added: new Set(rows.filter(({ isNew }) => isNew).map(({ id }) => id)),
      found: new Map(rows.map(({ digest, id }) => [digest, id])),
    };
  }

  /** Everything else, in the same transaction. */
  private async complete(
    fresh: readonly Submitted[],
    transaction: DatabaseTransaction,
  ): Promise<Awaited<ReturnType<Quotas['countReceived']>> | undefined> {
    if (fresh.length === 0) return undefined;
    const arrivals = fresh.flatMap(({ message }) => message.arrivals);
    const contents = fresh.flatMap(({ message: { content } }) =>
      content.bytes === undefined ? [] : [{ id: content.id, bytes: content.bytes }],
    );
    const stored =
      this.store.joinsTransaction && contents.length > 0 ? this.store.put(contents, transaction) : Promise.resolve();
    const isLarge = contents.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxPipelinedPutBytes;
    if (isLarge) await stored;
    const written = [stored, this.announce(arrivals, transaction), this.queueWork(arrivals, transaction)];
    const usage = this.quotas.countReceived(countedOf(arrivals), transaction);
    // Sent together with the statements: the counters of the teams must not stay locked while this process is busy.
    void transaction.commit();
    await Promise.all(written);
    return usage;
  }

  private async announce(arrivals: readonly ArrivedEmail[], transaction: DatabaseTransaction): Promise<void> {
    const events = arrivals
      .filter(({ announce }) => announce)
      .map(({ email }) => ({
        id: newId(),
        teamId: email.teamId,
        type: 'email.received' as const,
        data: receivedEventData(email),
        createdAt: email.createdAt,
      }));
    await this.events.append(events, transaction);
  }

  private async queueWork(arrivals: readonly ArrivedEmail[], transaction: DatabaseTransaction): Promise<void> {
    const working = arrivals.filter(({ act }) => act);
    if (working.length === 0) return;
    await transaction.execute({
      name: 'queue-received-work',
      text: `INSERT INTO received_work (email_id, team_id, announced, due_at)
             SELECT email_id, team_id, announced, $4
             FROM unnest($1::uuid[], $2::uuid[], $3::boolean[]) AS w (email_id, team_id, announced)`,
      values: [
        working.map(({ email }) => email.id),
        working.map(({ email }) => email.teamId),
        working.map(({ announce }) => announce),
        this.clock.now(),
      ],
    });
  }
}

async function inThreads(
  items: readonly Submitted[],
  now: Date,
  transaction: DatabaseTransaction,
): Promise<readonly Submitted[]> {
  const placed = await placeInThreads(
    items.flatMap(({ message }) => message.arrivals),
    now,
    transaction,
  );
  return items.map(({ message, digest }) => ({
    message: { ...message, arrivals: placed.splice(0, message.arrivals.length) },
    digest,
  }));
}

function teamOf({ message }: Submitted): string {
  return message.arrivals[0]?.email.teamId ?? '';
}

/** Each recipient is one message, as for mail that is sent. */
function countedOf(arrivals: readonly ArrivedEmail[]): { teamId: string; messages: number }[] {
  return arrivals.map(({ email }) => ({ teamId: email.teamId, messages: email.recipients.length }));
}

/** The columns of `received_emails` with their types in JSON, in one order for reading and writing. */
const columns = [
  ['id', 'uuid', 'id'],
  ['team_id', 'uuid', 'teamId'],
  ['domain_id', 'uuid', 'domainId'],
  ['content_id', 'uuid', 'contentId'],
  ['created_at', 'timestamptz', 'createdAt'],
  ['size', 'integer', 'size'],
  ['mail_from', 'text', 'mailFrom'],
  ['recipients', 'text[]', 'recipients'],
  ['from', 'text', 'from'],
  ['to', 'text[]', 'to'],
  ['cc', 'text[]', 'cc'],
  ['bcc', 'text[]', 'bcc'],
  ['reply_to', 'text[]', 'replyTo'],
  ['subject', 'text', 'subject'],
  ['message_id', 'text', 'messageId'],
  ['thread_id', 'uuid', 'threadId'],
  ['attachments', 'jsonb', 'attachments'],
  ['client', 'jsonb', 'client'],
  ['verdicts', 'jsonb', 'verdicts'],
  ['is_above_quota', 'boolean', 'isAboveQuota'],
  ['trace', 'text', 'trace'],
] as const satisfies readonly (readonly [string, string, keyof ReceivedEmail])[];

const quoted = (text: string): string => `"${text}"`;

export const columnNames = columns.map(([name]) => quoted(name)).join(', ');
export const columnTypes = columns.map(([name, type]) => `${quoted(name)} ${type}`).join(', ');
export const selectedColumns = columns.map(([name, , field]) => `${quoted(name)} AS ${quoted(field)}`).join(', ');

/** A row for `json_to_recordset`. */
export function rowOf(email: ReceivedEmail): Record<string, unknown> {
  return Object.fromEntries(columns.map(([name, , field]) => [name, email[field]]));
}
