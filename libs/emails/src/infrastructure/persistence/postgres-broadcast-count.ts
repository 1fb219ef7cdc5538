import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { BroadcastCount } from '../../application/ports/broadcast-count.port.js';

@Injectable()
export class PostgresBroadcastCount extends BroadcastCount {
  constructor(private readonly database: Database) {
    super();
  }

  async of(teamId: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM published_broadcasts WHERE team_id = $1',
      values: [teamId],
    });
    return row?.count ?? 0;
  }
}
