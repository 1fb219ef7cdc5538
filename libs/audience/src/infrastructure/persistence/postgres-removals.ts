import { newId, Transaction } from '#kernel';
import { Database, DatabaseTransaction, lockRows, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { Removal, Removals } from '../../application/ports/contact-repository.port.js';

/** Rows of one batch, so that its locks last only for milliseconds. */
const batchRows = 2_000;
/** Below the id of every team. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly team_id: string;
  readonly kind: Removal['kind'];
  readonly subject_id: string;
  readonly key: string | null;
  readonly position: string | null;
}

@Injectable()
export class PostgresRemovals extends Removals {
  /** The team whose removal was the last one. */
  private lastTeam = beforeAll;

  constructor(private readonly database: Database) {
    super();
  }

  async add(removal: Removal, now: Date, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: `INSERT INTO audience_removals (id, team_id, kind, subject_id, key, position, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      values: [
        newId(now.getTime()),
        removal.teamId,
        removal.kind,
        removal.subjectId,
        removal.kind === 'property' ? removal.key : null,
        removal.kind === 'history' ? removal.upTo : null,
        now,
      ],
    });
  }

  step(): Promise<boolean> {
    return this.database.run(async (transaction) => {
      const removal = (await nextAfter(this.lastTeam, transaction)) ?? (await nextAfter(beforeAll, transaction));
      if (removal === undefined) return false;
      this.lastTeam = removal.team_id;
      await carryOn(removal, transaction);
      return true;
    });
  }

  async removeHistory(teamId: string): Promise<boolean> {
    await this.database.run(async (transaction) => {
      // Waits for another process that works on it, which may have finished it then.
      const [removal] = await transaction.query<Row>({
        text: `SELECT id, team_id, kind, subject_id, key, position FROM audience_removals
               WHERE team_id = $1 AND kind = 'history' ORDER BY id LIMIT 1 FOR UPDATE`,
        values: [teamId],
      });
      if (removal !== undefined) await carryOn(removal, transaction);
    });
    const left = await this.database.query({
      text: `SELECT FROM audience_removals WHERE team_id = $1 AND kind = 'history' LIMIT 1`,
      values: [teamId],
    });
    return left.length > 0;
  }
}

async function carryOn(removal: Row, transaction: DatabaseTransaction): Promise<void> {
  const isDone = removal.kind === 'property' ? await cutValues(removal, transaction) : await cut(removal, transaction);
  await transaction.execute(
    isDone
      ? { text: 'DELETE FROM audience_removals WHERE id = $1', values: [removal.id] }
      : // Behind the others of the team, so that a large one does not hold them up.
        { text: 'UPDATE audience_removals SET id = $2 WHERE id = $1', values: [removal.id, newId()] },
  );
}

/** Teams take turns, however many removals each of them waits for: the oldest one of the next team. */
async function nextAfter(team: string, transaction: DatabaseTransaction): Promise<Row | undefined> {
  const [removal] = await transaction.query<Row>({
    text: lockRows(
      'id, team_id, kind, subject_id, key, position',
      'FROM audience_removals WHERE team_id > $1 ORDER BY team_id, id LIMIT 1',
    ),
    values: [team],
  });
  return removal;
}

/** Returns whether nothing is left. */
async function cut({ kind, subject_id, position }: Row, transaction: DatabaseTransaction): Promise<boolean> {
  const removed = await transaction.execute(
    kind === 'segment'
      ? {
          text: `DELETE FROM segment_contacts WHERE segment_id = $1 AND contact_id IN (
                   SELECT contact_id FROM segment_contacts WHERE segment_id = $1 ORDER BY contact_id LIMIT ${batchRows})`,
          values: [subject_id],
        }
      : kind === 'topic'
        ? {
            text: `DELETE FROM contact_topics WHERE topic_id = $1 AND contact_id IN (
                     SELECT contact_id FROM contact_topics WHERE topic_id = $1 LIMIT ${batchRows})`,
            values: [subject_id],
          }
        : {
            text: `DELETE FROM contact_changes WHERE contact_id = $1 AND id IN (
                     SELECT id FROM contact_changes WHERE contact_id = $1 AND id < $2 LIMIT ${batchRows})`,
            values: [subject_id, position],
          },
  );
  if (removed === batchRows) return false;
  if (kind === 'segment') {
    await transaction.execute({ text: 'DELETE FROM segment_sizes WHERE segment_id = $1', values: [subject_id] });
  }
  return true;
}

/**
 * Takes the values of a deleted property out of the next contacts of the team. The contacts are locked in the order in
 * which all writers lock them. Returns whether they were the last ones.
 */
async function cutValues({ id, team_id, key, position }: Row, transaction: DatabaseTransaction): Promise<boolean> {
  const [row] = await transaction.query<{ last: string | null; read: number }>({
    text: `WITH batch AS MATERIALIZED (
             SELECT id FROM contacts WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT ${batchRows}
           ), locked AS MATERIALIZED (
             SELECT c.id FROM contacts c WHERE c.id IN (SELECT b.id FROM batch b) AND c.properties ? $3
             ORDER BY c.team_id, c.email FOR UPDATE
           ), updated AS (
             UPDATE contacts SET properties = properties - $3 WHERE id IN (SELECT l.id FROM locked l)
           )
           SELECT (SELECT b.id FROM batch b ORDER BY b.id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM batch) AS read`,
    values: [team_id, position ?? beforeAll, key],
  });
  if (row === undefined || row.read < batchRows) return true;
  await transaction.execute({
    text: 'UPDATE audience_removals SET position = $2 WHERE id = $1',
    values: [id, row.last],
  });
  return false;
}
