import { TeamEvent, TeamEvents } from '#events';
import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { statementsOf } from './database-transaction.js';

/** Team events in `team_events`, partitioned by day. A trigger makes webhook messages from them. */
@Injectable()
export class PostgresTeamEvents extends TeamEvents {
  async append(events: readonly TeamEvent[], transaction: Transaction): Promise<void> {
    if (events.length === 0) return;
    await statementsOf(transaction).execute({
      name: 'append-team-events',
      text: `INSERT INTO team_events (id, team_id, type, data, created_at)
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::json[], $5::timestamptz[])`,
      values: [
        events.map(({ id }) => id),
        events.map(({ teamId }) => teamId),
        events.map(({ type }) => type),
        events.map(({ data }) => JSON.stringify(data)),
        events.map(({ createdAt }) => createdAt),
      ],
    });
  }
}
