import { Clock, DomainError, FairBudget, Page, pageOf, PageRequest } from '#kernel';
import { Database, DatabaseTransaction, keysetCondition, Statement } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { FilterCount, FilteredContacts, FilterPreview } from '../../../application/ports/filtered-contacts.port.js';
import { Contact } from '../../../domain/contact.js';
import { KnownReferences } from '../../../domain/filters/check-references.js';
import { Filter, FilterReferences, referencesOf } from '../../../domain/filters/filter.js';
import { AudienceNotMeasuredError, maxMeasured, MeasuredAudience } from '../../../domain/measured-audience.js';
import { contactColumns, ContactRow } from '../contact-row.js';
import { CompiledFilter, compileFilter, knownIn } from './compile-filter.js';
import {
  addedMembers,
  countOfMembers,
  fewMembers,
  figures,
  FiguresRow,
  firstTopicParameter,
  FoundMembers,
  matchingMembers,
} from './measure-statements.js';

/** Reads of one process at once, and those of one team. Each keeps a processor of PostgreSQL busy. */
const readsAtOnce = 4;
const readsOfTeam = 2;
const maxWaitMs = 10_000;

class TooManyReadsError extends DomainError {
  constructor() {
    super('limited', 'rate_limit_exceeded', 'Too many segments are being evaluated at once. Please try again.');
  }
}

/**
 * A filter is planned for its values (`plan_cache_mode`), because a prefix can use an index only if it is known.
 *
 * A count reads all contacts of the team once, and the activity or the choices of all of them once: nested loops, which
 * the planner prefers when it expects few matches, take three times as long when many match.
 */
const planned = 'SET LOCAL plan_cache_mode = force_custom_plan';
const counting = `${planned}; SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '64MB'`;
/** The sample is read once; what belongs to its contacts is looked up for each of them. */
const sampling = `${planned}; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL max_parallel_workers_per_gather = 0`;
const counts = 'count(*)::int AS contacts, (count(*) FILTER (WHERE NOT c.unsubscribed))::int AS subscribed';

/** Up to this number of contacts of a team all of them are read for a preview. */
const maxCounted = 100_000;
/** One of this number of contacts is in the sample: those whose id ends in a byte below 4. Ids end in random bits. */
const contactsPerSampled = 64;
const everyone = 'TRUE';
const isSampled = 'get_byte(uuid_send(c.id), 15) < 4';
/**
 * From this number of matches in the sample on, the estimate is within a few percent. With fewer, an exact count is
 * tried.
 */
const enoughMatches = 1_000;
/** Limit of such a count. */
const exactWithinMs = 200;
/** SQLSTATE query_canceled: the statement reached its limit. */
const canceled = '57014';

/** Limit of a statement that finds the members to look at, or looks at them. */
const measuredWithinMs = 1_500;
/** Members are found by an index of the segment: the table of members has those of all teams. */
const measuring = `${sampling}; SET LOCAL enable_seqscan = off; SET LOCAL statement_timeout = ${measuredWithinMs}`;
/** Limit of a read of all members that match a filter, where the sample has few. */
const allWithinMs = 700;
/** Fewer members of a sample say nothing about the others. */
const tooFewMatches = 100;

function isCanceled(error: unknown): boolean {
  return (error as { code?: unknown }).code === canceled;
}

/** The members that are looked at, as a text of their ids, and the number of all. */
type MembersToMeasure = Pick<MeasuredAudience, 'members' | 'isEstimated'> & { readonly ids: string };

interface PreviewRow extends FilterCount {
  readonly newest: readonly string[];
}

@Injectable()
export class PostgresFilteredContacts extends FilteredContacts {
  private readonly turns = new FairBudget({ total: readsAtOnce, maxPerOwner: readsOfTeam });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async known(teamId: string, references: FilterReferences): Promise<KnownReferences> {
    return this.database.run((transaction) => knownIn(transaction, teamId, references));
  }

  count(teamId: string, filter: Filter | undefined): Promise<FilterCount> {
    return this.inTurn(teamId, counting, async (transaction) => {
      const { condition, values } = await this.compiled(transaction, teamId, filter, 2);
      const [row] = await transaction.query<FilterCount & Record<string, number>>({
        text: `SELECT ${counts} FROM contacts c WHERE c.team_id = $1 AND ${condition}`,
        values: [teamId, ...values],
      });
      return { contacts: row?.contacts ?? 0, subscribed: row?.subscribed ?? 0 };
    });
  }

