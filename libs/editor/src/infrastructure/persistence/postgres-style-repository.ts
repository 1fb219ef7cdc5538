import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { StyleRepository } from '../../application/ports/sections-and-styles.port.js';
import { GivenStyles } from '../../domain/styles/team-styles.js';

@Injectable()
export class PostgresStyleRepository extends StyleRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async find(teamId: string): Promise<GivenStyles> {
    const [row] = await this.database.query<{ styles: GivenStyles }>({
      text: 'SELECT styles FROM editor_styles WHERE team_id = $1',
      values: [teamId],
    });
    return row?.styles ?? {};
  }

  async save(teamId: string, styles: GivenStyles, now: Date): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO editor_styles (team_id, styles, updated_at) VALUES ($1, $2::jsonb, $3)
             ON CONFLICT (team_id) DO UPDATE SET styles = excluded.styles, updated_at = excluded.updated_at`,
      values: [teamId, JSON.stringify(styles), now],
    });
  }
}
