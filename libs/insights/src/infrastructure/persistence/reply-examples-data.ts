import { RecipientRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

/** The replies about an email that are shown as examples of a provider: they may name its recipient. The counts stay. */
@Injectable()
export class ReplyExamplesData extends RecipientRows {
  readonly name = 'examples';

  protected readonly read = `
    SELECT q.email_id AS "emailId", q.no AS "recipientNo",
           json_build_object('day', c.day, 'provider', c.provider, 'kind', c.kind, 'reply', c.reply) AS record
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    JOIN provider_counts c ON c.email_id = q.email_id AND c.email_id BETWEEN $3 AND $4`;

  protected readonly clear = `
    UPDATE provider_counts c SET reply = NULL, email_id = NULL
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    WHERE c.email_id = q.email_id AND c.email_id BETWEEN $3 AND $4`;
}
