import { Database } from '#postgres/database';

export interface RecordedEvent {
  readonly type: string;
  readonly recipientNo: number | null;
  readonly data?: unknown;
  readonly createdAt?: Date;
}

/** Writes events of an email like the program: with consecutive numbers, in one statement. */
export async function recordEvents(
  database: Database,
  emailId: string,
  events: readonly RecordedEvent[],
): Promise<void> {
  await database.execute({
    text: `WITH numbered AS (
             UPDATE emails SET event_seq = event_seq + $3 WHERE id = $1 RETURNING event_seq - $3 AS base
           )
           INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
           SELECT $1, base + row_number() OVER (), no, coalesce(at, now()), type, data
           FROM numbered, json_to_recordset($2::json) AS e (type text, no smallint, data jsonb, at timestamptz)`,
    values: [
      emailId,
      JSON.stringify(
        events.map(({ type, recipientNo, data, createdAt }) => ({ type, no: recipientNo, data, at: createdAt })),
      ),
      events.length,
    ],
  });
}
