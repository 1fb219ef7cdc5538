import { Statement } from '#platform/database';
import { RecipientKey } from '#platform/privacy';

/** Takes the place of an address. It is no address, so nothing is ever sent to it. */
const erased = 'erased';

/**
 * Statements that erase one address from emails: from the lists of recipients and from what their events tell. An email that had
 * only this recipient also loses its subject, header fields and merge values. Counters and kinds of events stay.
 *
 * @param alone the emails without other recipients.
 * @param bounds the lowest and the highest id of the emails.
 */
export function redactionStatements(
  recipients: readonly RecipientKey[],
  alone: readonly string[],
  address: string,
  bounds: readonly [string, string],
): Statement[] {
  const emailIds = recipients.map(({ emailId }) => emailId);
  const numbers = recipients.map(({ recipientNo }) => recipientNo);
  return [
    // All writers of an email lock it first, in the order of the ids.
    {
      text: `SELECT FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3 ORDER BY id FOR NO KEY UPDATE`,
      values: [emailIds, ...bounds],
    },
    {
      text: `UPDATE emails SET
               "to" = ${withoutAddress('"to"')}, cc = ${withoutAddress('cc')}, bcc = ${withoutAddress('bcc')},
               subject = CASE WHEN id = ANY($5::uuid[]) THEN '${erased}' ELSE subject END,
               headers = CASE WHEN id = ANY($5::uuid[]) THEN NULL ELSE headers END,
               tags = CASE WHEN id = ANY($5::uuid[]) THEN NULL ELSE tags END,
               attachments = CASE WHEN id = ANY($5::uuid[]) THEN NULL ELSE attachments END,
               merge_values = CASE WHEN id = ANY($5::uuid[]) AND merge_values IS NOT NULL THEN '{}' ELSE merge_values END
             WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [emailIds, ...bounds, address, alone],
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
    SELECT CASE WHEN lower(m.mailbox) = $4 OR strpos(lower(m.mailbox), '<' || $4 || '>') > 0 THEN '${erased}' ELSE m.mailbox END
    FROM unnest(${column}) WITH ORDINALITY AS m (mailbox, no) ORDER BY m.no) END`;
}
