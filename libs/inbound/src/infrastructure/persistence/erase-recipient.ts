import { Statement } from '#postgres/database';
import { AddressSpellings } from '#postgres/privacy';

/** Whether an email names an address. The parameter is the pattern of a mailbox. */
export function namesAddress(pattern: string): string {
  return `("from" ~ ${pattern} OR mail_from ~ ${pattern} OR EXISTS (
    SELECT FROM unnest(recipients || "to" || cc || bcc || reply_to) AS n (name) WHERE name ~ ${pattern}))`;
}

/**
 * The emails of a portion that name the address, and where it ends. $1: team, $2: behind it, $3: pattern, $4: size. An
 * author whose address the index has in another spelling is found here.
 */
const findRecipient = `
  WITH portion AS MATERIALIZED (
    SELECT * FROM received_emails WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $4
  )
  SELECT (SELECT id FROM portion ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
         (SELECT json_agg(json_build_object(
                   'id', id,
                   'isAlone', "from" ~ $3 OR NOT EXISTS (
                     SELECT FROM unnest(recipients || "to" || cc || bcc) AS n (name) WHERE name !~ $3 AND name <> 'erased'),
                   'isUnderWay', EXISTS (SELECT FROM received_work w WHERE w.email_id = portion.id)))
          FROM portion WHERE ${namesAddress('$3')}) AS found`;

export interface FoundRecipients {
  readonly last: string | null;
  readonly read: number;
  readonly found: readonly { readonly id: string; readonly isAlone: boolean; readonly isUnderWay: boolean }[] | null;
}

export function receivedByStatement(
  teamId: string,
  { mailbox }: AddressSpellings,
  after: string,
  limit: number,
): Statement {
  return { text: findRecipient, values: [teamId, after, mailbox, limit] };
}

const without = (column: string): string =>
  `${column} = ARRAY(SELECT CASE WHEN name ~ $3 THEN 'erased' ELSE name END
                     FROM unnest(${column}) WITH ORDINALITY AS n (name, no) ORDER BY no)`;

/** Puts `erased` in place of the address. Our own header fields name it too. */
export function removeRecipientStatement(
  teamId: string,
  ids: readonly string[],
  { mailbox, within }: AddressSpellings,
): Statement {
  return {
    text: `UPDATE received_emails SET ${['recipients', '"to"', 'cc', 'bcc', 'reply_to'].map(without).join(', ')},
             mail_from = CASE WHEN mail_from ~ $3 THEN 'erased' ELSE mail_from END,
             trace = regexp_replace(trace, $4, '\\1erased', 'g')
           WHERE team_id = $1 AND id = ANY ($2::uuid[])`,
    values: [teamId, ids, mailbox, within],
  };
}
