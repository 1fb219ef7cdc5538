import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { AttemptCounts, CountedAttempt, CountedWindow } from '../../application/ports/attempt-counts.port.js';

/** One row for each key. A row whose window is over starts again at zero, or is removed by `AccountsPurge`. */
@Injectable()
export class PostgresAttemptCounts extends AttemptCounts {
  constructor(private readonly database: Database) {
    super();
  }

  async add(
    { kind, key }: CountedAttempt,
    { max, ms }: { max: number; ms: number },
    now: Date,
  ): Promise<CountedWindow> {
    const endsAt = new Date(now.getTime() + ms);
    const [window] = await this.database.query<Row<CountedWindow>>({
      text: `INSERT INTO sign_in_attempts AS known (kind, key, count, ends_at) VALUES ($1, $2, 1, $3)
             ON CONFLICT (kind, key) DO UPDATE
             SET count = CASE WHEN known.ends_at <= $4 THEN 1 ELSE least(known.count + 1, $5) END,
                 ends_at = CASE WHEN known.ends_at <= $4 THEN excluded.ends_at ELSE known.ends_at END
             RETURNING count, ends_at AS "endsAt"`,
      values: [kind, key, endsAt, now, max + 1],
    });
    return window ?? { count: 0, endsAt };
  }

  async giveBack({ kind, key }: CountedAttempt): Promise<void> {
    await this.database.execute({
      text: 'UPDATE sign_in_attempts SET count = count - 1 WHERE kind = $1 AND key = $2 AND count > 0',
      values: [kind, key],
    });
  }
}
