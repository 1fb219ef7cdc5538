import { createHash } from 'node:crypto';
import { maxPipelinedPutBytes, MessageStore } from '#emails';
import { Clock, newId, TeamEvents } from '#kernel';
import { GroupCommit, Database, ItemResult, storableJson } from '#platform/database';
import type { DatabaseTransaction } from '#platform/database';
import { Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { AcceptedMessage, Arrival, StoredMessage } from '../../application/ports/received-emails.port.js';
import { receivedEventData } from '../../domain/received-event.js';
import { ConfirmedReceipts } from './confirmed-receipts.js';
import { columnNames, columnTypes, rowOf } from './received-email.row.js';

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
  private readonly small: GroupCommit<Submitted, StoredMessage>;
  private readonly large: GroupCommit<Submitted, StoredMessage>;

  constructor(
    private readonly database: Database,
    private readonly store: MessageStore,
    private readonly events: TeamEvents,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
    private readonly confirmed: ConfirmedReceipts,
  ) {
    const write = (items: readonly Submitted[]): Promise<readonly ItemResult<StoredMessage>[]> => this.write(items);
    const options = { gatherMs: 2, patienceMs: maxWaitMs };
    this.small = new GroupCommit(write, { ...options, maxBatch: 128, concurrency: 2, ownerOf: teamOf });
    this.large = new GroupCommit(write, { ...options, maxBatch: 1, concurrency: 4, ownerOf: teamOf });
  }

  async execute(message: AcceptedMessage): Promise<StoredMessage> {
    const { content, identity } = message;
    const submitted = { message, digest: createHash('sha256').update(JSON.stringify(identity)).digest() };
    if (!this.store.joinsTransaction && content.bytes !== undefined) {
      await this.store.put([{ id: content.id, bytes: content.bytes }]);
    }
    return (content.size > maxSharedBytes ? this.large : this.small).submit(submitted);
  }

  private async write(items: readonly Submitted[]): Promise<readonly ItemResult<StoredMessage>[]> {
    const renewed = this.confirmed.among(items.map(({ digest }) => digest.toString('hex')));
    const { ids, usage } = await this.database.run(async (transaction) => {
      if (renewed.length > 0) await this.renew(renewed, transaction);
      const { added, found } = await this.insert(items, transaction);
      const fresh = items.filter(({ message }) => added.has(message.content.id));
      return { ids: found, usage: await this.complete(fresh, transaction) };
    });
    this.confirmed.forget(renewed);
    if (usage !== undefined) this.quotas.remember(usage);
    return items.map(({ digest }) => {
      const receipt = digest.toString('hex');
      return { value: { id: ids.get(receipt) as string, receipt } };
    });
  }

  /** Equal bytes whose earlier reply has arrived are new messages. */
  private async renew(receipts: readonly string[], transaction: DatabaseTransaction): Promise<void> {
    await transaction.execute({
      name: 'renew-received-receipts',
      text: 'DELETE FROM received_receipts WHERE digest = ANY ($1::bytea[])',
      values: [receipts.map((receipt) => Buffer.from(receipt, 'hex'))],
    });
  }

  /**
   * Inserts the emails of messages that are new. Resolves with the ids that were added, and with the id of each message by its
   * digest: a message that came before, or was written by an attempt whose commit was not confirmed, keeps its earlier id.
   */
  private async insert(
    items: readonly Submitted[],
    transaction: DatabaseTransaction,
  ): Promise<{ readonly added: ReadonlySet<string>; readonly found: ReadonlyMap<string, string> }> {
    const emails = items.flatMap(({ message }) => message.arrivals.map(({ email }) => rowOf(email)));
    const ids = await transaction.query<{ digest: string; id: string }>({
      name: 'accept-received',
      text: `WITH fresh AS (
               INSERT INTO received_receipts (digest, email_id, created_at)
               SELECT digest, email_id, $3 FROM unnest($1::bytea[], $2::uuid[]) AS given (digest, email_id) ORDER BY digest
               ON CONFLICT (digest) DO NOTHING RETURNING digest, email_id
             ), mail AS (
               INSERT INTO received_emails (${columnNames})
               SELECT ${columnNames} FROM json_to_recordset($4::json) AS m (${columnTypes})
               WHERE content_id IN (SELECT email_id FROM fresh)
             )
             SELECT encode(digest, 'hex') AS digest, email_id AS id FROM fresh`,
      values: [
        items.map(({ digest }) => digest),
        items.map(({ message }) => message.content.id),
        this.clock.now(),
        storableJson(emails),
      ],
    });
    const found = new Map(ids.map(({ digest, id }) => [digest, id]));
    const added = new Set(found.values());
    const others = items.filter(({ digest }) => !found.has(digest.toString('hex'))).map(({ digest }) => digest);
    if (others.length === 0) return { added, found };
    const earlier = await transaction.query<{ digest: string; id: string }>({
      name: 'find-received-receipts',
      text: `SELECT encode(digest, 'hex') AS digest, email_id AS id FROM received_receipts WHERE digest = ANY ($1::bytea[])`,
      values: [others],
    });
    for (const { digest, id } of earlier) found.set(digest, id);
    return { added, found };
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

  private async announce(arrivals: readonly Arrival[], transaction: DatabaseTransaction): Promise<void> {
    const events = arrivals
      .filter(({ announce }) => announce)
      .map(({ email }) => ({
        id: newId(),
        teamId: email.teamId,
        type: 'email.received',
        data: receivedEventData(email),
        createdAt: email.createdAt,
      }));
    await this.events.append(events, transaction);
  }

  private async queueWork(arrivals: readonly Arrival[], transaction: DatabaseTransaction): Promise<void> {
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

function teamOf({ message }: Submitted): string {
  return message.arrivals[0]?.email.teamId ?? '';
}

/** Each recipient is one message, as for mail that is sent. */
function countedOf(arrivals: readonly Arrival[]): { teamId: string; messages: number }[] {
  return arrivals.map(({ email }) => ({ teamId: email.teamId, messages: email.recipients.length }));
}