  async preview(teamId: string, filter: Filter, sampleSize: number): Promise<FilterPreview> {
    const total = await this.contactsOf(teamId);
    const previewOf = async ({ contacts, subscribed, newest }: PreviewRow, times: number): Promise<FilterPreview> => ({
      // A contact that is added meanwhile may be in one count and not in the other.
      contacts: times === 1 ? contacts : Math.min(contacts * times, total),
      subscribed: times === 1 ? subscribed : Math.min(subscribed * times, total),
      isEstimated: times > 1,
      sample: await this.withIds(teamId, newest),
    });
    if (total <= maxCounted) return previewOf(await this.previewed(teamId, filter, sampleSize, counting, everyone), 1);
    const sampled = await this.previewed(teamId, filter, sampleSize, sampling, isSampled);
    if (sampled.contacts >= enoughMatches) return previewOf(sampled, contactsPerSampled);
    try {
      const limit = `${counting}; SET LOCAL statement_timeout = ${exactWithinMs}`;
      return previewOf(await this.previewed(teamId, filter, sampleSize, limit, everyone), 1);
    } catch (error) {
      if (!isCanceled(error)) throw error;
      return previewOf(sampled, contactsPerSampled);
    }
  }

  /**
   * Of a sample, the contacts are read before the conditions are evaluated, because PostgreSQL does not know how few
   * they are.
   */
  private previewed(
    teamId: string,
    filter: Filter,
    sampleSize: number,
    settings: string,
    ofContact: string,
  ): Promise<PreviewRow> {
    return this.inTurn(teamId, settings, async (transaction) => {
      const { condition, values } = await this.compiled(transaction, teamId, filter, 3);
      const kept = ofContact === everyone ? 'NOT MATERIALIZED' : 'MATERIALIZED';
      const [row] = await transaction.query<PreviewRow & Record<string, unknown>>({
        text: `WITH c AS ${kept} (SELECT * FROM contacts c WHERE c.team_id = $1 AND ${ofContact}),
                    matching AS MATERIALIZED (SELECT c.id, c.unsubscribed FROM c WHERE ${condition})
               SELECT ${counts}, array(SELECT m.id FROM matching m ORDER BY m.id DESC LIMIT $2::int) AS newest FROM matching c`,
        values: [teamId, sampleSize, ...values],
      });
      return row ?? { contacts: 0, subscribed: 0, newest: [] };
    });
  }

  private withIds(teamId: string, ids: readonly string[]): Promise<readonly Contact[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.database.query<ContactRow>({
      text: `SELECT ${contactColumns('c')} FROM contacts c WHERE c.team_id = $1 AND c.id = ANY ($2::uuid[]) ORDER BY c.id DESC`,
      values: [teamId, ids],
    });
  }

  countMembers(teamId: string, segmentIds: readonly string[]): Promise<ReadonlyMap<string, FilterCount>> {
    return this.inTurn(teamId, planned, async (transaction) => {
      const rows = await transaction.query<FilterCount & { id: string }>({
        text: `SELECT m.segment_id AS id, ${counts} FROM segment_contacts m JOIN contacts c ON c.id = m.contact_id
               WHERE m.segment_id = ANY ($2::uuid[]) AND m.team_id = $1 GROUP BY m.segment_id`,
        values: [teamId, segmentIds],
      });
      return new Map(rows.map(({ id, contacts, subscribed }) => [id, { contacts, subscribed }]));
    });
  }

  async measure(
    teamId: string,
    segment: { readonly id: string; readonly filter: Filter | null },
    topicId: string | null,
  ): Promise<MeasuredAudience> {
    try {
      const { ids, ...of } =
        segment.filter === null ? await this.added(teamId, segment.id) : await this.matching(teamId, segment.filter);
      return await this.inTurn(teamId, measuring, async (transaction) => {
        const topic: Filter | undefined = topicId === null ? undefined : { kind: 'topic', topicId };
        const compiled = await this.compiled(transaction, teamId, topic, firstTopicParameter);
        const [row] = await transaction.query<FiguresRow>(figures(teamId, ids, compiled, this.clock.now()));
        const { bounce, complaint, manual, imports, ...counts } = row as FiguresRow;
        return {
          ...of,
          ...counts,
          suppressed: { bounce, complaint, manual },
          imports: imports.map((one) => ({ ...one, createdAt: new Date(one.createdAt) })),
        };
      });
    } catch (error) {
      throw isCanceled(error) ? new AudienceNotMeasuredError() : error;
    }
  }

