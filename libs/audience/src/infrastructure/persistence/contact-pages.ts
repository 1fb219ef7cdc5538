import { foldedCase, PageRequest, searchedAddress } from '#kernel';
import { keysetCondition, ReadDatabase } from '#postgres/database';
import { ContactFilter, ContactSearch } from '../../application/ports/contact-repository.port.js';
import { contactKey } from '../../domain/contact.js';
import { contactColumns, ContactRow } from './contact-row.js';
import { FoldedSearch, maxReadInOrder, maxSortedMatches, searchClauses } from './contact-search.js';

/**
 * Reads pages of contacts, newest first, one more than a page holds.
 *
 * A search has three plans. Few matches are collected from the indexes of the address and the names, and sorted. Where
 * many match, the list is read in its own order, because among many contacts a page of them is found soon. Where it is
 * not, since the matches lie together (names of one import, for example), all of them are sorted.
 */
export class ContactPages {
  constructor(private readonly database: ReadDatabase) {}

  async read(teamId: string, page: PageRequest, { segmentId, search }: ContactFilter): Promise<readonly ContactRow[]> {
    const direction = page.before === undefined ? 'DESC' : 'ASC';
    if (search === undefined) return this.inOrder(teamId, page, segmentId, undefined, direction);
    const folded = foldedSearch(search);
    const matches = await this.matches(teamId, folded);
    if (matches !== undefined) return this.among(teamId, page, segmentId, matches, direction);
    const found = await this.inOrder(teamId, page, segmentId, folded, direction);
    return found.length > page.limit ? found : this.sorted(teamId, page, segmentId, folded, direction);
  }

  /** Ids of the contacts that match; undefined if there are too many to sort. */
  private async matches(teamId: string, search: FoldedSearch): Promise<readonly string[] | undefined> {
    const { conditions, values } = searchClauses(search, 2);
    const parts = conditions.map(
      (condition) =>
        `(SELECT c.id FROM contacts c WHERE c.team_id = $1 AND ${condition} LIMIT ${maxSortedMatches + 1})`,
    );
    const rows = await this.database.query<{ id: string }>({
      text: parts.join(' UNION ALL '),
      values: [teamId, ...values],
    });
    return rows.length > maxSortedMatches ? undefined : [...new Set(rows.map(({ id }) => id))];
  }

  private among(
    teamId: string,
    page: PageRequest,
    segmentId: string | undefined,
    ids: readonly string[],
    direction: string,
  ): Promise<ContactRow[]> {
    const member =
      segmentId === undefined
        ? ''
        : 'AND EXISTS (SELECT FROM segment_contacts m WHERE m.segment_id = $3 AND m.contact_id = c.id)';
    const values = [teamId, ids, ...(segmentId === undefined ? [] : [segmentId])];
    const keyset = keysetCondition(page, values.length + 1);
    return this.database.query<ContactRow>({
      text: `SELECT ${contactColumns('c')}
             FROM (SELECT id FROM unnest($2::uuid[]) AS found (id) WHERE true ${keyset.condition}) f
             JOIN contacts c ON c.id = f.id AND c.team_id = $1 ${member}
             ORDER BY c.id ${direction} LIMIT ${page.limit + 1}`,
      values: [...values, ...keyset.values],
    });
  }

  private inOrder(
    teamId: string,
    page: PageRequest,
    segmentId: string | undefined,
    search: FoldedSearch | undefined,
    direction: string,
  ): Promise<ContactRow[]> {
    const values: unknown[] = [teamId, ...(segmentId === undefined ? [] : [segmentId])];
    const keyset = keysetCondition(page, values.length + 1);
    values.push(...keyset.values);
    const clauses = search === undefined ? undefined : searchClauses(search, values.length + 1);
    values.push(...(clauses?.values ?? []));
    const matching = clauses === undefined ? '' : `AND (${clauses.conditions.map((c) => `(${c})`).join(' OR ')})`;
    const source =
      segmentId === undefined
        ? 'SELECT id FROM contacts WHERE team_id = $1'
        : 'SELECT contact_id AS id FROM segment_contacts WHERE team_id = $1 AND segment_id = $2';
    // Each contact is looked up by its id: the source is read only until the page is full.
    return this.database.query<ContactRow>({
      text: `SELECT found.*
             FROM (SELECT id AS position FROM (${source}) s WHERE true ${keyset.condition}
                   ORDER BY id ${direction} ${search === undefined ? '' : `LIMIT ${maxReadInOrder}`}) ordered
             CROSS JOIN LATERAL (SELECT ${contactColumns('c')} FROM contacts c WHERE c.id = ordered.position ${matching}
                                 OFFSET 0) found
             ORDER BY ordered.position ${direction} LIMIT ${page.limit + 1}`,
      values,
    });
  }

  private sorted(
    teamId: string,
    page: PageRequest,
    segmentId: string | undefined,
    search: FoldedSearch,
    direction: string,
  ): Promise<ContactRow[]> {
    const clauses = searchClauses(search, 2);
    const values: unknown[] = [teamId, ...clauses.values];
    const keyset = keysetCondition(page, values.length + 1);
    values.push(...keyset.values, ...(segmentId === undefined ? [] : [segmentId]));
    const member =
      segmentId === undefined
        ? ''
        : `AND EXISTS (SELECT FROM segment_contacts m WHERE m.segment_id = $${values.length} AND m.contact_id = c.id)`;
    const parts = clauses.conditions.map((c) => `SELECT c.id FROM contacts c WHERE c.team_id = $1 AND ${c}`);
    return this.database.query<ContactRow>({
      text: `WITH matches AS MATERIALIZED (${parts.join(' UNION ')})
             SELECT ${contactColumns('c')}
             FROM (SELECT id FROM matches WHERE true ${keyset.condition} ORDER BY id ${direction}) f
             JOIN contacts c ON c.id = f.id ${member}
             ORDER BY c.id ${direction} LIMIT ${page.limit + 1}`,
      values,
    });
  }
}

function foldedSearch({ text, names = [] }: ContactSearch): FoldedSearch {
  return {
    address: contactKey(searchedAddress(text)),
    text: foldedCase(text),
    names: names.map(({ first, last }) => ({ first: foldedCase(first), last: foldedCase(last) })),
  };
}
