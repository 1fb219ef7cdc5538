-- What became of each recipient of a broadcast, one row for each kind, for the other libs to read. It is read along its
-- primary key. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_results AS
  SELECT broadcast_id, kind, contact_id, first_at FROM broadcast_results;
