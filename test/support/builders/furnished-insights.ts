import { newId } from '#kernel';
import { Database } from '#postgres/database';
import type { DashboardWorld } from './dashboard-world.js';

type Kinds = Readonly<Record<string, number>>;

/** Of one day with a hundred messages. */
const providers: Readonly<Record<string, Kinds>> = {
  google: {
    delivered: 940,
    'tls/verified': 900,
    'tls/opportunistic': 40,
    complained: 2,
    opened: 410,
    unsubscribed: 3,
    'time/1': 700,
    'time/4': 200,
    'time/7': 40,
    'bounced/bad-address': 4,
    'deferred/greylisting': 6,
  },
  microsoft: {
    delivered: 420,
    'tls/opportunistic': 420,
    opened: 180,
    'time/2': 380,
    'time/9': 40,
    'bounced/reputation': 38,
    'bounced/bad-address': 9,
    'deferred/rate': 51,
  },
  yahoo: { delivered: 160, 'tls/opportunistic': 160, complained: 1, opened: 60, 'time/2': 160, 'deferred/rate': 12 },
  apple: { delivered: 80, 'tls/opportunistic': 80, opened: 66, 'time/3': 80, 'bounced/mailbox-full': 1 },
  'gmx.net': { delivered: 70, 'tls/verified': 70, opened: 21, 'time/3': 70, 'bounced/content': 3 },
  'meadow.test': { delivered: 12, 'tls/none': 12, 'time/5': 12, 'deferred/unreachable': 2 },
  others: { delivered: 31, 'tls/none': 4, 'tls/opportunistic': 27, 'time/3': 31 },
};

const replies: Readonly<Record<string, string>> = {
  'bounced/bad-address': '550 5.1.1 The email account that you tried to reach does not exist',
  'bounced/reputation':
    '550 5.7.1 Unfortunately, messages from [192.0.2.25] weren’t sent. Your network is on our block list (S3150).',
  'bounced/content': '554 Transaction failed: message looks like spam',
  'bounced/mailbox-full': '552 5.2.2 The recipient mailbox is over quota',
  'deferred/greylisting': '451 4.7.1 Greylisted, please try again in 300 seconds',
  'deferred/rate': '421 4.7.0 [TSS04] Messages temporarily deferred due to unexpected volume',
};

/** Counters of four weeks of mail of a domain to several mailbox providers, as the consumer writes them. */
export async function furnishInsights({ program }: DashboardWorld, domainId: string, emailId: string): Promise<void> {
  const rows = Array.from({ length: 28 }, (_, ago) => {
    const busy = [1, 0.9, 1.1, 0.8, 0.3, 0.25, 0.7][ago % 7] as number;
    return Object.entries(providers).flatMap(([provider, kinds]) =>
      Object.entries(kinds).map(([kind, count]) => ({
        domain_id: domainId,
        ago,
        provider,
        kind,
        count: Math.round(count * busy),
        reply: replies[kind] ?? null,
        email_id: kind in replies ? emailId : null,
      })),
    );
  }).flat();
  await program.postrider.app.get(Database).execute({
    text: `INSERT INTO provider_counts (domain_id, day, provider, kind, count, reply, email_id)
           SELECT domain_id, current_date - ago, provider, kind, count, reply, email_id
           FROM json_to_recordset($1::json) AS r (
             domain_id uuid, ago int, provider text, kind text, count bigint, reply text, email_id uuid)
           WHERE count > 0
           ON CONFLICT (domain_id, day, provider, kind) DO UPDATE SET count = excluded.count`,
    values: [JSON.stringify(rows)],
  });
  await program.postrider.app.get(Database).execute({
    text: `INSERT INTO dmarc_counts (domain_id, day, digest, reporter, source, header_from, disposition, dkim_aligned, spf_aligned,
                                     messages)
           VALUES ($1, current_date - 1, decode(md5($2), 'hex'), 'google.com', '192.0.2.10', 'acme.test', 'none', true, true, 21400),
                  ($1, current_date - 1, decode(md5($3), 'hex'), 'google.com', '198.51.100.7', 'acme.test', 'none', false, false, 310)`,
    values: [domainId, newId(), newId()],
  });
}

/** What Google said about the last two weeks, as the import writes it, and addresses that Microsoft knows. */
export async function furnishProviderReports({ program }: DashboardWorld, domainId: string): Promise<void> {
  const database = program.postrider.app.get(Database);
  const days = Array.from({ length: 14 }, (_, ago) => ({
    ago: ago + 1,
    shares: {
      spam: ago === 0 ? 0.0014 : 0.0004 + 0.0001 * (ago % 4),
      spf: 0.998,
      dkim: 1,
      dmarc: 0.997,
      tls_inbound: 1,
      rejected: 0.004,
      rejected_low_ip_reputation: 0.003,
      rejected_spammy_content: 0.001,
      delayed: 0.012,
      ...(ago === 3 ? {} : { delayed_anomalous_traffic_pattern: 0.012 }),
    },
  }));
  await database.execute({
    text: `INSERT INTO google_domain_days (domain_id, day, shares)
           SELECT $1, current_date - ago, shares FROM jsonb_to_recordset($2::jsonb) AS d (ago int, shares jsonb)`,
    values: [domainId, JSON.stringify(days)],
  });
  await database.execute({
    text: `INSERT INTO sending_addresses (id, address, helo_name, state, created_at, updated_at)
           SELECT gen_random_uuid(), ('192.0.2.' || no)::inet, 'out' || no || '.acme.test', 'active', now(), now()
           FROM unnest(ARRAY[10, 11, 12, 16]) AS no`,
  });
}
