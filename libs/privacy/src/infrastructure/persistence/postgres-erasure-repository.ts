import { actorColumns, actorOf } from '#identity';
import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, lockRows, Row } from '#postgres/database';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { ErasureRepository } from '../../application/ports/erasure-repository.port.js';
import { Erasure, ErasureProgress, ErasureWork, LeasedErasure } from '../../domain/erasure.js';

/** After it, another process takes over from one that has died. */
const leaseSeconds = 60;

const columns = `id, team_id AS "teamId", address_hash AS "addressHash", status, counts, is_waiting AS "isWaiting", api_key_id,
  actor_kind, actor_id, created_at AS "createdAt", completed_at AS "completedAt"`;

/**
 * Teams take turns, so that a thousand erasures of one do not stand before another's: the team whose last turn is
 * longest ago is next. The teams are found by one look-up each in the index, however many erasures wait. $1: holder,
 * $2: now.
 */
const claimStatement = `
  WITH RECURSIVE waiting (team_id) AS (
    (SELECT team_id FROM privacy_erasures WHERE status = 'pending' ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT e.team_id FROM privacy_erasures e WHERE e.status = 'pending' AND e.team_id > w.team_id ORDER BY e.team_id LIMIT 1)
    FROM waiting w WHERE w.team_id IS NOT NULL
  ), next AS (
    ${lockRows(
      'p.id, p.team_id',
      `FROM waiting w LEFT JOIN privacy_turns t ON t.team_id = w.team_id
       CROSS JOIN LATERAL (
         SELECT id FROM privacy_erasures
         WHERE status = 'pending' AND team_id = w.team_id AND due_at <= $2 AND (held_until <= now() OR held_by = $1)
         ORDER BY due_at LIMIT 1
       ) oldest
       JOIN privacy_erasures p ON p.id = oldest.id AND p.status = 'pending' AND (p.held_until <= now() OR p.held_by = $1)
       ORDER BY t.last_at NULLS FIRST, p.due_at LIMIT 1`,
      'p',
    )}
  ), turn AS (
    INSERT INTO privacy_turns (team_id, last_at) SELECT team_id, clock_timestamp() FROM next
    ON CONFLICT (team_id) DO UPDATE SET last_at = excluded.last_at
  )
  UPDATE privacy_erasures e SET held_by = $1, held_until = now() + interval '${leaseSeconds} seconds'
  FROM next WHERE e.id = next.id
  RETURNING e.id, e.team_id AS "teamId", sealed_address AS sealed, counts, is_waiting AS "isWaiting", holder, position`;

type ErasureRow = Row<
  Omit<Erasure, 'actor'> & { api_key_id: string | null; actor_kind: string | null; actor_id: string | null }
>;

@Injectable()
export class PostgresErasureRepository extends ErasureRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async insert(erasure: Erasure, address: string, dueAt: Date): Promise<void> {
    const { id, teamId, addressHash, status, actor, createdAt } = erasure;
    const { api_key_id = null, actor_kind = null, actor_id = null } = actorColumns(actor);
    await this.database.execute({
      text: `INSERT INTO privacy_erasures (id, team_id, address_hash, sealed_address, status, due_at, api_key_id, actor_kind, actor_id,
                                           created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      values: [
        id,
        teamId,
        addressHash,
        this.secrets.seal(address, contextOf(id)),
        status,
        dueAt,
        api_key_id,
        actor_kind,
        actor_id,
        createdAt,
      ],
    });
  }

  async find(teamId: string, id: string): Promise<Erasure | undefined> {
    const [row] = await this.database.query<ErasureRow>({
      text: `SELECT ${columns} FROM privacy_erasures WHERE id = $1 AND team_id = $2`,
      values: [id, teamId],
    });
    return row === undefined ? undefined : erasureOf(row);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Erasure>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<ErasureRow>({
      text: `SELECT ${columns} FROM privacy_erasures WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows.map(erasureOf));
  }

  async claim(holder: string, now: Date): Promise<LeasedErasure | undefined> {
    const [row] = await this.database.query<Row<Omit<ErasureWork, 'address'> & { sealed: Buffer }>>({
      text: claimStatement,
      values: [holder, now],
    });
    if (row === undefined) return undefined;
    const { sealed, ...work } = row;
    return { ...work, openAddress: () => this.secrets.open(sealed, contextOf(work.id)) };
  }

  async renew(id: string, holder: string): Promise<void> {
    await this.database.execute({
      text: `UPDATE privacy_erasures SET held_until = now() + interval '${leaseSeconds} seconds' WHERE id = $1 AND held_by = $2`,
      values: [id, holder],
    });
  }

  async save(id: string, holder: string, progress: ErasureProgress): Promise<void> {
    await this.database.execute({
      text: `UPDATE privacy_erasures SET counts = $3, is_waiting = $4, holder = $5, position = $6
             WHERE id = $1 AND held_by = $2`,
      values: [id, holder, JSON.stringify(progress.counts), progress.isWaiting, progress.holder, progress.position],
    });
  }

  async delay(id: string, holder: string, until: Date): Promise<void> {
    await this.database.execute({
      text: `UPDATE privacy_erasures SET due_at = $3, held_until = '-infinity' WHERE id = $1 AND held_by = $2`,
      values: [id, holder, until],
    });
  }

  async postpone(id: string, holder: string, counts: ErasureProgress['counts'], until: Date): Promise<void> {
    await this.database.execute({
      text: `UPDATE privacy_erasures
             SET counts = $3, due_at = $4, is_waiting = true, holder = NULL, position = NULL, held_until = '-infinity'
             WHERE id = $1 AND held_by = $2`,
      values: [id, holder, JSON.stringify(counts), until],
    });
  }

  async complete(id: string, holder: string, counts: ErasureProgress['counts'], now: Date): Promise<void> {
    await this.database.execute({
      text: `UPDATE privacy_erasures
             SET counts = $3, completed_at = $4, status = 'completed', is_waiting = false, sealed_address = NULL, holder = NULL,
                 position = NULL, held_until = '-infinity'
             WHERE id = $1 AND held_by = $2`,
      values: [id, holder, JSON.stringify(counts), now],
    });
  }
}

function contextOf(id: string): string {
  return `erasure:${id}`;
}

function erasureOf({ api_key_id, actor_kind, actor_id, ...erasure }: ErasureRow): Erasure {
  return { ...erasure, actor: actorOf({ api_key_id, actor_kind, actor_id }) };
}
