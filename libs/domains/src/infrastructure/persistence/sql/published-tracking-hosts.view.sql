-- Hosts of rewritten links for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_tracking_hosts AS
  SELECT id AS domain_id, team_id, region, tracking_subdomain || '.' || name AS host,
    -- The domain is its team's, and the host leads here.
    status IN ('verified', 'temporary_failure', 'partially_failed')
      AND coalesce(checks -> 'tracking' ->> 'status' = 'verified', false) AS is_verified
  FROM domains WHERE tracking_subdomain IS NOT NULL;
