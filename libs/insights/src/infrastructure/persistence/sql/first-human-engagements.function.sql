-- Returns the opens and clicks among these events that count as unique: the first of its kind by a person, per recipient.
-- Visits of machines (privacy proxies, scanners) are ignored. This rule is only here, for the counters and for the metrics
-- of single emails. The planner inlines the function. The bounds, which may be wide, let PostgreSQL skip the partitions of
-- other days.
CREATE OR REPLACE FUNCTION first_human_engagements(
  email_ids uuid[], seqs integer[], recipient_nos smallint[], types text[], datas jsonb[], first_id uuid, last_id uuid
) RETURNS TABLE (email_id uuid, seq integer) LANGUAGE sql STABLE AS $$
  SELECT f.email_id, f.seq
  FROM unnest(email_ids, seqs, recipient_nos, types, datas) AS f (email_id, seq, recipient_no, type, data)
  WHERE f.type IN ('email.opened', 'email.clicked')
    AND coalesce(f.data -> 'open' ->> 'machine', f.data -> 'click' ->> 'machine') IS DISTINCT FROM 'true'
    AND NOT EXISTS (
      SELECT FROM published_email_events v
      WHERE v.email_id = f.email_id AND v.email_id BETWEEN first_id AND last_id AND v.seq < f.seq AND v.type = f.type
        AND v.recipient_no IS NOT DISTINCT FROM f.recipient_no
        AND coalesce(v.data -> 'open' ->> 'machine', v.data -> 'click' ->> 'machine') IS DISTINCT FROM 'true')
$$;