  private added(teamId: string, segmentId: string): Promise<MembersToMeasure> {
    return this.inTurn(teamId, measuring, async (transaction) => {
      const [counted] = await transaction.query<{ found: number }>(countOfMembers(segmentId));
      const members = counted?.found ?? 0;
      const [row] = await transaction.query<FoundMembers>(addedMembers(segmentId, members));
      return { members, isEstimated: members > maxMeasured, ids: row?.ids ?? '{}' };
    });
  }

  /** Of a large team the members in a sample, or all of them where few are found in it. */
  private async matching(teamId: string, filter: Filter): Promise<MembersToMeasure> {
    const contacts = await this.contactsOf(teamId);
    const sampled = await this.membersBy(teamId, filter, measuring, (compiled) =>
      matchingMembers(teamId, contacts, compiled),
    );
    if (contacts <= maxMeasured) return { members: sampled.found, isEstimated: false, ids: sampled.ids };
    if (sampled.found < enoughMatches) {
      const isTooFew = sampled.found < tooFewMatches;
      const limit = `${counting}; SET LOCAL statement_timeout = ${isTooFew ? measuredWithinMs : allWithinMs}`;
      const all = await this.membersBy(teamId, filter, limit, (compiled) => fewMembers(teamId, compiled)).catch(
        (error: unknown) => {
          if (isTooFew || !isCanceled(error)) throw error;
          return undefined;
        },
      );
      if (all !== undefined && all.found <= maxMeasured)
        return { members: all.found, isEstimated: false, ids: all.ids };
    }
    const members = Math.round((sampled.found * contacts) / Math.max(1, sampled.read));
    return { members, isEstimated: true, ids: sampled.ids };
  }

  private membersBy(
    teamId: string,
    filter: Filter,
    settings: string,
    statement: (compiled: CompiledFilter) => Statement,
  ): Promise<FoundMembers> {
    return this.inTurn(teamId, settings, async (transaction) => {
      const [row] = await transaction.query<FoundMembers>(
        statement(await this.compiled(transaction, teamId, filter, 2)),
      );
      return row ?? { read: 0, found: 0, ids: '{}' };
    });
  }

  private async contactsOf(teamId: string): Promise<number> {
    const [row] = await this.database.query<{ contacts: number }>({
      text: 'SELECT coalesce(sum(contacts), 0)::float8 AS contacts FROM contact_counts WHERE team_id = $1',
      values: [teamId],
    });
    return row?.contacts ?? 0;
  }

  async page(teamId: string, filter: Filter, page: PageRequest): Promise<Page<Contact>> {
    const { condition, order, values } = keysetCondition(page, 2);
    return pageOf(page, await this.read(teamId, filter, condition, order, values));
  }

  next(teamId: string, filter: Filter, after: string | undefined, limit: number): Promise<readonly Contact[]> {
    const behind = after === undefined ? '' : 'AND id > $2';
    return this.read(
      teamId,
      filter,
      behind,
      `ORDER BY id LIMIT ${Math.floor(limit)}`,
      after === undefined ? [] : [after],
    );
  }

  private read(
    teamId: string,
    filter: Filter,
    behind: string,
    order: string,
    cursor: readonly string[],
  ): Promise<ContactRow[]> {
    return this.inTurn(teamId, planned, async (transaction) => {
      const { condition, values } = await this.compiled(transaction, teamId, filter, 2 + cursor.length);
      return transaction.query<ContactRow>({
        text: `SELECT ${contactColumns('c')} FROM contacts c WHERE c.team_id = $1 ${behind} AND ${condition} ${order}`,
        values: [teamId, ...cursor, ...values],
      });
    });
  }

  /** Compiled in the transaction that reads, so that it knows the topics and segments of this moment. */
  private async compiled(
    transaction: DatabaseTransaction,
    teamId: string,
    filter: Filter | undefined,
    firstParameter: number,
  ): Promise<CompiledFilter> {
    if (filter === undefined) return { condition: 'TRUE', values: [] };
    const known = await knownIn(transaction, teamId, { ...referencesOf(filter), properties: [] });
    return compileFilter(filter, firstParameter, known, this.clock.now());
  }

  private async inTurn<Result>(
    teamId: string,
    settings: string,
    read: (transaction: DatabaseTransaction) => Promise<Result>,
  ): Promise<Result> {
    const readNow = (): Promise<Result> =>
      this.database.run(async (transaction) => {
        await transaction.execute({ text: settings });
        return read(transaction);
      });
    return this.turns.during([teamId], 1, readNow, { maxWaitMs, refusal: () => new TooManyReadsError() });
  }
}
