-- Notes received emails that belong into inboxes, in the statement that writes them. A tag behind a `+` belongs to the address
-- without it.
CREATE OR REPLACE FUNCTION file_received_emails() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO inbox_arrivals (received_id, inbox_id, team_id, due_at)
  SELECT DISTINCT f.id, i.id, f.team_id, f.created_at
  FROM fresh f CROSS JOIN LATERAL unnest(f.recipients) AS r (recipient) CROSS JOIN LATERAL (
    SELECT id FROM inboxes
    WHERE team_id = f.team_id AND address IN (lower(r.recipient), regexp_replace(lower(r.recipient), '\+[^@]*@', '@'))
    UNION ALL
    SELECT id FROM inboxes WHERE receiving_address = lower(r.recipient) AND team_id = f.team_id
  ) i;
  RETURN NULL;
END $$;
