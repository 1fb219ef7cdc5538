import { Database } from '#postgres/database';
import { GrantedLease, LeaseRequest, WindowLeases } from '../../application/ports/rate-limiter.port.js';

/** Stores windows as rows, one per team, by the clock of PostgreSQL. */
export class PostgresWindowLeases extends WindowLeases {
  constructor(private readonly database: Database) {
    super();
  }

  async lease(teamId: string, { limit, portion, waiting }: LeaseRequest): Promise<GrantedLease> {
    const [row] = await this.database.query<GrantedLease & Record<string, unknown>>({
      name: 'lease-rate-limit',
      text: leaseText,
      values: [teamId, portion, limit, waiting],
    });
    if (row === undefined) throw new Error('the lease statement returned no row');
    return row;
  }
}

/**
 * Size of a lease when `left` requests are left: enough for all waiting requests, or the portion but at most half of
 * the rest.
 */
const grantOf = (left: string): string => `least(${left}, greatest($4::int, least($2::int, ceil(${left} / 2.0)::int)))`;

const leaseText = `
  INSERT INTO rate_limit_windows AS w (team_id, window_no, used, granted)
  SELECT $1, floor(extract(epoch FROM clock_timestamp())), first, first
  FROM (SELECT ${grantOf('$3::int')} AS first) AS portion
  ON CONFLICT (team_id) DO UPDATE SET
    window_no = greatest(w.window_no, excluded.window_no),
    used = CASE WHEN excluded.window_no > w.window_no THEN excluded.used
                ELSE w.used + ${grantOf('greatest($3::int - w.used, 0)')} END,
    granted = CASE WHEN excluded.window_no > w.window_no THEN excluded.used
                   ELSE ${grantOf('greatest($3::int - w.used, 0)')} END
  RETURNING granted, used, ((window_no + 1 - extract(epoch FROM clock_timestamp())) * 1000)::float8 AS "endsInMs"`;
