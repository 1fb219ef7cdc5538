import { Statement } from '#platform/database';

/** Whether an email of somebody else names an address, which is given in lower case. */
export function namesAddress(address: string): string {
  return `(lower(mail_from) = ${address} OR EXISTS (
    SELECT FROM unnest(recipients || "to" || cc || bcc || reply_to) AS n (name) WHERE lower(name) = ${address}))`;
}

/** The emails of a portion that name the address, and where it ends. $1: team, $2: behind it, $3: address, $4: size. */
const findRecipient = `
  WITH portion AS MATERIALIZED (
    SELECT * FROM received_emails WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $4
  )
  SELECT (SELECT id FROM portion ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
         (SELECT json_agg(json_build_object(
                   'id', id,
                   'isAlone', NOT EXISTS (SELECT FROM unnest(recipients || "to" || cc || bcc) AS n (name) WHERE lower(name) <> $3),
                   'isUnderWay', EXISTS (SELECT FROM received_work w WHERE w.email_id = portion.id)))
          FROM portion WHERE ${namesAddress('$3')}) AS found`;

export interface FoundRecipients {
  readonly last: string | null;
  readonly read: number;
  readonly found: readonly { readonly id: string; readonly isAlone: boolean; readonly isUnderWay: boolean }[] | null;
}

export function receivedByStatement(teamId: string, address: string, after: string, limit: number): Statement {
  return { text: findRecipient, values: [teamId, after, address, limit] };
}

const without = (column: string): string =>
  `${column} = ARRAY(SELECT CASE WHEN lower(name) = $3 THEN 'erased' ELSE name END
                     FROM unnest(${column}) WITH ORDINALITY AS n (name, no) ORDER BY no)`;

/** Puts \`erased\` in place of the address. Our own header fields name it too. */
export function removeRecipientStatement(teamId: string, ids: readonly string[], address: string): Statement {
  return {
    text: `UPDATE received_emails SET ${['recipients', '"to"', 'cc', 'bcc', 'reply_to'].map(without).join(', ')},
             mail_from = CASE WHEN lower(mail_from) = $3 THEN 'erased' ELSE mail_from END,
             trace = regexp_replace(trace, '***=' || $3, 'erased', 'gi')
           WHERE team_id = $1 AND id = ANY ($2::uuid[])`,
    values: [teamId, ids, address],
  };
}
