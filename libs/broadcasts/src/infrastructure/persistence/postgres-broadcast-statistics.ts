import { isUuid, Page, pageOf, PageRequest, ValidationError } from '#kernel';
import { Database, Row, Statement } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { BroadcastStatistics } from '../../application/ports/broadcast-statistics.port.js';
import {
  BroadcastProgress,
  BroadcastRecipient,
  ClickedLink,
  erasedAddress,
  ProgressCounts,
  progressCounts,
  RecipientsRequest,
} from '../../domain/statistics.js';

/** Links of one recipient that a page shows. */
const maxShownLinks = 100;

@Injectable()
export class PostgresBroadcastStatistics extends BroadcastStatistics {
  constructor(private readonly database: Database) {
    super();
  }

  async recipients(
    broadcast: { readonly id: string; readonly teamId: string },
    request: RecipientsRequest,
    page: PageRequest,
  ): Promise<Page<BroadcastRecipient>> {
    const rows = await this.database.query<Row<BroadcastRecipient>>(recipientsStatement(broadcast, request, page));
    return pageOf(page, rows);
  }

  async clickedLinks(broadcastId: string, page: PageRequest): Promise<Page<ClickedLink>> {
    const cursor = cursorOf(page);
    const values: unknown[] = [broadcastId, page.limit + 1];
    const [sign, direction] = page.before === undefined ? ['<', 'DESC'] : ['>', 'ASC'];
    // The place of a link moves with its clicks, so a page begins where the link is now.
    const condition =
      cursor === undefined
        ? ''
        : `AND (clicks, id) ${sign} ((SELECT clicks FROM broadcast_links WHERE broadcast_id = $1 AND id = $${values.push(cursor)}), $3)`;
    const rows = await this.database.query<Row<ClickedLink>>({
      text: `SELECT id, url, clicks::float8 AS clicks, unique_clicks::float8 AS "uniqueClicks" FROM broadcast_links
             WHERE broadcast_id = $1 ${condition} ORDER BY clicks ${direction}, id ${direction} LIMIT $2`,
      values,
    });
    return pageOf(page, rows);
  }

  async progress(broadcastId: string): Promise<BroadcastProgress | undefined> {
    const [row] = await this.database.query<Row<ProgressCounts & Pick<BroadcastProgress, 'pausedBecause'>>>({
      text: `SELECT ${progressCounts.map((name) => `p.${name}::float8 AS ${name}`).join(', ')},
                    b.paused_because AS "pausedBecause"
             FROM broadcast_progress p JOIN broadcasts b ON b.id = p.broadcast_id WHERE p.broadcast_id = $1`,
      values: [broadcastId],
    });
    if (row === undefined) return undefined;
    const { pausedBecause, ...counts } = row;
    return { counts, pausedBecause };
  }
}

/**
 * The results of one kind are in the order of the contacts. The addresses and links of a page are looked up once it is cut, each by
 * its key.
 */
function recipientsStatement(
  { id, teamId }: { readonly id: string; readonly teamId: string },
  { kind, email, bounceType }: RecipientsRequest,
  page: PageRequest,
): Statement {
  const values: unknown[] = [id, kind, page.limit + 1];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [`s.broadcast_id = $1`, 's.kind = $2'];
  if (bounceType !== undefined) conditions.push(`s.kind = 'bounced' AND s.bounce_type = ${parameter(bounceType)}`);
  if (email !== undefined) {
    conditions.push(`s.contact_id = ANY (ARRAY(SELECT contact_id FROM broadcast_recipients
      WHERE team_id = ${parameter(teamId)} AND email = ${parameter(email)} AND broadcast_id = $1))`);
  }
  const cursor = cursorOf(page);
  if (cursor !== undefined)
    conditions.push(`s.contact_id ${page.before === undefined ? '<' : '>'} ${parameter(cursor)}`);
  const direction = page.before === undefined ? 'DESC' : 'ASC';
  return {
    text: `
      WITH results AS MATERIALIZED (
        SELECT s.contact_id, s.count, s.bounce_type FROM broadcast_results s
        WHERE ${conditions.join(' AND ')} ORDER BY s.contact_id ${direction} LIMIT $3
      )
      SELECT s.contact_id AS id, CASE WHEN r.email = '${erasedAddress}' THEN NULL ELSE s.contact_id END AS "contactId",
             r.email, s.count, s.bounce_type AS "bounceType", coalesce(k.links, '[]'::json) AS links
      FROM results s
      CROSS JOIN LATERAL (
        SELECT email FROM broadcast_recipients WHERE broadcast_id = $1 AND contact_id = s.contact_id LIMIT 1
      ) r
      CROSS JOIN LATERAL (
        SELECT json_agg(json_build_object('url', l.url, 'clicks', c.clicks) ORDER BY c.clicks DESC, l.id) AS links
        FROM (SELECT link_id, clicks FROM broadcast_recipient_links
              WHERE $2 = 'clicked' AND broadcast_id = $1 AND contact_id = s.contact_id LIMIT ${maxShownLinks}) c
        JOIN broadcast_links l ON l.broadcast_id = $1 AND l.id = c.link_id
      ) k
      ORDER BY s.contact_id ${direction}`,
    values,
  };
}

function cursorOf({ after, before }: PageRequest): string | undefined {
  const cursor = after ?? before;
  if (cursor === undefined || isUuid(cursor)) return cursor?.toLowerCase();
  throw new ValidationError(`The \`${after === undefined ? 'before' : 'after'}\` parameter is not a valid cursor.`);
}
