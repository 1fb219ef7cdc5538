-- Keeps the number of contacts of each team, in the statement that adds or removes them. Shards let concurrent writers of one
-- team count without waiting for each other. The order of the rows prevents deadlocks between writers of several teams.
CREATE OR REPLACE FUNCTION count_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_counts AS c (team_id, shard, contacts)
  SELECT team_id, pg_backend_pid() % 8, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY team_id ORDER BY team_id
  ON CONFLICT (team_id, shard) DO UPDATE SET contacts = c.contacts + EXCLUDED.contacts;
  RETURN NULL;
END $$;
