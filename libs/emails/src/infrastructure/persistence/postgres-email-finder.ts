import { FairBudget, isUuid, PageRequest, ValidationError } from '#kernel';
import { boundsOf, ReadDatabase } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { EmailFinder, EmailRepository } from '../../application/ports/email-repository.port.js';
import type { Email } from '../../domain/email.js';
import type { EventSearch, FoundEvents } from '../../domain/email-event-search.js';
import { EmailFilter, EmailSearch, FoundEmails, isWholeAddress } from '../../domain/email-filter.js';
import { EmailEventFinder } from './email-event-finder.js';
import { Conditions, ofTheRow, withinIds } from './email-conditions.js';

/** Emails of the team that one search examines where no index finds them: about 50 ms. */
const maxExamined = 20_000;
/** Recipients with the address, of all teams, or of the broadcast, that one search examines. */
const maxAddressed = 2_000;

/** What one search examined: the ids that were found, in the order of the page, and the last one that was examined. */
interface Examined {
  readonly ids: readonly string[];
  /** Undefined if nothing is left to examine. */
  readonly last: string | undefined;
}

/**
 * A whole address is looked up in the index of addresses, and a broadcast in that of its emails. Everything else is
 * compared in the rows of the team, newest first, a bounded number at a time. Indexes for words, tags and states would
 * cost every email that is accepted more than the few searches are worth, and an index that knows the state would end
 * the updates in place of the row.
 */
@Injectable()
export class PostgresEmailFinder extends EmailFinder {
  /** A search of events may read the log of all teams for seconds: one of a team at a time. */
  private readonly readsOfLog = new FairBudget({ total: 3, maxPerOwner: 1 });

  constructor(
    private readonly database: ReadDatabase,
    private readonly emails: EmailRepository,
  ) {
    super();
  }

  events(teamId: string, search: EventSearch): Promise<FoundEvents> {
    return this.readsOfLog.during([teamId], 1, () => new EmailEventFinder(this.database).find(teamId, search));
  }

  async find(teamId: string, { filter, page }: EmailSearch): Promise<FoundEmails> {
    const cursor = page.after ?? page.before;
    if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of an email.');
    const { ids: found, last } = await this.search(teamId, filter, page);
    const ids = found.slice(0, page.limit);
    const isFull = found.length > page.limit;
    const items = await this.inOrder(ids);
    return {
      items: page.before === undefined ? items : items.reverse(),
      hasMore: isFull || last !== undefined,
      next: isFull ? ids.at(-1) : last,
    };
  }

  private search(teamId: string, filter: EmailFilter, page: PageRequest): Promise<Examined> {
    const { recipient, broadcastId } = filter;
    if (recipient !== undefined && isWholeAddress(recipient)) return this.addressed(teamId, filter, recipient, page);
    return broadcastId === undefined
      ? this.amongAll(teamId, filter, page)
      : this.ofBroadcast(teamId, filter, broadcastId, page);
  }

  private async addressed(teamId: string, filter: EmailFilter, address: string, page: PageRequest): Promise<Examined> {
    const { direction } = orderOf(page);
    const conditions = afterCursor(withinIds(new Conditions([address]), filter, 'email_id'), page, 'email_id');
    const candidates = await this.database.query<{ id: string }>({
      text: `SELECT email_id AS id FROM (
               SELECT email_id, address FROM recipients
               WHERE hashtextextended(lower(address), 0) = hashtextextended(lower($1), 0)${conditions.sql}
               ORDER BY email_id ${direction} LIMIT ${maxAddressed}
             ) r WHERE lower(address) = lower($1) ORDER BY email_id ${direction}`,
      values: conditions.values,
    });
    return this.among(teamId, filter, candidates, page, 'recipient');
  }

  private async ofBroadcast(
    teamId: string,
    filter: EmailFilter,
    broadcastId: string,
    page: PageRequest,
  ): Promise<Examined> {
    const { direction } = orderOf(page);
    const conditions = afterCursor(withinIds(new Conditions([broadcastId]), filter, 'email_id'), page, 'email_id');
    const candidates = await this.database.query<{ id: string }>({
      text: `SELECT email_id AS id FROM published_broadcast_emails WHERE broadcast_id = $1${conditions.sql}
             ORDER BY email_id ${direction} LIMIT ${maxAddressed}`,
      values: conditions.values,
    });
    return this.among(teamId, filter, candidates, page, 'broadcast');
  }

  /** The emails of the team among those that an index has found, in the order of the page. */
  private async among(
    teamId: string,
    filter: EmailFilter,
    candidates: readonly { readonly id: string }[],
    page: PageRequest,
    lookedUp: 'recipient' | 'broadcast',
  ): Promise<Examined> {
    if (candidates.length === 0) return { ids: [], last: undefined };
    const { direction } = orderOf(page);
    const all = candidates.map(({ id }) => id);
    const own = ofTheRow(new Conditions([teamId, all, ...boundsOf(all)]), filter, lookedUp);
    const rows = await this.database.query<{ id: string }>({
      text: `SELECT id FROM emails WHERE team_id = $1 AND id = ANY ($2::uuid[]) AND id BETWEEN $3 AND $4${own.sql}
             ORDER BY id ${direction} LIMIT ${page.limit + 1}`,
      values: own.values,
    });
    return { ids: rows.map(({ id }) => id), last: all.length < maxAddressed ? undefined : all.at(-1) };
  }

  private async amongAll(teamId: string, filter: EmailFilter, page: PageRequest): Promise<Examined> {
    const { direction } = orderOf(page);
    const range = afterCursor(withinIds(new Conditions([teamId]), filter, 'id'), page, 'id');
    const rest = ofTheRow(new Conditions(range.values), filter, 'nothing');
    const rows = await this.database.query<{ id: string }>({
      text: `SELECT id FROM (
               SELECT id, last_event, domain_id, api_key_id, tags, subject, "to", cc, bcc FROM emails
               WHERE team_id = $1${range.sql} ORDER BY id ${direction} LIMIT ${maxExamined}
             ) e WHERE true${rest.sql} LIMIT ${page.limit + 1}`,
      values: rest.values,
    });
    const ids = rows.map(({ id }) => id);
    if (ids.length > page.limit) return { ids, last: undefined };
    const [last] = await this.database.query<{ id: string }>({
      text: `SELECT id FROM emails WHERE team_id = $1${range.sql}
             ORDER BY id ${direction} OFFSET ${maxExamined - 1} LIMIT 1`,
      values: range.values,
    });
    return { ids, last: last?.id };
  }

  private async inOrder(ids: readonly string[]): Promise<Email[]> {
    const found = new Map((await this.emails.findAll(ids)).map((email) => [email.id, email]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}

/** Adds that the ids come after the cursor, in the order of the page. `column` is that of the ids. */
function afterCursor(conditions: Conditions, page: PageRequest, column: string): Conditions {
  const cursor = page.after ?? page.before;
  const { operator } = orderOf(page);
  return cursor === undefined ? conditions : conditions.add((value) => `${column} ${operator} ${value}::uuid`, cursor);
}

function orderOf({ before }: PageRequest): { readonly operator: '<' | '>'; readonly direction: 'ASC' | 'DESC' } {
  return before === undefined ? { operator: '<', direction: 'DESC' } : { operator: '>', direction: 'ASC' };
}
