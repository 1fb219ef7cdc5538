-- Ids of the saved sections that a document has copies of. Indexes are made of it: another result needs new ones. In texts of the
-- document quotation marks are escaped, so that none looks like this.
CREATE OR REPLACE FUNCTION saved_sections_in(document text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
  SELECT coalesce(array_agg(DISTINCT found[1]), '{}') FROM regexp_matches(document, '"savedId":"([^"]{1,60})"', 'g') found
$$;
