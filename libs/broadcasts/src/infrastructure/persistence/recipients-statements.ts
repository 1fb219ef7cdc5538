import { Statement } from '#postgres/database';
import { BroadcastRecipient, erasedAddress, RecipientsRequest } from '../../domain/statistics.js';

/** Links of one recipient that a page shows. */
const maxShownLinks = 100;
/** Recipients through which one request looks for a part of an address. */
export const maxSearched = 10_000;

export interface RecipientsCut {
  readonly limit: number;
  readonly before?: string;
  readonly cursor: string | undefined;
}

interface OfBroadcast {
  readonly id: string;
  readonly teamId: string;
}

export type FoundRecipient = BroadcastRecipient & {
  /** In a search: false for the row at which it ended without a match. */
  readonly isMatch?: boolean;
  readonly isEnd?: boolean;
};

/**
 * A page of the results of one kind, which are in the order of the contacts. The addresses and links of a page are
 * looked up once it is cut, each by its key.
 */
export function recipientsStatement(
  { id, teamId }: OfBroadcast,
  request: RecipientsRequest,
  cut: RecipientsCut,
): Statement {
  const { text, values, direction } = results(id, request, cut, (parameter) =>
    request.email === undefined
      ? ''
      : `AND s.contact_id = ANY (ARRAY(SELECT contact_id FROM broadcast_recipients
           WHERE team_id = ${parameter(teamId)} AND email = ${parameter(request.email)} AND broadcast_id = $1))`,
  );
  values[2] = cut.limit + 1;
  return {
    text: `WITH results AS MATERIALIZED (${text})
           SELECT ${shown} FROM results s ${lookedUp} ORDER BY s.contact_id ${direction}`,
    values,
  };
}

/** Looks through the next `maxSearched` results. The last row is where that ended. */
export function searchStatement({ id }: OfBroadcast, request: RecipientsRequest, cut: RecipientsCut): Statement {
  const { text, values, direction } = results(id, request, cut, () => '');
  values[2] = maxSearched;
  const part = `$${values.push(request.email)}`;
  const limit = `$${values.push(cut.limit + 1)}`;
  return {
    text: `WITH results AS MATERIALIZED (${text}
           ), matches AS MATERIALIZED (
             SELECT s.*, true AS is_match FROM results s JOIN broadcast_recipients r ON r.broadcast_id = $1 AND r.contact_id = s.contact_id
             WHERE strpos(r.email, ${part}) > 0 ORDER BY s.contact_id ${direction} LIMIT ${limit}
           ), ended AS (
             SELECT s.*, false AS is_match FROM results s ORDER BY s.contact_id ${direction === 'ASC' ? 'DESC' : 'ASC'} LIMIT 1
           ), chosen AS (SELECT * FROM matches UNION ALL SELECT * FROM ended)
           SELECT ${shown}, s.is_match AS "isMatch", (SELECT count(*) FROM results) < ${maxSearched} AS "isEnd"
           FROM chosen s ${lookedUp} ORDER BY s.is_match DESC, s.contact_id ${direction}`,
    values,
  };
}

/** $1: the broadcast, $2: the kind, $3: the limit. */
function results(
  id: string,
  { kind, bounceType }: RecipientsRequest,
  { before, cursor }: RecipientsCut,
  condition: (parameter: (value: unknown) => string) => string,
): { readonly text: string; readonly values: unknown[]; readonly direction: 'ASC' | 'DESC' } {
  const values: unknown[] = [id, kind, undefined];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const [operator, direction] = before === undefined ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const);
  const ofBounces =
    bounceType === undefined ? '' : `AND s.kind = 'bounced' AND s.bounce_type = ${parameter(bounceType)}`;
  const beyond = cursor === undefined ? '' : `AND s.contact_id ${operator} ${parameter(cursor)}`;
  const text = `
    SELECT s.contact_id, s.count, s.bounce_type FROM broadcast_results s
    WHERE s.broadcast_id = $1 AND s.kind = $2 ${ofBounces} ${beyond} ${condition(parameter)}
    ORDER BY s.contact_id ${direction} LIMIT $3`;
  return { text, values, direction };
}

const shown = `s.contact_id AS id, CASE WHEN r.email = '${erasedAddress}' THEN NULL ELSE s.contact_id END AS "contactId", r.email,
  s.count, s.bounce_type AS "bounceType", coalesce(k.links, '[]'::json) AS links`;

const lookedUp = `
  CROSS JOIN LATERAL (
    SELECT email FROM broadcast_recipients WHERE broadcast_id = $1 AND contact_id = s.contact_id LIMIT 1
  ) r
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('url', l.url, 'clicks', c.clicks) ORDER BY c.clicks DESC, l.id) AS links
    FROM (SELECT link_id, clicks FROM broadcast_recipient_links
          WHERE $2 = 'clicked' AND broadcast_id = $1 AND contact_id = s.contact_id LIMIT ${maxShownLinks}) c
    JOIN broadcast_links l ON l.broadcast_id = $1 AND l.id = c.link_id
  ) k`;
