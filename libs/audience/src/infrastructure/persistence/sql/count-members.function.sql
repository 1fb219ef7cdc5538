-- Keeps the number of contacts that were added to each segment, in the statement that adds or removes them. Shards let concurrent
-- writers count without waiting for each other. The order of the rows prevents deadlocks between writers of several segments.
CREATE OR REPLACE FUNCTION count_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO segment_sizes AS s (segment_id, shard, contacts)
  SELECT segment_id, pg_backend_pid() % 32, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY segment_id ORDER BY segment_id
  ON CONFLICT (segment_id, shard) DO UPDATE SET contacts = s.contacts + EXCLUDED.contacts;
  RETURN NULL;
END $$;
