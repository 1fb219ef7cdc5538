import { Database } from '#postgres/database';
import type { TestProgram } from '../programs/program.js';

export interface FurnishedCause {
  readonly kind: 'broadcast' | 'segment' | 'template' | 'import';
  readonly id: string;
  readonly name: string;
}

/** As if the guard had taken a step for mail of a domain to a provider, an hour ago. */
export async function furnishGuard(
  { postrider }: Pick<TestProgram, 'postrider'>,
  domainId: string,
  provider = 'google',
  { step = 'bulk_slowed', cause }: { readonly step?: string; readonly cause?: FurnishedCause } = {},
): Promise<void> {
  const rates = [
    { id: 'complaint_rate', count: 1, of: 3_900, percent: 0.026, atLeast: 0.005, step: 'none', limit: null },
    { id: 'bad_address_rate', count: 31, of: 4_100, percent: 0.756, atLeast: 0.534, step: 'none', limit: null },
    { id: 'spam_refusal_rate', count: 214, of: 4_100, percent: 5.22, atLeast: 4.58, step: 'bulk_slowed', limit: 3 },
  ];
  const evidence = {
    rates,
    earlier: [{ id: 'spam_refusal_rate', count: 9, of: 21_000, percent: 0.043 }],
    replies: [
      {
        category: 'reputation',
        count: 214,
        emailId: null,
        reply: '550-5.7.1 Our system has detected that this message is likely unsolicited mail.',
      },
    ],
    cause: cause && { ...cause, bad: 198, all: 2_600, percent: 7.6, othersPercent: 1.1 },
  };
  const database = postrider.app.get(Database);
  await database.execute({
    text: `WITH change AS (
             INSERT INTO reputation_changes (id, team_id, domain_id, provider, from_step, to_step, because, evidence, actor_kind, created_at)
             SELECT gen_random_uuid(), team_id, id, $2, 'none', $3, 'evidence', $4, 'service', now() - interval '1 hour'
             FROM domains WHERE id = $1)
           INSERT INTO reputation_guards (domain_id, provider, team_id, step, since, look_at, evidence_from, counted_before, slow_pace,
                                          evidence, is_locked, is_settled)
           SELECT id, $2, team_id, $3, now() - interval '1 hour', 'infinity', now(), $5, 240, $4, false, true
           FROM domains WHERE id = $1
           ON CONFLICT (domain_id, provider) DO UPDATE SET step = excluded.step, evidence = excluded.evidence`,
    values: [domainId, provider, step, JSON.stringify(evidence), JSON.stringify(noCounts)],
  });
}

const noCounts = { delivered: 0, deferred: 0, bounced: 0, badAddresses: 0, refusedAsSpam: 0, complained: 0 };
