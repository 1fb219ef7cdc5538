import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { TeamCounts } from '../../application/ports/email-repository.port.js';

@Injectable()
export class PostgresTeamCounts extends TeamCounts {
  constructor(private readonly database: Database) {
    super();
  }

  async broadcasts(teamId: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM published_broadcasts WHERE team_id = $1',
      values: [teamId],
    });
    return row?.count ?? 0;
  }

  async automationRuns(teamId: string, month: Date): Promise<number> {
    const [row] = await this.database.query<{ runs: string }>({
      text: 'SELECT runs FROM published_automation_usage WHERE team_id = $1 AND month = $2',
      values: [teamId, `${month.toISOString().slice(0, 7)}-01`],
    });
    return Number(row?.runs ?? 0);
  }
}
