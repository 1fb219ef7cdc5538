import { Database } from '#postgres/database';
import type { TestProgram } from '../programs/program.js';

interface FurnishedRamp {
  readonly provider: string;
  readonly step: number;
  readonly day_sent: number;
  readonly hour_sent?: number;
  readonly last_day?: object;
}

const slowed = { limit: 1_000, sent: 1_000, bad: 84, decision: 'slowed' };
const quiet = { limit: 50, sent: 9, bad: 0, decision: 'too_little_mail' };
const ramps: readonly FurnishedRamp[] = [
  { provider: 'google', step: 6, day_sent: 3_120, hour_sent: 800 },
  { provider: 'microsoft', step: 3, day_sent: 410, last_day: slowed },
  { provider: 'gmx.net', step: 0, day_sent: 12, last_day: quiet },
];

/** As if mail of a domain that warms up had gone to some providers today. */
export async function furnishWarmUp({ postrider }: Pick<TestProgram, 'postrider'>, domainId: string): Promise<void> {
  await postrider.app.get(Database).execute({
    text: `INSERT INTO warm_up_providers (domain_id, provider, step, is_done, hour, hour_sent, day_sent, busy_day, last_day)
           SELECT $1, provider, step, false, floor(extract(epoch FROM now()) / 3600), coalesce(hour_sent, 0), day_sent,
                  floor(extract(epoch FROM now()) / 86400), last_day
           FROM json_to_recordset($2) AS r (provider text, step int, day_sent int, hour_sent int, last_day jsonb)`,
    values: [domainId, JSON.stringify(ramps)],
  });
}
