import { ReadDatabase } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { EmailBreakdowns } from '../../application/ports/email-repository.port.js';
import type { Breakdown, BreakdownKey, BreakdownRow } from '../../domain/email-breakdown.js';
import type { EmailFilter } from '../../domain/email-filter.js';
import { Conditions, ofTheRow, withinIds } from './email-conditions.js';

/** Emails that one count examines: about 100 ms. */
const maxExamined = 20_000;
const maxRows = 25;

const keys: Record<BreakdownKey, { readonly key: string; readonly from: string; readonly name: string }> = {
  recipient_domain: { key: `lower(split_part(r.address, '@', -1))`, from: '', name: 'NULL::text' },
  domain: {
    key: 'e.domain_id::text',
    from: '',
    name: '(SELECT d.name FROM published_domains d WHERE d.id = c.key::uuid AND d.team_id = $1)',
  },
  tag: {
    key: `(tag ->> 'name') || ':' || (tag ->> 'value')`,
    from: 'CROSS JOIN LATERAL jsonb_array_elements(e.tags) AS tag',
    name: 'NULL::text',
  },
};

@Injectable()
export class PostgresEmailBreakdowns extends EmailBreakdowns {
  constructor(private readonly database: ReadDatabase) {
    super();
  }

  async count(teamId: string, by: BreakdownKey, filter: EmailFilter): Promise<Breakdown> {
    const { key, from, name } = keys[by];
    const ids = withinIds(new Conditions([teamId]), filter, 'id');
    // The rest is asked of the emails that were examined: a rare tag or domain would have all emails of the team read.
    const ofRows = ofTheRow(new Conditions(ids.values), filter, 'nothing');
    const rows = await this.database.query<Omit<BreakdownRow, 'key'> & { key: string | null; examined: number }>({
      text: `WITH examined AS MATERIALIZED (
               SELECT id, domain_id, tags, (true${ofRows.sql}) AS is_counted
               FROM (SELECT * FROM emails WHERE team_id = $1${ids.sql} ORDER BY id DESC LIMIT ${maxExamined + 1}) newest
             ), counted AS (
               SELECT ${key} AS key, count(*) AS recipients,
                      count(*) FILTER (WHERE r.status = 'delivered') AS delivered,
                      count(*) FILTER (WHERE r.status = 'delayed') AS delayed,
                      count(*) FILTER (WHERE r.status = 'bounced') AS bounced,
                      count(*) FILTER (WHERE r.status = 'complained') AS complained,
                      count(*) FILTER (WHERE r.status = 'failed') AS failed,
                      count(*) FILTER (WHERE r.status = 'suppressed') AS suppressed
               FROM examined e
               JOIN recipients r ON r.email_id = e.id AND r.email_id >= (SELECT id FROM examined ORDER BY id LIMIT 1)
               ${from}
               WHERE e.is_counted
               GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${maxRows}
             )
             SELECT c.key, ${name} AS name, c.recipients::int, c.delivered::int, c.delayed::int, c.bounced::int,
                    c.complained::int, c.failed::int, c.suppressed::int, n.examined
             FROM (SELECT count(*)::int AS examined FROM examined) n LEFT JOIN counted c ON c.key IS NOT NULL
             ORDER BY c.recipients DESC, c.key`,
      values: ofRows.values,
    });
    const examined = rows[0]?.examined ?? 0;
    return {
      rows: rows.flatMap(({ examined: _examined, key: counted, ...row }) =>
        counted === null ? [] : [{ key: counted, ...row }],
      ),
      examined: Math.min(examined, maxExamined),
      isSample: examined > maxExamined,
    };
  }
}
