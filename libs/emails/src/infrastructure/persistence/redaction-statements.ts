import { Statement } from '#postgres/database';
import { AddressSpellings } from '#postgres/privacy';

/** Takes the place of an address. It is no address, so nothing is ever sent to it. */
const erased = 'erased';

/**
 * An email that names the address: as a recipient, among the names of its header, or as the author of what was passed
 * on.
 */
export interface FoundEmail {
  readonly emailId: string;
  /** The recipients with the address. */
  readonly recipientNos: readonly number[];
  /** Whether it is also mail of others: it has recipients with other addresses, and somebody else wrote it. */
  readonly hasOthers: boolean;
  /** Whether a recipient of the email is still to be delivered. */
  readonly isUnderWay: boolean;
  /** Whether it is scheduled to be sent to the address. */
  readonly isScheduled: boolean;
  /** Whether it is still to be delivered to the address. */
  readonly isQueued: boolean;
}

/** The emails of a portion that name the address, and where the portion ends. */
export function namingStatement(
  teamId: string,
  { mailbox }: AddressSpellings,
  after: string,
  limit: number,
): Statement {
  return {
    text: `WITH portion AS MATERIALIZED (
             SELECT id, "to" || cc || bcc || reply_to AS named, forwarded_from IS NOT NULL AND "from" ~ $3 AS is_author
             FROM emails WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $4
           )
           SELECT (SELECT p.id FROM portion p ORDER BY p.id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
                  (SELECT json_agg(json_build_object('emailId', p.id, 'recipientNos', r.nos,
                                                     'hasOthers', r.has_others AND NOT p.is_author,
                                                     'isUnderWay', r.is_under_way, 'isScheduled', r.is_scheduled,
                                                     'isQueued', r.is_queued) ORDER BY p.id)
                   FROM portion p
                   JOIN LATERAL (SELECT coalesce(array_agg(no ORDER BY no) FILTER (WHERE address ~ $3), '{}') AS nos,
                                        bool_or(address !~ $3 AND address <> '${erased}') AS has_others,
                                        bool_or(status IN ('scheduled', 'queued', 'delayed')) AS is_under_way,
                                        bool_or(status = 'scheduled' AND address ~ $3) AS is_scheduled,
                                        bool_or(status IN ('queued', 'delayed') AND address ~ $3) AS is_queued
                                 FROM recipients WHERE email_id = p.id) r ON true
                   WHERE r.nos <> '{}' OR p.is_author
                     OR EXISTS (SELECT FROM unnest(p.named) AS n (mailbox) WHERE n.mailbox ~ $3)) AS found`,
    values: [teamId, after, mailbox, limit],
  };
}

/**
 * Statements that erase one address from emails: from their lists of mailboxes and from what their events tell. An
 * email that had only this recipient also loses its subject, header fields and merge values. Counters and kinds of
 * events stay.
 *
 * @param alone the emails without other recipients.
 * @param bounds the lowest and the highest id of the emails.
 */
export function redactionStatements(
  found: readonly FoundEmail[],
  alone: readonly string[],
  { mailbox, within }: AddressSpellings,
  bounds: readonly [string, string],
): Statement[] {
  const ids = found.map(({ emailId }) => emailId);
  const recipients = found.flatMap(({ emailId, recipientNos }) => recipientNos.map((no) => [emailId, no] as const));
  const emailIds = recipients.map(([emailId]) => emailId);
  const numbers = recipients.map(([, no]) => no);
  return [
    // All writers of an email lock it first, in the order of the ids.
    {
      text: `SELECT FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3 ORDER BY id FOR NO KEY UPDATE`,
      values: [ids, ...bounds],
    },
    {
      text: `UPDATE emails SET
               "from" = CASE WHEN forwarded_from IS NOT NULL AND "from" ~ $4 THEN '${erased}' ELSE "from" END,
               "to" = ${withoutAddress('"to"')}, cc = ${withoutAddress('cc')}, bcc = ${withoutAddress('bcc')},
               reply_to = ${withoutAddress('reply_to')},
               subject = CASE WHEN id = ANY($5::uuid[]) THEN '${erased}' ELSE regexp_replace(subject, $6, '\\1${erased}', 'g') END,
               headers = CASE WHEN id = ANY($5::uuid[]) THEN NULL
                              ELSE regexp_replace(headers::text, $6, '\\1${erased}', 'g')::jsonb END,
               tags = CASE WHEN id = ANY($5::uuid[]) THEN NULL ELSE tags END,
               attachments = CASE WHEN id = ANY($5::uuid[]) THEN NULL ELSE attachments END,
               merge_values = CASE WHEN id = ANY($5::uuid[]) AND merge_values IS NOT NULL THEN '{}' ELSE merge_values END
             WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [ids, ...bounds, mailbox, alone, within],
    },
    {
      text: `UPDATE email_events v SET data = CASE
               WHEN v.data -> 'bounce' IS NOT NULL THEN jsonb_build_object('bounce', v.data -> 'bounce'
                 || jsonb_build_object('message', '${erased}', 'diagnosticCode', '[]'::jsonb))
               WHEN v.data -> 'click' -> 'machine' IS NOT NULL
                 THEN jsonb_build_object('click', jsonb_build_object('machine', v.data -> 'click' -> 'machine'))
               WHEN v.data -> 'open' -> 'machine' IS NOT NULL
                 THEN jsonb_build_object('open', jsonb_build_object('machine', v.data -> 'open' -> 'machine'))
               ELSE NULL END
             FROM unnest($1::uuid[], $4::smallint[]) AS q (email_id, no)
             WHERE v.email_id = q.email_id AND v.email_id BETWEEN $2 AND $3 AND v.recipient_no = q.no AND v.data IS NOT NULL`,
      values: [emailIds, ...bounds, numbers],
    },
    {
      text: `UPDATE recipients r SET address = '${erased}'
             FROM unnest($1::uuid[], $4::smallint[]) AS q (email_id, no)
             WHERE r.email_id = q.email_id AND r.email_id BETWEEN $2 AND $3 AND r.no = q.no`,
      values: [emailIds, ...bounds, numbers],
    },
  ];
}

/** A list of mailboxes, as `Ada <ada@x.example>`, in which the address ($4) is replaced. */
function withoutAddress(column: string): string {
  return `CASE WHEN ${column} IS NULL THEN NULL ELSE array(
    SELECT CASE WHEN m.mailbox ~ $4 THEN '${erased}' ELSE m.mailbox END
    FROM unnest(${column}) WITH ORDINALITY AS m (mailbox, no) ORDER BY m.no) END`;
}
