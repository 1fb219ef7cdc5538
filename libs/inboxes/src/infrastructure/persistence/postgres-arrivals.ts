import { Transaction } from '#kernel';
import { Database, statementsOf, teamsInTurn, Turn } from '#postgres/database';
import type { Look, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { InboxArrival, ArrivalPlaces, ArrivalQueue } from '../../application/ports/arrival-queue.port.js';

/** As many as one look finds. */
const maxTeams = 500;

/** Teams with arrivals, where any is due at $2: `due` are those with arrivals that are due, without the teams $3. */
const teamsWithArrivals = teamsInTurn(
  (after) => `SELECT team_id FROM inbox_arrivals
              WHERE team_id > ${after} AND (SELECT min(due_at) FROM inbox_arrivals) <= $2 ORDER BY team_id LIMIT 1`,
  't.team_id <> ALL ($3::uuid[]) AND (SELECT min(due_at) FROM inbox_arrivals WHERE team_id = t.team_id) <= $2',
);

@Injectable()
export class PostgresArrivals extends ArrivalQueue {
  private readonly turn = new Turn();

  constructor(private readonly database: Database) {
    super();
  }

  async take(
    now: Date,
    leaseUntil: Date,
    { limit, maxPerTeam, held }: ArrivalPlaces,
  ): Promise<readonly InboxArrival[]> {
    const full = [...held].filter(([, places]) => places >= maxPerTeam).map(([teamId]) => teamId);
    const teams = await this.turn.next(maxTeams, async (after) => {
      const [look] = await this.database.query<Look>({
        name: 'teams-with-arrivals',
        text: teamsWithArrivals,
        values: [after, now, full],
      });
      return look;
    });
    if (teams.length === 0) return [];
    return this.database.query<Row<InboxArrival>>({
      name: 'take-arrivals',
      // Rows are locked one by one in their order, so that what another process takes at this moment is passed over.
      text: `WITH due AS (
               SELECT a.received_id, a.inbox_id, a.due_at,
                      t.places + row_number() OVER (PARTITION BY t.team_id ORDER BY a.due_at) AS turn
               FROM unnest($4::uuid[], $5::integer[]) AS t (team_id, places) CROSS JOIN LATERAL (
                 SELECT received_id, inbox_id, due_at FROM inbox_arrivals WHERE team_id = t.team_id AND due_at <= $1
                 ORDER BY due_at LIMIT $6 - t.places
               ) a
             ), taken AS (
               SELECT a.received_id, a.inbox_id
               FROM (SELECT received_id, inbox_id FROM due ORDER BY turn, due_at) d CROSS JOIN LATERAL (
                 SELECT received_id, inbox_id FROM inbox_arrivals
                 WHERE received_id = d.received_id AND inbox_id = d.inbox_id AND due_at <= $1 FOR UPDATE SKIP LOCKED
               ) a LIMIT $3
             )
             UPDATE inbox_arrivals a SET due_at = $2 FROM taken
             WHERE a.received_id = taken.received_id AND a.inbox_id = taken.inbox_id
             RETURNING a.received_id AS "receivedId", a.inbox_id AS "inboxId", a.team_id AS "teamId", a.tries AS failures`,
      values: [now, leaseUntil, limit, teams, teams.map((team) => held.get(team) ?? 0), maxPerTeam],
    });
  }

  async done({ receivedId, inboxId }: InboxArrival, transaction?: Transaction): Promise<void> {
    await (transaction === undefined ? this.database : statementsOf(transaction)).execute({
      text: 'DELETE FROM inbox_arrivals WHERE received_id = $1 AND inbox_id = $2',
      values: [receivedId, inboxId],
    });
  }

  async failed({ receivedId, inboxId }: InboxArrival, dueAt: Date): Promise<void> {
    await this.database.execute({
      text: 'UPDATE inbox_arrivals SET due_at = $3, tries = tries + 1 WHERE received_id = $1 AND inbox_id = $2',
      values: [receivedId, inboxId, dueAt],
    });
  }
}
