-- Received emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_received_emails AS
  SELECT id, team_id, created_at, mail_from, "from", "to", subject, message_id,
         verdicts ->> 'automatic' AS automatic, coalesce((verdicts ->> 'depth')::smallint, 0::smallint) AS depth,
         coalesce(jsonb_array_length(verdicts #> '{dmarc,alignedBy}'), 0) > 0 AS is_author_proven
  FROM received_emails;
