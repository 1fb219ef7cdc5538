import { Database } from '#platform/database';
import { OthersDemands, OtherWorkers, SiteDemands } from '../sites/rate-shares.js';

/** Seconds for which the demands of a worker are valid: several times the interval between two exchanges. */
const holdsSeconds = 5;

/** Stores one row per worker that sends. Rows of workers that are gone are removed by the others. */
export class PostgresOtherWorkers extends OtherWorkers {
  constructor(
    private readonly database: Database,
    private readonly workerId: string,
  ) {
    super();
  }

  async exchange(demands: SiteDemands): Promise<OthersDemands> {
    const rows = await this.database.query<{ workers: number; site: string | null; demand: number }>({
      name: 'exchange-site-demands',
      text: `
        WITH own AS (
          INSERT INTO site_demands (worker_id, told_at, demands) VALUES ($1, clock_timestamp(), $2::jsonb)
          ON CONFLICT (worker_id) DO UPDATE SET told_at = excluded.told_at, demands = excluded.demands
        ), forgotten AS (
          DELETE FROM site_demands WHERE worker_id <> $1 AND told_at < clock_timestamp() - interval '1 minute'
        ), others AS (
          SELECT demands FROM site_demands
          WHERE worker_id <> $1 AND told_at > clock_timestamp() - interval '${holdsSeconds} seconds' AND demands <> '{}'
        )
        SELECT (SELECT count(*)::int FROM others) AS workers, d.key AS site, coalesce(sum(d.value::float8), 0) AS demand
        FROM (VALUES (1)) AS once LEFT JOIN (others CROSS JOIN LATERAL jsonb_each_text(others.demands) AS d) ON $2::jsonb ? d.key
        GROUP BY d.key`,
      values: [this.workerId, JSON.stringify(Object.fromEntries(demands))],
    });
    return {
      workers: rows[0]?.workers ?? 0,
      demands: new Map(rows.flatMap(({ site, demand }) => (site === null ? [] : [[site, demand]]))),
    };
  }
}
