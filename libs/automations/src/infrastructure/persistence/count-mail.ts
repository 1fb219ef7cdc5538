import { Transaction } from '#kernel';
import { statementsOf, storableJson } from '#postgres/database';
import { EmailOfRunEvent } from '../../application/ports/event-queue.port.js';
import { addedTo, countShards } from './count-statements.js';

/** Their bits in `results` of a step with an email, from 1 on. Each kind counts once for an email; 32 is `unsubscribed`. */
const counted = ['delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;
const bits = new Map(counted.map((outcome, at) => [`resend:email.${outcome}`, 2 ** at]));
const sums = counted.map((_, at) => `sum((fresh & ${2 ** at}) / ${2 ** at})`);

/** Counts what became of emails of runs. */
export async function countMail(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<void> {
  const given = events.flatMap(({ emailId, name }) => {
    const bit = bits.get(name);
    return bit === undefined ? [] : [{ email_id: emailId, bit }];
  });
  if (given.length === 0) return;
  await statementsOf(transaction).execute({
    name: 'count-mail-of-runs',
    text: `WITH given AS (
             SELECT email_id, bit_or(bit) AS bits FROM json_to_recordset($1::json) AS g (email_id uuid, bit smallint) GROUP BY 1
           ), known AS MATERIALIZED (
             SELECT s.run_id, s.automation_id, s.step_key, g.bits & ~s.results AS fresh
             FROM given g JOIN automation_run_steps s ON s.email_id = g.email_id
             WHERE s.automation_id IS NOT NULL AND g.bits & ~s.results <> 0
             ORDER BY s.run_id FOR UPDATE OF s
           ), written AS (
             UPDATE automation_run_steps s SET results = s.results | k.fresh
             FROM known k WHERE s.run_id = k.run_id AND s.step_key = k.step_key
           )
           INSERT INTO automation_step_counts AS c (automation_id, step_key, shard, ${counted.join(', ')})
           SELECT automation_id, step_key, pg_backend_pid() % ${countShards}, ${sums.join(', ')}
           FROM known GROUP BY 1, 2 ORDER BY 1, 2
           ON CONFLICT (automation_id, step_key, shard) DO UPDATE SET ${addedTo(counted)}`,
    values: [storableJson(given)],
  });
}
