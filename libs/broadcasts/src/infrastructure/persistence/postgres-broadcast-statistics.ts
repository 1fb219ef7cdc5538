import { isUuid, Page, pageOf, PageRequest, parseEmailAddress, ValidationError } from '#kernel';
import { Database, keysetCondition, Row, Statement } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { BroadcastStatistics } from '../../application/ports/broadcast-statistics.port.js';
import {
  BroadcastProgress,
  ClickedLink,
  ContactBroadcast,
  contactResults,
  ProgressCounts,
  progressCounts,
  RecipientsPage,
  RecipientsRequest,
  subjectCounts,
  SubjectCounts,
  SubjectResults,
} from '../../domain/statistics.js';
import { FoundRecipient, recipientsStatement, searchStatement } from './recipients-statements.js';

interface SubjectRow extends SubjectCounts {
  readonly variant: number;
  readonly winner: number | null;
  readonly decidedAt: Date | null;
  readonly scores: number[] | null;
}

type ContactBroadcastRow = Row<
  Omit<ContactBroadcast, 'results'> & {
    results: readonly { type: ContactBroadcast['results'][number]['type']; count: number; at: string }[];
  }
>;

@Injectable()
export class PostgresBroadcastStatistics extends BroadcastStatistics {
  constructor(private readonly database: Database) {
    super();
  }

  async recipients(
    broadcast: { readonly id: string; readonly teamId: string },
    request: RecipientsRequest,
    page: PageRequest,
  ): Promise<RecipientsPage> {
    const cursor = cursorOf(page);
    if (request.email === undefined || parseEmailAddress(request.email) !== undefined) {
      return pageOf(page, await this.read(recipientsStatement(broadcast, request, { ...page, cursor })));
    }
    const rows = await this.read(searchStatement(broadcast, request, { ...page, cursor }));
    // The last row is where the search ended, whether it matches or not.
    const end = rows.at(-1);
    const found = rows.filter(({ isMatch }) => isMatch);
    const { items, hasMore } = pageOf(page, found);
    if (hasMore) return { items, hasMore, next: (page.before === undefined ? items.at(-1) : items.at(0))?.id ?? null };
    const isEnd = end?.isEnd ?? true;
    return { items, hasMore: !isEnd, next: isEnd ? null : (end?.id ?? null) };
  }

  private read(statement: Statement): Promise<Row<FoundRecipient>[]> {
    return this.database.query<Row<FoundRecipient>>(statement);
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
      text: `SELECT ${progressCounts.map((name) => `coalesce(p.${name}, 0)::float8 AS ${name}`).join(', ')},
                    b.paused_because AS "pausedBecause"
             FROM broadcasts b LEFT JOIN broadcast_progress p ON p.broadcast_id = b.id WHERE b.id = $1`,
      values: [broadcastId],
    });
    if (row === undefined) return undefined;
    const { pausedBecause, ...counts } = row;
    return { counts, pausedBecause };
  }

  async subjects(broadcastId: string): Promise<SubjectResults | undefined> {
    const rows = await this.database.query<Row<SubjectRow>>({
      text: `SELECT s.variant, ${subjectCounts.map((name) => `s.${name}::float8 AS ${name}`).join(', ')},
                    r.winner, r.decided_at AS "decidedAt", r.scores
             FROM broadcast_subjects s JOIN broadcast_runs r ON r.broadcast_id = s.broadcast_id
             WHERE s.broadcast_id = $1 ORDER BY s.variant`,
      values: [broadcastId],
    });
    const [first] = rows;
    if (first === undefined) return undefined;
    return {
      subjects: rows.map(({ variant, winner: _winner, decidedAt: _at, scores: _scores, ...counts }) => ({
        variant,
        counts,
      })),
      winner: first.winner === null ? null : { variant: first.winner, at: first.decidedAt, scores: first.scores ?? [] },
    };
  }

  /** The page is cut along the index of the contact. Then the results of each broadcast are looked up by their key. */
  async ofContact(contactId: string, page: PageRequest): Promise<Page<ContactBroadcast>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const rows = await this.database.query<ContactBroadcastRow>({
      text: `
        SELECT r.id AS "broadcastId", b.name, b.subject, r.email_id AS "emailId", r.reason, coalesce(s.results, '[]') AS results
        FROM (
          SELECT * FROM (SELECT broadcast_id AS id, email_id, reason FROM broadcast_recipients WHERE contact_id = $1) got
          WHERE true ${condition} ${order}
        ) r
        JOIN broadcasts b ON b.id = r.id
        CROSS JOIN LATERAL (
          SELECT json_agg(json_build_object('type', kind, 'count', count, 'at', first_at)
                          ORDER BY first_at, array_position($2::text[], kind)) AS results
          FROM broadcast_results WHERE broadcast_id = r.id AND kind = ANY ($2::text[]) AND contact_id = $1
        ) s
        ${order.replace('ORDER BY id', 'ORDER BY r.id')}`,
      values: [contactId, contactResults, ...values],
    });
    return pageOf(
      page,
      rows.map(({ results, ...row }) => ({
        ...row,
        id: row.broadcastId,
        results: results.map((result) => ({ ...result, at: new Date(result.at) })),
      })),
    );
  }
}

function cursorOf({ after, before }: PageRequest): string | undefined {
  const cursor = after ?? before;
  if (cursor === undefined || isUuid(cursor)) return cursor?.toLowerCase();
  throw new ValidationError(`The \`${after === undefined ? 'before' : 'after'}\` parameter is not a valid cursor.`);
}
