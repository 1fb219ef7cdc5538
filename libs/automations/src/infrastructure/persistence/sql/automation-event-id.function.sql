-- The id of the nth event that a statement makes: a UUIDv7 with the microsecond in its first random bits (RFC 9562 section
-- 6.2, method 3), so that events are taken in their order. PostgreSQL has a built-in uuidv7() only since version 18.
CREATE OR REPLACE FUNCTION automation_event_id(moment timestamptz, nth bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
          || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid
  FROM (SELECT (extract(epoch FROM moment) * 1000000)::bigint + nth AS us) AS t
$$;
