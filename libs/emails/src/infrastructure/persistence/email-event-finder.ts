import type { ReadDatabase } from '#postgres/database';
import type { EventSearch, FoundEvent, FoundEvents } from '../../domain/email-event-search.js';
import { Conditions } from './email-conditions.js';

/** Positions of the log, of all teams, that one statement examines. */
const spanLength = 20_000;
/** Statements of one search. */
const maxSpans = 50;
/** A search ends after this time, in ms, even if its page is not full. */
const maxMs = 3_000;
/** An event may be written some time after it happened: until its group commits, or until a report of it arrives. */
const latenessMs = 15 * 60_000;
/** Where a position is searched by time, it need not be found more exactly than this. */
const closeEnough = 1_000n;

interface Range {
  /** Exclusive. */
  readonly low: bigint;
  /** Inclusive. */
  readonly high: bigint;
}

/**
 * The rows of events and of their emails. LATERAL with a limit: each row looks the other one up, whatever the planner thinks
 * of the size of the team.
 */
const sources = {
  ofAllTeams: `FROM email_events v
    CROSS JOIN LATERAL (SELECT * FROM emails WHERE id = v.email_id LIMIT 1) m`,
  ofTheTeam: `FROM emails m
    CROSS JOIN LATERAL (SELECT * FROM email_events WHERE email_id = m.id OFFSET 0) v`,
};

/**
 * Finds events of one team in the log of all events, which has no index by team: that would cost each event that is written
 * more than the few readers are worth. A team with few emails has their events read. For others the log is read in spans of
 * its positions; positions ascend with time, so that the first and the last one of a period are found by bisection.
 */
export class EmailEventFinder {
  constructor(
    private readonly database: ReadDatabase,
    /** A team with fewer emails than this has the events of each of them read. */
    private readonly few = 5_000,
  ) {}

  async find(teamId: string, search: EventSearch): Promise<FoundEvents> {
    const whole = await this.wholeLog();
    if (whole === undefined) return { items: [], next: undefined };
    if (await this.hasFewEmails(teamId)) return this.ofFewEmails(teamId, search, whole);
    let range = await this.rangeOf(search, whole);
    const startedAt = performance.now();
    const items: FoundEvent[] = [];
    for (let spans = 0; range.low < range.high; spans++) {
      if (spans === maxSpans || performance.now() - startedAt > maxMs) {
        return { items, next: String(search.isAscending ? range.low : range.high + 1n) };
      }
      const span = this.spanOf(range, search.isAscending);
      const missing = search.limit - items.length;
      const found = await this.inSpan(teamId, search, span, missing + 1);
      items.push(...found.slice(0, missing));
      if (found.length > missing) return { items, next: items.at(-1)?.position };
      range = search.isAscending ? { ...range, low: span.high } : { ...range, high: span.low };
    }
    return { items, next: undefined };
  }

  private async hasFewEmails(teamId: string): Promise<boolean> {
    const emails = await this.database.query({
      text: `SELECT FROM emails WHERE team_id = $1 OFFSET $2 LIMIT 1`,
      values: [teamId, this.few],
    });
    return emails.length === 0;
  }

  private async ofFewEmails(teamId: string, search: EventSearch, whole: Range): Promise<FoundEvents> {
    const range = await this.rangeOf({ ...search, from: undefined, to: undefined }, whole);
    const found = await this.inSpan(teamId, search, range, search.limit + 1, sources.ofTheTeam);
    const items = found.slice(0, search.limit);
    return { items, next: found.length > items.length ? items.at(-1)?.position : undefined };
  }

  private spanOf({ low, high }: Range, isAscending: boolean): Range {
    const length = BigInt(spanLength);
    if (high - low <= length) return { low, high };
    return isAscending ? { low, high: low + length } : { low: high - length, high };
  }

  private async wholeLog(): Promise<Range | undefined> {
    const edge = (direction: string): string =>
      `(SELECT position FROM email_events WHERE position IS NOT NULL ORDER BY position ${direction} LIMIT 1)`;
    const [row] = await this.database.query<{ low: string | null; high: string | null }>({
      text: `SELECT ${edge('ASC')} AS low, ${edge('DESC')} AS high`,
    });
    if (row?.low == null || row.high === null) return undefined;
    return { low: BigInt(row.low) - 1n, high: BigInt(row.high) };
  }

  /** With a cursor, the end from which the search goes on is known. */
  private async rangeOf({ from, to, after, upTo, isAscending }: EventSearch, whole: Range): Promise<Range> {
    let { low, high } = whole;
    if (upTo !== undefined && BigInt(upTo) < high) high = BigInt(upTo);
    if (from !== undefined && !(isAscending && after !== undefined)) low = await this.positionBefore(from, whole);
    if (to !== undefined && (isAscending || after === undefined)) {
      const last = await this.positionBefore(new Date(to.getTime() + 2 * latenessMs), whole);
      if (last + 2n * closeEnough < high) high = last + 2n * closeEnough;
    }
    if (after === undefined) return { low, high };
    const cursor = BigInt(after);
    if (isAscending) return { low: cursor > low ? cursor : low, high };
    return { low, high: cursor - 1n < high ? cursor - 1n : high };
  }

  /** A position before which everything happened before the moment. */
  private async positionBefore(moment: Date, whole: Range): Promise<bigint> {
    const early = new Date(moment.getTime() - latenessMs);
    let { low, high } = whole;
    while (high - low > closeEnough) {
      const middle = low + (high - low) / 2n;
      const [next] = await this.database.query<{ isEarlier: boolean }>({
        text: `SELECT created_at < $2 AS "isEarlier" FROM email_events WHERE position > $1 ORDER BY position LIMIT 1`,
        values: [String(middle), early],
      });
      if (next?.isEarlier === true) low = middle;
      else high = middle;
    }
    return low;
  }

  private inSpan(
    teamId: string,
    search: EventSearch,
    { low, high }: Range,
    limit: number,
    source = sources.ofAllTeams,
  ): Promise<FoundEvent[]> {
    const { types, domainId, messageId, recipient, tags, from, to, isAscending } = search;
    const all = new Conditions([String(low), String(high), teamId, limit]);
    if (types.length > 0) all.add((value) => `v.type = ANY (${value}::text[])`, types);
    if (from !== undefined) all.add((value) => `v.created_at >= ${value}`, from);
    if (to !== undefined) all.add((value) => `v.created_at <= ${value}`, to);
    if (domainId !== undefined) all.add((value) => `m.domain_id = ${value}::uuid`, domainId);
    if (messageId !== undefined) all.add((value) => `m.message_id = ${value}`, messageId);
    if (recipient !== undefined) all.add((value) => `lower(r.address) = lower(${value})`, recipient);
    if (tags !== undefined) {
      const wanted = tags.map((set) => JSON.stringify(set));
      all.add((value) => `m.tags @> ANY (${value}::jsonb[])`, wanted);
    }
    return this.database.query<FoundEvent>({
      text: `SELECT v.position, v.email_id AS "emailId", v.seq, v.type, v.created_at AS "createdAt", v.data,
                    r.address AS recipient, m.message_id AS "messageId", m."from", m."to", m.subject, m.tags, m.size
             ${source}
             LEFT JOIN recipients r ON r.email_id = v.email_id AND r.no = v.recipient_no
             WHERE v.position > $1 AND v.position <= $2 AND m.team_id = $3${all.sql}
             ORDER BY v.position ${isAscending ? 'ASC' : 'DESC'} LIMIT $4`,
      values: all.values,
    });
  }
}
