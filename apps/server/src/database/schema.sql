-- The whole schema, lib by lib, as an empty database has it after the migrations. Written by `npm run docs:schema`, for
-- reading: the program makes its tables by migrations, and its views, functions and triggers from the SQL files of the libs.
-- Left out are the daily partitions and the tables of BullMQ.

-- == apps/server

CREATE TABLE migrations (
  id integer DEFAULT nextval('migrations_id_seq'::regclass) NOT NULL,
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  PRIMARY KEY (id)
);

-- == libs/postgres

CREATE TABLE installed_definitions (
  name text NOT NULL,
  hash text NOT NULL,
  no bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  installed_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (name, hash)
);

CREATE TABLE event_consumers (
  name text NOT NULL,
  "position" bigint DEFAULT 0 NOT NULL,
  safe_position bigint DEFAULT 0 NOT NULL,
  fence_position bigint,
  fence_xid xid8,
  holder uuid,
  held_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  PRIMARY KEY (name)
) WITH (fillfactor=25);

CREATE TABLE team_events (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  type text NOT NULL,
  data json NOT NULL,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);

-- Events that belong to a team and to no email, for the libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_team_events AS
  SELECT id, team_id, created_at, type, data FROM team_events;

-- == libs/identity

CREATE TABLE teams (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  default_from text,
  PRIMARY KEY (id)
);

CREATE TABLE api_keys (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  permission text NOT NULL,
  domain_id uuid,
  token_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  grant_id uuid,
  allowed_ips text[],
  allowed_recipient_domains text[],
  daily_limit integer,
  only_drafts boolean DEFAULT false NOT NULL,
  PRIMARY KEY (id),
  CHECK ((permission = ANY (ARRAY['full_access'::text, 'sending_access'::text]))),
  FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE,
  FOREIGN KEY (team_id) REFERENCES teams(id),
  UNIQUE (token_hash)
);
CREATE INDEX api_keys_grant ON api_keys USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX api_keys_of_team ON api_keys USING btree (team_id, id);

-- Teams for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_teams AS
  SELECT id, name FROM teams;

-- API keys for the other libs to read, without what would authenticate. Columns may be added at the end; removing one takes
-- two releases.
CREATE OR REPLACE VIEW published_api_keys AS
  SELECT id, team_id, name, grant_id FROM api_keys;

-- == libs/audit

CREATE TABLE audit_entries (
  id uuid NOT NULL,
  team_id uuid,
  action text NOT NULL,
  outcome text,
  actor_kind text NOT NULL,
  actor_id uuid,
  address text,
  target_id text,
  before jsonb,
  after jsonb,
  grant_id uuid,
  tool_name text,
  PRIMARY KEY (id)
);
CREATE INDEX audit_entries_team ON audit_entries USING btree (team_id, id);

-- == libs/accounts

CREATE TABLE team_members (
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  tools_ended_at timestamp with time zone,
  provider text,
  PRIMARY KEY (team_id, user_id),
  CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'viewer'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE
);
CREATE INDEX team_members_user ON team_members USING btree (user_id);

CREATE TABLE team_invitations (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  grant_id uuid,
  PRIMARY KEY (id),
  CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'viewer'::text]))),
  FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE,
  FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE,
  UNIQUE (team_id, email),
  UNIQUE (token_hash)
);
CREATE INDEX team_invitations_email ON team_invitations USING btree (email);
CREATE INDEX team_invitations_expires ON team_invitations USING btree (expires_at);
CREATE INDEX team_invitations_grant ON team_invitations USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX team_invitations_page ON team_invitations USING btree (team_id, id);

CREATE TABLE operators (
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE
);

CREATE TABLE sign_in_attempts (
  kind text NOT NULL,
  key text NOT NULL,
  count integer NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  PRIMARY KEY (kind, key)
) WITH (fillfactor=70);
CREATE INDEX sign_in_attempts_ends_at ON sign_in_attempts USING btree (ends_at);

-- Members of teams for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_team_members AS
  SELECT team_id, user_id, role, tools_ended_at FROM team_members;

-- Addresses of members of teams, for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_member_addresses AS
  SELECT m.team_id, m.role, u.email, m.user_id FROM team_members m JOIN auth."user" u ON u.id = m.user_id;

-- Sessions that have not ended, for the other libs to read, without what would authenticate. Columns may be added at the end;
-- removing one takes two releases.
CREATE OR REPLACE VIEW published_sessions AS
  SELECT id, "userId" AS user_id FROM auth.session WHERE "expiresAt" > now();

-- == libs/oauth

CREATE TABLE oauth_clients (
  id uuid NOT NULL,
  name text NOT NULL,
  logo_uri text,
  redirect_uris text[] NOT NULL,
  secret_hash bytea,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX oauth_clients_created ON oauth_clients USING btree (created_at);

CREATE TABLE oauth_codes (
  code_hash bytea NOT NULL,
  client_id uuid NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  scopes text[] NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  grant_id uuid,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (code_hash),
  FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE,
  FOREIGN KEY (team_id, user_id) REFERENCES team_members(team_id, user_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_expires ON oauth_codes USING btree (expires_at);
CREATE INDEX oauth_codes_user ON oauth_codes USING btree (user_id);

CREATE TABLE oauth_grants (
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  revoked_reason text,
  refresh_hash bytea NOT NULL,
  replaced_hash bytea,
  refresh_expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE,
  FOREIGN KEY (team_id, user_id) REFERENCES team_members(team_id, user_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE,
  UNIQUE (refresh_hash)
);
CREATE INDEX oauth_grants_client ON oauth_grants USING btree (client_id);
CREATE INDEX oauth_grants_expires ON oauth_grants USING btree (refresh_expires_at);
CREATE INDEX oauth_grants_replaced ON oauth_grants USING btree (replaced_hash);
CREATE INDEX oauth_grants_team ON oauth_grants USING btree (team_id, id);
CREATE INDEX oauth_grants_user ON oauth_grants USING btree (user_id);

-- Grants that are in force, with the present role of their users, for the other libs to read. What a tool has made ends when its
-- grant is no longer here. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_oauth_grants AS
  SELECT g.id, g.team_id, g.user_id, m.role, g.scopes, coalesce(c.name, 'Command line') AS client_name
  FROM oauth_grants g
  JOIN published_team_members m ON m.team_id = g.team_id AND m.user_id = g.user_id
  LEFT JOIN oauth_clients c ON c.id = g.client_id
  WHERE g.revoked_at IS NULL AND (m.tools_ended_at IS NULL OR g.created_at > m.tools_ended_at);

-- == libs/domains

CREATE TABLE domains (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  region text NOT NULL,
  custom_return_path text NOT NULL,
  sandbox boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  tls text DEFAULT 'opportunistic'::text NOT NULL,
  open_tracking boolean DEFAULT false NOT NULL,
  click_tracking boolean DEFAULT false NOT NULL,
  tracking_subdomain text,
  sending boolean DEFAULT true NOT NULL,
  receiving boolean DEFAULT false NOT NULL,
  dkim_publication text DEFAULT 'txt'::text NOT NULL,
  dkim_generation integer DEFAULT 1 NOT NULL,
  checks jsonb DEFAULT '{}'::jsonb NOT NULL,
  dns_provider text,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone,
  version integer DEFAULT 0 NOT NULL,
  brand_logo jsonb,
  failover boolean DEFAULT false NOT NULL,
  stand_in text,
  moved_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((sending OR receiving)),
  CHECK ((dkim_publication = ANY (ARRAY['txt'::text, 'cname'::text]))),
  CHECK ((tls = ANY (ARRAY['opportunistic'::text, 'enforced'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id),
  UNIQUE (name)
);
CREATE INDEX domains_due ON domains USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX domains_failover ON domains USING btree (region) WHERE failover;
CREATE INDEX domains_moved ON domains USING btree (moved_at) WHERE (moved_at IS NOT NULL);
CREATE INDEX domains_of_team ON domains USING btree (team_id, id);

CREATE TABLE dkim_keys (
  id uuid NOT NULL,
  domain_id uuid NOT NULL,
  selector text NOT NULL,
  algorithm text NOT NULL,
  public_key text NOT NULL,
  sealed_private_key bytea NOT NULL,
  signing boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  retired_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((algorithm = ANY (ARRAY['rsa-sha256'::text, 'ed25519-sha256'::text]))),
  FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE,
  UNIQUE (domain_id, selector)
);

CREATE TABLE domain_claims (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  settings jsonb NOT NULL,
  token text NOT NULL,
  blocked_reason text,
  failure_reason text,
  proven_at timestamp with time zone,
  next_check_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX domain_claims_due ON domain_claims USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX domain_claims_of_domain ON domain_claims USING btree (domain_id, id);
CREATE INDEX domain_claims_of_name ON domain_claims USING btree (name) WHERE (status = ANY (ARRAY['pending'::text, 'verified'::text, 'blocked'::text]));
CREATE UNIQUE INDEX domain_claims_open ON domain_claims USING btree (team_id, name) WHERE (status = ANY (ARRAY['pending'::text, 'verified'::text, 'blocked'::text]));

-- Domains for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_domains AS
  SELECT id, team_id, name, region, coalesce(stand_in, region) AS sending_region, status, sandbox FROM domains;

-- Hosts of rewritten links for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_tracking_hosts AS
  SELECT id AS domain_id, team_id, region, tracking_subdomain || '.' || name AS host,
    -- The domain is its team's, and the host leads here.
    status IN ('verified', 'temporary_failure', 'partially_failed')
      AND coalesce(checks -> 'tracking' ->> 'status' = 'verified', false) AS is_verified
  FROM domains WHERE tracking_subdomain IS NOT NULL;

-- == libs/certificates

CREATE TABLE certificates (
  host text NOT NULL,
  domain_id uuid,
  team_id uuid,
  state text DEFAULT 'pending'::text NOT NULL,
  sealed_certificate bytea,
  issued_at timestamp with time zone,
  not_after timestamp with time zone,
  renew_at timestamp with time zone,
  due_at timestamp with time zone NOT NULL,
  lease uuid,
  tries integer DEFAULT 0 NOT NULL,
  reason text,
  is_revoked boolean DEFAULT false NOT NULL,
  order_url text,
  sealed_order_key bytea,
  challenge_token text,
  challenge_answer text,
  wanted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (host),
  CHECK ((state = ANY (ARRAY['pending'::text, 'issued'::text, 'failed'::text])))
);
CREATE INDEX certificates_challenged ON certificates USING btree (challenge_token) WHERE (challenge_token IS NOT NULL);
CREATE INDEX certificates_due ON certificates USING btree (due_at);
CREATE INDEX certificates_of_domain ON certificates USING btree (domain_id);

CREATE TABLE certificate_orders (
  id uuid NOT NULL,
  team_id uuid,
  registrable_domain text NOT NULL,
  ordered_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX certificate_orders_by_time ON certificate_orders USING btree (ordered_at);
CREATE INDEX certificate_orders_of_domain ON certificate_orders USING btree (registrable_domain, ordered_at);
CREATE INDEX certificate_orders_of_team ON certificate_orders USING btree (team_id, ordered_at);

CREATE TABLE acme_accounts (
  directory text NOT NULL,
  sealed_key bytea NOT NULL,
  url text,
  PRIMARY KEY (directory)
);

-- == libs/suppressions

CREATE TABLE suppressions (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  email text NOT NULL,
  origin text NOT NULL,
  source_id uuid,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  CHECK ((origin = ANY (ARRAY['bounce'::text, 'complaint'::text, 'manual'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id),
  UNIQUE (team_id, email)
);
CREATE INDEX suppressions_concealed ON suppressions USING btree (team_id) WHERE (email ~~ 'hmac:%'::text);
CREATE INDEX suppressions_of_origin ON suppressions USING btree (team_id, origin, id);
CREATE INDEX suppressions_of_team ON suppressions USING btree (team_id, id);

CREATE TABLE suppression_hash_keys (
  no smallint NOT NULL,
  sealed_key bytea NOT NULL,
  PRIMARY KEY (no),
  CHECK ((no = 1))
);

-- Suppressed addresses for the other libs to count. Concealed ones have their hash as address. Columns may be added at the end; removing
-- one takes two releases.
CREATE OR REPLACE VIEW published_suppressions AS
  SELECT team_id, email, origin FROM suppressions;

-- == libs/audience

CREATE TABLE contacts (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  email text NOT NULL,
  first_name text,
  last_name text,
  unsubscribed boolean DEFAULT false NOT NULL,
  unsubscribed_at timestamp with time zone,
  properties jsonb DEFAULT '{}'::jsonb NOT NULL,
  bounced_at timestamp with time zone,
  complained_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
) WITH (fillfactor=85);
CREATE UNIQUE INDEX contacts_by_email ON contacts USING btree (team_id, email text_pattern_ops);
CREATE INDEX contacts_by_first_name ON contacts USING btree (team_id, folded_case(first_name) text_pattern_ops, folded_case(last_name) text_pattern_ops) WHERE (first_name IS NOT NULL);
CREATE INDEX contacts_by_last_name ON contacts USING btree (team_id, folded_case(last_name) text_pattern_ops) WHERE (last_name IS NOT NULL);
CREATE INDEX contacts_of_team ON contacts USING btree (team_id, id);
CREATE INDEX contacts_sampled ON contacts USING btree (team_id, id) WHERE (get_byte(uuid_send(id), 15) < 4);
CREATE INDEX contacts_unsubscribed ON contacts USING btree (team_id, id) WHERE unsubscribed;

CREATE TABLE contact_counts (
  team_id uuid NOT NULL,
  shard smallint NOT NULL,
  contacts bigint NOT NULL,
  PRIMARY KEY (team_id, shard)
) WITH (fillfactor=50);

CREATE TABLE contact_properties (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  key text NOT NULL,
  type text NOT NULL,
  fallback_value jsonb,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  CHECK ((type = ANY (ARRAY['string'::text, 'number'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id),
  UNIQUE (team_id, key)
);
CREATE INDEX contact_properties_of_team ON contact_properties USING btree (team_id, id);

CREATE TABLE segments (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  filter jsonb,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX segments_of_team ON segments USING btree (team_id, id);

CREATE TABLE segment_contacts (
  segment_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  team_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (segment_id, contact_id),
  FOREIGN KEY (contact_id) REFERENCES contacts(id) ON DELETE CASCADE
);
CREATE INDEX segment_contacts_of_contact ON segment_contacts USING btree (contact_id, segment_id);

CREATE TABLE segment_sizes (
  segment_id uuid NOT NULL,
  shard smallint NOT NULL,
  contacts bigint NOT NULL,
  PRIMARY KEY (segment_id, shard)
) WITH (fillfactor=50);

CREATE TABLE topics (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  default_subscription text NOT NULL,
  visibility text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  CHECK ((default_subscription = ANY (ARRAY['opt_in'::text, 'opt_out'::text]))),
  CHECK ((visibility = ANY (ARRAY['private'::text, 'public'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id)
);
CREATE INDEX topics_of_team ON topics USING btree (team_id, id);

CREATE TABLE contact_topics (
  contact_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  team_id uuid NOT NULL,
  subscription text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (contact_id, topic_id),
  CHECK ((subscription = ANY (ARRAY['opt_in'::text, 'opt_out'::text]))),
  FOREIGN KEY (contact_id) REFERENCES contacts(id) ON DELETE CASCADE
);
CREATE INDEX contact_topics_of_topic ON contact_topics USING btree (topic_id, subscription, contact_id);

CREATE TABLE contact_activity (
  contact_id uuid NOT NULL,
  last_sent_at timestamp with time zone,
  last_opened_at timestamp with time zone,
  last_clicked_at timestamp with time zone,
  last_machine_opened_at timestamp with time zone,
  last_machine_clicked_at timestamp with time zone,
  PRIMARY KEY (contact_id),
  FOREIGN KEY (contact_id) REFERENCES contacts(id) ON DELETE CASCADE
) WITH (fillfactor=50);

CREATE TABLE audience_removals (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  key text,
  "position" uuid,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  CHECK ((kind = ANY (ARRAY['segment'::text, 'topic'::text, 'property'::text, 'history'::text])))
);
CREATE UNIQUE INDEX audience_removals_of_property ON audience_removals USING btree (team_id, key) WHERE (kind = 'property'::text);
CREATE INDEX audience_removals_of_team ON audience_removals USING btree (team_id, id);

CREATE TABLE contact_changes (
  contact_id uuid NOT NULL,
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  type text NOT NULL,
  source text NOT NULL,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  changes jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (contact_id, id)
) PARTITION BY RANGE (id);

CREATE TABLE contact_unsubscribes (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  email_id uuid,
  source text NOT NULL,
  topic_ids uuid[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('contact_unsubscribe_positions'::regclass)
    ELSE NULL::bigint
END,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX contact_unsubscribes_of_email ON ONLY contact_unsubscribes USING btree (email_id) WHERE (email_id IS NOT NULL);
CREATE INDEX contact_unsubscribes_position ON ONLY contact_unsubscribes USING btree ("position") WHERE ("position" IS NOT NULL);

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

-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_added_contacts AFTER INSERT ON contacts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE OR REPLACE TRIGGER count_removed_contacts AFTER DELETE ON contacts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();

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

-- In a file apart from the function: installing a trigger briefly locks its table against writers; replacing a function does not.
CREATE OR REPLACE TRIGGER count_added_members AFTER INSERT ON segment_contacts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE OR REPLACE TRIGGER count_removed_members AFTER DELETE ON segment_contacts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_members();

-- Contacts for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_contacts AS
  SELECT id, team_id, email, created_at, bounced_at, complained_at, unsubscribed FROM contacts;

-- Segments for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_segments AS
  SELECT id, team_id, name FROM segments;

-- Who unsubscribed, and by the link of which email, for the other libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_unsubscribes AS
  SELECT id, team_id, contact_id, email_id, source, topic_ids, created_at, position FROM contact_unsubscribes;

-- == libs/templates

CREATE TABLE templates (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  alias text,
  current_version_id uuid NOT NULL,
  published_version_id uuid,
  published_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (team_id) REFERENCES teams(id),
  UNIQUE (team_id, alias)
);
CREATE INDEX templates_of_team ON templates USING btree (team_id, id);

CREATE TABLE template_versions (
  id uuid NOT NULL,
  template_id uuid NOT NULL,
  team_id uuid NOT NULL,
  "from" text,
  subject text,
  reply_to text[],
  html text NOT NULL,
  text text,
  variables jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  published_at timestamp with time zone,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  document text,
  content_source text DEFAULT 'html'::text NOT NULL,
  content_revision integer DEFAULT 0 NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (template_id) REFERENCES templates(id) ON DELETE CASCADE
);
CREATE INDEX template_versions_by_section ON template_versions USING gin (saved_sections_in(document)) WHERE ((content_source = 'editor'::text) AND (document ~~ '%"savedId":"%'::text));
CREATE INDEX template_versions_of_template ON template_versions USING btree (template_id, id);

-- Templates for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_templates AS
  SELECT id, team_id, name, current_version_id, alias FROM templates;

-- Contents for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_template_contents AS
  SELECT t.team_id, v.html FROM templates t JOIN template_versions v ON v.template_id = t.id;

-- Documents for the editor to look for sections in, and their revisions. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_template_documents AS
  SELECT id, team_id, template_id, content_source, document, content_revision FROM template_versions;

-- == libs/unsubscribe

CREATE TABLE sender_profiles (
  team_id uuid NOT NULL,
  name text,
  logo bytea,
  logo_type text,
  accent_color text,
  updated_at timestamp with time zone NOT NULL,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  PRIMARY KEY (team_id),
  FOREIGN KEY (team_id) REFERENCES teams(id)
);

-- == libs/contact-imports

CREATE TABLE contact_imports (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  status text NOT NULL,
  format jsonb NOT NULL,
  mapping jsonb NOT NULL,
  on_conflict text NOT NULL,
  segment_ids uuid[] NOT NULL,
  topics jsonb NOT NULL,
  size bigint NOT NULL,
  chunk integer NOT NULL,
  chunk_offset integer NOT NULL,
  line integer NOT NULL,
  total integer DEFAULT 0 NOT NULL,
  created integer DEFAULT 0 NOT NULL,
  updated integer DEFAULT 0 NOT NULL,
  skipped integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  failure text,
  troubles smallint DEFAULT 0 NOT NULL,
  holder uuid,
  held_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  turn_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  file_name text,
  PRIMARY KEY (id),
  CHECK ((on_conflict = ANY (ARRAY['upsert'::text, 'skip'::text]))),
  CHECK ((status = ANY (ARRAY['queued'::text, 'in_progress'::text, 'completed'::text, 'failed'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id)
) WITH (fillfactor=50);
CREATE INDEX contact_imports_by_status ON contact_imports USING btree (team_id, status, id);
CREATE INDEX contact_imports_of_team ON contact_imports USING btree (team_id, id);
CREATE INDEX contact_imports_unfinished ON contact_imports USING btree (team_id, id) WHERE (completed_at IS NULL);

CREATE TABLE contact_import_chunks (
  import_id uuid NOT NULL,
  no integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (import_id, no)
);
ALTER TABLE contact_import_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE contact_import_refusals (
  import_id uuid NOT NULL,
  line integer NOT NULL,
  column_name text NOT NULL,
  value text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (import_id, line)
);

-- Imports of contacts for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_contact_imports AS
  SELECT id, team_id, created_at, completed_at, created, file_name FROM contact_imports;

-- == libs/idempotency

CREATE TABLE idempotency_keys (
  team_id uuid NOT NULL,
  endpoint text NOT NULL,
  key text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  fingerprint bytea NOT NULL,
  answer json NOT NULL,
  PRIMARY KEY (team_id, endpoint, key)
) WITH (autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys USING btree (expires_at);

-- == libs/rate-limit

CREATE UNLOGGED TABLE rate_limit_windows (
  team_id uuid NOT NULL,
  window_no bigint NOT NULL,
  used integer NOT NULL,
  granted integer NOT NULL,
  PRIMARY KEY (team_id)
) WITH (fillfactor=25);

CREATE TABLE sending_usage (
  team_id uuid NOT NULL,
  period text NOT NULL,
  sent bigint DEFAULT 0 NOT NULL,
  received bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (team_id, period)
) WITH (fillfactor=25);

CREATE TABLE api_key_usage (
  api_key_id uuid NOT NULL,
  day date NOT NULL,
  sent bigint NOT NULL,
  PRIMARY KEY (api_key_id, day)
) WITH (fillfactor=25);

CREATE TABLE team_limits (
  team_id uuid NOT NULL,
  requests_per_second integer,
  daily_quota bigint,
  monthly_quota bigint,
  PRIMARY KEY (team_id),
  FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE
);

-- == libs/emails

CREATE TABLE emails (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  api_key_id uuid,
  topic_id uuid,
  created_at timestamp with time zone NOT NULL,
  scheduled_at timestamp with time zone,
  size integer NOT NULL,
  event_seq integer NOT NULL,
  last_event text NOT NULL,
  message_id text NOT NULL,
  "from" text NOT NULL,
  "to" text[] NOT NULL,
  cc text[],
  bcc text[],
  reply_to text[],
  subject text NOT NULL,
  headers jsonb,
  tags jsonb,
  attachments jsonb,
  tracking jsonb,
  actor_kind text,
  actor_id uuid,
  content_id uuid,
  merge_values jsonb,
  forwarded_from uuid,
  is_bulk boolean,
  template_id uuid,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX emails_of_team ON ONLY emails USING btree (team_id, id);

CREATE TABLE message_contents (
  id uuid NOT NULL,
  chunk integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (id, chunk)
) PARTITION BY RANGE (id);
ALTER TABLE message_contents ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE email_events (
  email_id uuid NOT NULL,
  seq integer NOT NULL,
  recipient_no smallint,
  created_at timestamp with time zone NOT NULL,
  type text NOT NULL,
  data jsonb,
  "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('email_event_positions'::regclass)
    ELSE NULL::bigint
END,
  PRIMARY KEY (email_id, seq)
) PARTITION BY RANGE (email_id);
CREATE INDEX email_events_position ON ONLY email_events USING btree ("position") WHERE ("position" IS NOT NULL);

CREATE TABLE recipients (
  email_id uuid NOT NULL,
  no smallint NOT NULL,
  status text NOT NULL,
  address text NOT NULL,
  opens smallint,
  clicks smallint,
  machine_opens smallint,
  machine_clicks smallint,
  PRIMARY KEY (email_id, no)
) PARTITION BY RANGE (email_id);
CREATE INDEX recipients_address ON ONLY recipients USING btree (hashtextextended(lower(address), (0)::bigint), email_id);

CREATE TABLE scheduled_emails (
  email_id uuid NOT NULL,
  due_at timestamp with time zone NOT NULL,
  team_id uuid,
  PRIMARY KEY (email_id)
);
CREATE INDEX scheduled_emails_due ON scheduled_emails USING btree (due_at);
CREATE INDEX scheduled_emails_turns ON scheduled_emails USING btree (team_id, due_at);

-- Emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_emails AS
  SELECT id, team_id, domain_id, created_at, scheduled_at, message_id, "from", "to", subject, tags, headers, template_id,
         size
  FROM emails;

-- Recipients of emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_recipients AS
  SELECT email_id, no, status, address FROM recipients;

-- Events of emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_email_events AS
  SELECT email_id, seq, recipient_no, created_at, type, data, position FROM email_events;

-- Emails that are still to be released, for the other libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_scheduled_emails AS
  SELECT email_id, due_at FROM scheduled_emails;

-- == libs/broadcasts

CREATE TABLE broadcasts (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text,
  segment_id uuid NOT NULL,
  topic_id uuid,
  "from" text NOT NULL,
  reply_to text[],
  subject text NOT NULL,
  preview_text text,
  html text,
  text text,
  status text NOT NULL,
  options jsonb NOT NULL,
  domain_id uuid,
  scheduled_at timestamp with time zone,
  queued_at timestamp with time zone,
  sent_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  paused_because text,
  release_at timestamp with time zone,
  document text,
  content_source text DEFAULT 'html'::text NOT NULL,
  content_revision integer DEFAULT 0 NOT NULL,
  PRIMARY KEY (id),
  CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'queued'::text, 'paused'::text, 'sent'::text, 'canceled'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id)
) WITH (fillfactor=80);
CREATE INDEX broadcasts_by_section ON broadcasts USING gin (saved_sections_in(document)) WHERE ((content_source = 'editor'::text) AND (document ~~ '%"savedId":"%'::text));
CREATE INDEX broadcasts_due ON broadcasts USING btree (release_at) WHERE (status = 'scheduled'::text);
CREATE INDEX broadcasts_of_team ON broadcasts USING btree (team_id, id);
CREATE INDEX broadcasts_running ON broadcasts USING btree (queued_at, id) WHERE (status = 'queued'::text);

CREATE TABLE broadcast_runs (
  broadcast_id uuid NOT NULL,
  team_id uuid NOT NULL,
  planned_at timestamp with time zone,
  decide_at timestamp with time zone,
  winner smallint,
  scores integer[],
  retry_at timestamp with time zone,
  troubles integer DEFAULT 0 NOT NULL,
  tidied_at timestamp with time zone,
  paced_until timestamp with time zone,
  paused_for text[] DEFAULT '{}'::text[] NOT NULL,
  decided_at timestamp with time zone,
  PRIMARY KEY (broadcast_id)
) WITH (fillfactor=70);
CREATE INDEX broadcast_runs_held ON broadcast_runs USING btree (retry_at) WHERE (retry_at IS NOT NULL);
CREATE INDEX broadcast_runs_untidy ON broadcast_runs USING btree (broadcast_id) WHERE ((planned_at IS NOT NULL) AND (tidied_at IS NULL));

CREATE TABLE broadcast_waves (
  broadcast_id uuid NOT NULL,
  wave smallint NOT NULL,
  part smallint NOT NULL,
  planned integer NOT NULL,
  release_at timestamp with time zone,
  "position" uuid NOT NULL,
  turn_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  PRIMARY KEY (broadcast_id, wave, part)
) WITH (fillfactor=50);

CREATE TABLE broadcast_audience (
  broadcast_id uuid NOT NULL,
  wave smallint NOT NULL,
  part smallint NOT NULL,
  contact_id uuid NOT NULL,
  variant smallint,
  PRIMARY KEY (broadcast_id, wave, part, contact_id)
);

CREATE TABLE broadcast_recipients (
  broadcast_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  team_id uuid NOT NULL,
  email text NOT NULL,
  email_id uuid,
  outcome text NOT NULL,
  reason text,
  variant smallint,
  PRIMARY KEY (broadcast_id, contact_id),
  CHECK ((outcome = ANY (ARRAY['planned'::text, 'accepted'::text, 'skipped'::text])))
) WITH (fillfactor=80);
CREATE INDEX broadcast_recipients_by_address ON broadcast_recipients USING btree (team_id, email, broadcast_id);
CREATE INDEX broadcast_recipients_in_order ON broadcast_recipients USING btree (broadcast_id, email_id) WHERE (email_id IS NOT NULL);
CREATE INDEX broadcast_recipients_of_contact ON broadcast_recipients USING btree (contact_id, broadcast_id);
CREATE INDEX broadcast_recipients_of_email ON broadcast_recipients USING btree (email_id) WHERE (email_id IS NOT NULL);

CREATE TABLE broadcast_results (
  broadcast_id uuid NOT NULL,
  kind text NOT NULL,
  contact_id uuid NOT NULL,
  count integer DEFAULT 1 NOT NULL,
  bounce_type text,
  first_at timestamp with time zone NOT NULL,
  PRIMARY KEY (broadcast_id, kind, contact_id),
  CHECK ((bounce_type = ANY (ARRAY['permanent'::text, 'transient'::text, 'undetermined'::text]))),
  CHECK ((kind = ANY (ARRAY['sent'::text, 'delivered'::text, 'opened'::text, 'clicked'::text, 'bounced'::text, 'complained'::text, 'unsubscribed'::text, 'suppressed'::text, 'failed'::text])))
) WITH (fillfactor=90);
CREATE INDEX broadcast_results_of_bounces ON broadcast_results USING btree (broadcast_id, bounce_type, contact_id) WHERE (kind = 'bounced'::text);

CREATE TABLE broadcast_links (
  broadcast_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  clicks bigint NOT NULL,
  unique_clicks bigint NOT NULL,
  PRIMARY KEY (broadcast_id, id)
) WITH (fillfactor=70);
CREATE INDEX broadcast_links_by_clicks ON broadcast_links USING btree (broadcast_id, clicks, id);

CREATE TABLE broadcast_recipient_links (
  broadcast_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  link_id uuid NOT NULL,
  clicks integer NOT NULL,
  PRIMARY KEY (broadcast_id, contact_id, link_id)
);

CREATE TABLE broadcast_progress (
  broadcast_id uuid NOT NULL,
  team_id uuid NOT NULL,
  planned bigint DEFAULT 0 NOT NULL,
  accepted bigint DEFAULT 0 NOT NULL,
  skipped bigint DEFAULT 0 NOT NULL,
  sent bigint DEFAULT 0 NOT NULL,
  delivered bigint DEFAULT 0 NOT NULL,
  delivery_delayed bigint DEFAULT 0 NOT NULL,
  bounced bigint DEFAULT 0 NOT NULL,
  complained bigint DEFAULT 0 NOT NULL,
  suppressed bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  opened bigint DEFAULT 0 NOT NULL,
  clicked bigint DEFAULT 0 NOT NULL,
  unsubscribed bigint DEFAULT 0 NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  skipped_unsubscribed bigint DEFAULT 0 NOT NULL,
  skipped_not_subscribed bigint DEFAULT 0 NOT NULL,
  skipped_suppressed bigint DEFAULT 0 NOT NULL,
  skipped_deleted bigint DEFAULT 0 NOT NULL,
  skipped_invalid bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (broadcast_id),
  FOREIGN KEY (broadcast_id) REFERENCES broadcasts(id) ON DELETE CASCADE
) WITH (fillfactor=50);

CREATE TABLE broadcast_subjects (
  broadcast_id uuid NOT NULL,
  variant smallint NOT NULL,
  sent bigint DEFAULT 0 NOT NULL,
  delivered bigint DEFAULT 0 NOT NULL,
  bounced bigint DEFAULT 0 NOT NULL,
  complained bigint DEFAULT 0 NOT NULL,
  opened bigint DEFAULT 0 NOT NULL,
  clicked bigint DEFAULT 0 NOT NULL,
  unsubscribed bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (broadcast_id, variant),
  FOREIGN KEY (broadcast_id) REFERENCES broadcasts(id) ON DELETE CASCADE
) WITH (fillfactor=50);

CREATE TABLE broadcast_counters (
  team_id uuid NOT NULL,
  broadcast_id uuid NOT NULL,
  quarter timestamp with time zone NOT NULL,
  domain_id uuid NOT NULL,
  sent bigint DEFAULT 0 NOT NULL,
  delivered bigint DEFAULT 0 NOT NULL,
  delivery_delayed bigint DEFAULT 0 NOT NULL,
  bounced bigint DEFAULT 0 NOT NULL,
  bounced_transient bigint DEFAULT 0 NOT NULL,
  bounced_permanent bigint DEFAULT 0 NOT NULL,
  complained bigint DEFAULT 0 NOT NULL,
  suppressed bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  opened bigint DEFAULT 0 NOT NULL,
  clicked bigint DEFAULT 0 NOT NULL,
  unique_opened bigint DEFAULT 0 NOT NULL,
  unique_clicked bigint DEFAULT 0 NOT NULL,
  unsubscribed bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (team_id, broadcast_id, quarter)
) WITH (fillfactor=50);
CREATE INDEX broadcast_counters_by_time ON broadcast_counters USING btree (team_id, quarter);

-- Counts who unsubscribed by a link of a broadcast, each recipient once. The counters come last and in the order in which slices of the
-- fan-out write them, so that the two cannot deadlock.
CREATE OR REPLACE FUNCTION count_broadcast_unsubscribes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  contacts uuid[];
BEGIN
  IF NOT EXISTS (SELECT FROM fresh WHERE email_id IS NOT NULL) THEN RETURN NULL; END IF;
  WITH added AS (
    INSERT INTO broadcast_results (broadcast_id, kind, contact_id, first_at)
    SELECT r.broadcast_id, 'unsubscribed', r.contact_id, min(f.created_at)
    FROM fresh f JOIN broadcast_recipients r ON r.email_id = f.email_id AND r.team_id = f.team_id
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (broadcast_id, kind, contact_id) DO NOTHING RETURNING broadcast_id, contact_id
  )
  SELECT array_agg(broadcast_id), array_agg(contact_id) INTO ids, contacts FROM added;
  IF ids IS NULL THEN RETURN NULL; END IF;
  INSERT INTO broadcast_counters AS c (team_id, broadcast_id, quarter, domain_id, unsubscribed)
  SELECT b.team_id, b.id, date_bin('15 minutes', now(), 'epoch'::timestamptz), b.domain_id, count(*)
  FROM unnest(ids) AS i (id) JOIN broadcasts b ON b.id = i.id AND b.domain_id IS NOT NULL
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3
  ON CONFLICT (team_id, broadcast_id, quarter) DO UPDATE SET unsubscribed = c.unsubscribed + EXCLUDED.unsubscribed;
  UPDATE broadcast_progress p SET unsubscribed = p.unsubscribed + a.added, updated_at = now()
  FROM (SELECT i.id, count(*) AS added FROM unnest(ids) AS i (id) GROUP BY 1 ORDER BY 1) a
  WHERE p.broadcast_id = a.id;
  UPDATE broadcast_subjects s SET unsubscribed = s.unsubscribed + a.added
  FROM (SELECT r.broadcast_id, r.variant, count(*) AS added
        FROM unnest(ids, contacts) AS i (broadcast_id, contact_id)
        JOIN broadcast_recipients r ON r.broadcast_id = i.broadcast_id AND r.contact_id = i.contact_id
        WHERE r.variant IS NOT NULL GROUP BY 1, 2) a
  WHERE s.broadcast_id = a.broadcast_id AND s.variant = a.variant;
  RETURN NULL;
END $$;

-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_broadcast_unsubscribes AFTER INSERT ON contact_unsubscribes REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION count_broadcast_unsubscribes();

-- Broadcasts for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcasts AS
  SELECT id, team_id, coalesce(name, subject) AS name, status, created_at, segment_id FROM broadcasts;

-- Contents for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_contents AS
  SELECT team_id, html FROM broadcasts;

-- Documents for the editor to look for sections in, and their revisions. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_documents AS
  SELECT id, team_id, coalesce(name, subject) AS name, status, content_source, document, content_revision FROM broadcasts;

-- Emails of broadcasts for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_emails AS
  SELECT email_id, broadcast_id, contact_id FROM broadcast_recipients WHERE email_id IS NOT NULL;

-- Counts of the events of broadcasts, for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_counts AS
  SELECT team_id, broadcast_id, quarter, domain_id, sent, delivered, delivery_delayed, bounced, bounced_transient, bounced_permanent,
         complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked, unsubscribed
  FROM broadcast_counters;

-- What became of each recipient of a broadcast, one row for each kind, for the other libs to read. It is read along its
-- primary key. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_results AS
  SELECT broadcast_id, kind, contact_id, first_at FROM broadcast_results;

-- == libs/editor

CREATE TABLE editor_versions (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  resource_type text NOT NULL,
  resource_id uuid NOT NULL,
  name text,
  kind text NOT NULL,
  document text,
  html text,
  text text,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  is_closed boolean DEFAULT false NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX editor_versions_of_content ON editor_versions USING btree (team_id, resource_id, id);

CREATE TABLE editor_presences (
  team_id uuid NOT NULL,
  resource_type text NOT NULL,
  resource_id uuid NOT NULL,
  client_id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  is_writing boolean NOT NULL,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  arrived_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  until timestamp with time zone NOT NULL,
  anchor integer,
  head integer,
  PRIMARY KEY (team_id, resource_id, client_id)
);
CREATE INDEX editor_presences_until ON editor_presences USING btree (until);

CREATE TABLE editor_styles (
  team_id uuid NOT NULL,
  styles jsonb NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (team_id)
);

CREATE TABLE editor_sections (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  document text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX editor_sections_of_team ON editor_sections USING btree (team_id, id);

-- Contents for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_editor_versions AS
  SELECT team_id, document, html FROM editor_versions;

-- Styles for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_editor_styles AS
  SELECT team_id, styles FROM editor_styles;

-- Sections for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_editor_sections AS
  SELECT team_id, document FROM editor_sections;

-- Ids of the saved sections that a document has copies of. Indexes are made of it: another result needs new ones. In texts of the
-- document quotation marks are escaped, so that none looks like this.
CREATE OR REPLACE FUNCTION saved_sections_in(document text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
  SELECT coalesce(array_agg(DISTINCT found[1]), '{}') FROM regexp_matches(document, '"savedId":"([^"]{1,60})"', 'g') found
$$;

-- == libs/images

CREATE TABLE images (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  alt text NOT NULL,
  type text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  size integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  checked_at timestamp with time zone,
  PRIMARY KEY (id)
);
CREATE INDEX images_of_team ON images USING btree (team_id, id);
CREATE INDEX images_to_check ON images USING btree (checked_at NULLS FIRST, id) WHERE (removed_at IS NOT NULL);

CREATE TABLE image_files (
  image_id uuid NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (image_id)
);
ALTER TABLE image_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- == libs/delivery

CREATE TABLE workers (
  id uuid NOT NULL,
  started_at timestamp with time zone NOT NULL,
  heartbeat_at timestamp with time zone NOT NULL,
  about jsonb,
  region text,
  PRIMARY KEY (id)
);

CREATE TABLE lanes (
  name text NOT NULL,
  worker_id uuid NOT NULL,
  taken_at timestamp with time zone NOT NULL,
  report jsonb,
  PRIMARY KEY (name)
);

CREATE TABLE outbound_queue (
  email_id uuid NOT NULL,
  recipient_no smallint NOT NULL,
  attempt smallint DEFAULT 0 NOT NULL,
  lease integer DEFAULT 0 NOT NULL,
  size integer NOT NULL,
  worker_id uuid,
  due_at timestamp with time zone NOT NULL,
  queued_at timestamp with time zone NOT NULL,
  lane text NOT NULL,
  address text NOT NULL,
  team_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
  domain_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
  mail_from text,
  is_personal boolean,
  is_bulk boolean,
  PRIMARY KEY (email_id, recipient_no)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=1);
CREATE INDEX outbound_queue_bulk ON outbound_queue USING btree (lane, due_at) WHERE is_bulk;
CREATE INDEX outbound_queue_bulk_turns ON outbound_queue USING btree (lane, team_id, due_at) WHERE is_bulk;
CREATE INDEX outbound_queue_due ON outbound_queue USING btree (lane, due_at);
CREATE INDEX outbound_queue_fresh ON outbound_queue USING btree (lane, due_at) WHERE ((due_at <= queued_at) AND (is_bulk IS NULL));
CREATE INDEX outbound_queue_retries ON outbound_queue USING btree (lane, due_at) WHERE ((due_at > queued_at) AND (is_bulk IS NULL));
CREATE INDEX outbound_queue_turns ON outbound_queue USING btree (lane, team_id, due_at) WHERE (is_bulk IS NULL);

CREATE TABLE delivery_attempts (
  email_id uuid NOT NULL,
  recipient_no smallint NOT NULL,
  attempt smallint NOT NULL,
  started_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  outcome text NOT NULL,
  reason text,
  host text,
  address text,
  tls jsonb,
  reply_code smallint,
  enhanced_code text,
  reply_text text,
  category text,
  timings jsonb,
  region text,
  pool text,
  source_address text,
  PRIMARY KEY (email_id, recipient_no, attempt)
) PARTITION BY RANGE (email_id);

CREATE TABLE lane_pauses (
  lane text NOT NULL,
  since timestamp with time zone NOT NULL,
  until timestamp with time zone NOT NULL,
  failures integer NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (lane)
);

CREATE TABLE lane_holds (
  lane text NOT NULL,
  since timestamp with time zone NOT NULL,
  note text,
  actor_kind text NOT NULL,
  actor_id uuid,
  PRIMARY KEY (lane)
);

CREATE TABLE regions (
  name text NOT NULL,
  alive_since timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  PRIMARY KEY (name)
) WITH (fillfactor=50);

-- Recipients that are still to be delivered, for other libs to read. Columns may be added at the end; removing one
-- takes two releases.
CREATE OR REPLACE VIEW published_outbound_queue AS
  SELECT email_id, recipient_no, due_at FROM outbound_queue;

-- Attempts to deliver, for other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_delivery_attempts AS
  SELECT email_id, recipient_no, attempt, started_at, outcome, reason, host, tls, reply_code, enhanced_code, reply_text, category
  FROM delivery_attempts;

-- == libs/mx

CREATE TABLE sts_policies (
  domain text NOT NULL,
  policy_id text NOT NULL,
  mode text NOT NULL,
  mx text[] NOT NULL,
  max_age integer NOT NULL,
  fetched_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (domain),
  CHECK ((mode = ANY (ARRAY['enforce'::text, 'testing'::text, 'none'::text])))
);
CREATE INDEX sts_policies_expired ON sts_policies USING btree (expires_at);

CREATE UNLOGGED TABLE site_demands (
  worker_id uuid NOT NULL,
  told_at timestamp with time zone NOT NULL,
  demands jsonb NOT NULL,
  PRIMARY KEY (worker_id)
) WITH (fillfactor=50);

CREATE TABLE sending_addresses (
  id uuid NOT NULL,
  address inet NOT NULL,
  helo_name text NOT NULL,
  region text,
  state text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['active'::text, 'draining'::text, 'off'::text]))),
  UNIQUE (address)
);

CREATE TABLE sending_address_machines (
  address_id uuid NOT NULL,
  machine text NOT NULL,
  can_send boolean NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  PRIMARY KEY (address_id, machine),
  FOREIGN KEY (address_id) REFERENCES sending_addresses(id) ON DELETE CASCADE
) WITH (fillfactor=50);

CREATE TABLE sending_pools (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (name)
);

CREATE TABLE sending_pool_addresses (
  pool_id uuid NOT NULL,
  address_id uuid NOT NULL,
  weight integer NOT NULL,
  PRIMARY KEY (pool_id, address_id),
  FOREIGN KEY (address_id) REFERENCES sending_addresses(id),
  FOREIGN KEY (pool_id) REFERENCES sending_pools(id) ON DELETE CASCADE
);
CREATE INDEX sending_pool_addresses_of_address ON sending_pool_addresses USING btree (address_id);

CREATE TABLE sending_pool_uses (
  id uuid NOT NULL,
  pool_id uuid NOT NULL,
  team_id uuid NOT NULL,
  domain_id uuid,
  created_at timestamp with time zone NOT NULL,
  for_broadcasts boolean DEFAULT false NOT NULL,
  tag_name text,
  tag_value text,
  PRIMARY KEY (id),
  CHECK (((tag_name IS NULL) OR ((domain_id IS NULL) AND (NOT for_broadcasts)))),
  CHECK (((tag_value IS NULL) OR (tag_name IS NOT NULL))),
  FOREIGN KEY (domain_id) REFERENCES domains(id) ON DELETE CASCADE,
  FOREIGN KEY (pool_id) REFERENCES sending_pools(id),
  FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE
);
CREATE INDEX sending_pool_uses_by_team ON sending_pool_uses USING btree (team_id);
CREATE UNIQUE INDEX sending_pool_uses_of_domain ON sending_pool_uses USING btree (domain_id, for_broadcasts) WHERE (domain_id IS NOT NULL);
CREATE INDEX sending_pool_uses_of_pool ON sending_pool_uses USING btree (pool_id, id);
CREATE UNIQUE INDEX sending_pool_uses_of_team ON sending_pool_uses USING btree (team_id, for_broadcasts, COALESCE(tag_name, ''::text), COALESCE(tag_value, ''::text)) WHERE (domain_id IS NULL);

-- == libs/feedback

CREATE TABLE feedback_reports (
  email_id uuid NOT NULL,
  recipient_no smallint NOT NULL,
  digest bytea NOT NULL,
  received_at timestamp with time zone NOT NULL,
  kind text NOT NULL,
  reporter text,
  action text,
  status text,
  category text,
  diagnostic text,
  effect text NOT NULL,
  PRIMARY KEY (email_id, recipient_no, digest)
) PARTITION BY RANGE (email_id);

-- Delivery reports and complaints, published for other libs. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_feedback_reports AS
  SELECT email_id, recipient_no, digest, received_at, kind, reporter, action, status, category, diagnostic, effect
  FROM feedback_reports;

-- == libs/inbound

CREATE TABLE received_emails (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  content_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  size integer NOT NULL,
  mail_from text NOT NULL,
  recipients text[] NOT NULL,
  "from" text NOT NULL,
  "to" text[] NOT NULL,
  cc text[] NOT NULL,
  bcc text[] NOT NULL,
  reply_to text[] NOT NULL,
  subject text NOT NULL,
  message_id text NOT NULL,
  thread_id uuid NOT NULL,
  attachments jsonb NOT NULL,
  client jsonb NOT NULL,
  verdicts jsonb NOT NULL,
  is_above_quota boolean NOT NULL,
  trace text NOT NULL,
  PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX received_emails_team_id_id_idx ON ONLY received_emails USING btree (team_id, id);
CREATE INDEX received_emails_team_id_lower_id_idx ON ONLY received_emails USING btree (team_id, lower("from"), id);
CREATE INDEX received_emails_team_id_thread_id_id_idx ON ONLY received_emails USING btree (team_id, thread_id, id);

CREATE TABLE received_work (
  email_id uuid NOT NULL,
  team_id uuid NOT NULL,
  announced boolean NOT NULL,
  due_at timestamp with time zone NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  last_error text,
  PRIMARY KEY (email_id)
);
CREATE INDEX received_work_due_at_idx ON received_work USING btree (due_at);
CREATE INDEX received_work_of_team ON received_work USING btree (team_id, due_at);

CREATE TABLE received_receipts (
  digest bytea NOT NULL,
  email_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (digest)
);
CREATE INDEX received_receipts_created_at_idx ON received_receipts USING btree (created_at);

CREATE TABLE received_threads (
  team_id uuid NOT NULL,
  message_key uuid NOT NULL,
  thread_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (team_id, message_key)
);
CREATE INDEX received_threads_by_age ON received_threads USING btree (created_at);

CREATE TABLE received_unused_contents (
  content_id uuid NOT NULL,
  PRIMARY KEY (content_id)
);

-- Received emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_received_emails AS
  SELECT id, team_id, created_at, mail_from, "from", "to", subject, message_id,
         verdicts ->> 'automatic' AS automatic, coalesce((verdicts ->> 'depth')::smallint, 0::smallint) AS depth,
         coalesce(jsonb_array_length(verdicts #> '{dmarc,alignedBy}'), 0) > 0 AS is_author_proven
  FROM received_emails;

-- == libs/reports

CREATE TABLE domain_reports (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  kind text NOT NULL,
  digest bytea NOT NULL,
  reporter text,
  organization text NOT NULL,
  report_id text NOT NULL,
  begins_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  received_at timestamp with time zone NOT NULL,
  total bigint NOT NULL,
  unusable integer NOT NULL,
  policy jsonb,
  failure jsonb,
  PRIMARY KEY (id)
);
CREATE INDEX domain_reports_of_domain ON domain_reports USING btree (domain_id, id);
CREATE UNIQUE INDEX domain_reports_once ON domain_reports USING btree (domain_id, digest);

CREATE TABLE dmarc_counts (
  domain_id uuid NOT NULL,
  day date NOT NULL,
  digest bytea NOT NULL,
  reporter text NOT NULL,
  source inet,
  header_from text NOT NULL,
  disposition text NOT NULL,
  dkim_aligned boolean NOT NULL,
  spf_aligned boolean NOT NULL,
  dkim_domain text,
  dkim_selector text,
  dkim_result text,
  spf_domain text,
  spf_result text,
  override text,
  messages bigint NOT NULL,
  PRIMARY KEY (domain_id, day, digest)
);
CREATE INDEX dmarc_counts_by_day ON dmarc_counts USING btree (day);

CREATE TABLE tls_counts (
  domain_id uuid NOT NULL,
  day date NOT NULL,
  digest bytea NOT NULL,
  reporter text NOT NULL,
  policy_type text NOT NULL,
  policy_domain text NOT NULL,
  result text NOT NULL,
  mx text,
  reason text,
  sessions bigint NOT NULL,
  PRIMARY KEY (domain_id, day, digest)
);
CREATE INDEX tls_counts_by_day ON tls_counts USING btree (day);

-- == libs/inbound-routes

CREATE TABLE inbound_routes (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  "position" integer NOT NULL,
  name text NOT NULL,
  recipient text NOT NULL,
  conditions jsonb NOT NULL,
  action jsonb NOT NULL,
  goes_on boolean NOT NULL,
  enabled boolean NOT NULL,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX inbound_routes_in_order ON inbound_routes USING btree (team_id, "position");

CREATE TABLE inbound_route_results (
  received_id uuid NOT NULL,
  key text NOT NULL,
  team_id uuid NOT NULL,
  route_id uuid,
  action text NOT NULL,
  target text NOT NULL,
  outcome text NOT NULL,
  detail text,
  email_id uuid,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (received_id, key)
);
CREATE INDEX inbound_route_results_forwards ON inbound_route_results USING btree (team_id, created_at) WHERE (action = 'forward'::text);
CREATE INDEX inbound_route_results_target ON inbound_route_results USING btree (team_id, lower(target), received_id) WHERE (action = 'forward'::text);
CREATE INDEX inbound_route_results_team ON inbound_route_results USING btree (team_id, received_id, key);

-- Routes for the other libs to look whether one is there. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_inbound_routes AS
  SELECT id, team_id FROM inbound_routes;

-- == libs/inboxes

CREATE TABLE inboxes (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  address text NOT NULL,
  receiving_address text,
  name text,
  from_name text,
  unread integer DEFAULT 0 NOT NULL,
  last_received_at timestamp with time zone,
  agent_instructions text,
  agent_tone text,
  agent_actions text[] DEFAULT '{}'::text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX inboxes_by_address ON inboxes USING btree (team_id, address);
CREATE UNIQUE INDEX inboxes_by_receiving_address ON inboxes USING btree (receiving_address) WHERE (receiving_address IS NOT NULL);
CREATE INDEX inboxes_of_team ON inboxes USING btree (team_id, id);

CREATE TABLE inbox_labels (
  id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  name text NOT NULL,
  color text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (inbox_id) REFERENCES inboxes(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX inbox_labels_by_name ON inbox_labels USING btree (inbox_id, folded_case(name));

CREATE TABLE inbox_threads (
  id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  root uuid NOT NULL,
  folder text NOT NULL,
  subject text,
  labels uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  email_count integer NOT NULL,
  last_no integer NOT NULL,
  read_through integer NOT NULL,
  is_unread boolean NOT NULL,
  has_attachment boolean NOT NULL,
  last_email_id uuid NOT NULL,
  last_email_at timestamp with time zone NOT NULL,
  trashed_at timestamp with time zone,
  assignee_id uuid,
  PRIMARY KEY (id)
);
CREATE INDEX inbox_threads_assigned ON inbox_threads USING btree (inbox_id, assignee_id, folder, last_email_at, id) WHERE (assignee_id IS NOT NULL);
CREATE INDEX inbox_threads_by_age ON inbox_threads USING btree (last_email_at);
CREATE UNIQUE INDEX inbox_threads_by_root ON inbox_threads USING btree (inbox_id, root);
CREATE INDEX inbox_threads_in_order ON inbox_threads USING btree (inbox_id, folder, last_email_at, id);
CREATE INDEX inbox_threads_labelled ON inbox_threads USING gin (labels) WHERE (labels <> '{}'::uuid[]);
CREATE INDEX inbox_threads_read ON inbox_threads USING btree (inbox_id, folder, last_email_at, id) WHERE (NOT is_unread);
CREATE INDEX inbox_threads_trashed ON inbox_threads USING btree (trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX inbox_threads_unread ON inbox_threads USING btree (inbox_id, folder, last_email_at, id) WHERE is_unread;

CREATE TABLE inbox_emails (
  inbox_id uuid NOT NULL,
  id uuid NOT NULL,
  thread_id uuid NOT NULL,
  no integer NOT NULL,
  root uuid NOT NULL,
  direction text NOT NULL,
  "from" text NOT NULL,
  "to" text[] NOT NULL,
  cc text[] NOT NULL,
  bcc text[] NOT NULL,
  reply_to text[] NOT NULL,
  subject text,
  message_id text,
  attachments jsonb NOT NULL,
  received_at timestamp with time zone NOT NULL,
  search tsvector NOT NULL,
  PRIMARY KEY (inbox_id, id)
);
CREATE INDEX inbox_emails_by_id ON inbox_emails USING btree (id);
CREATE INDEX inbox_emails_by_root ON inbox_emails USING btree (inbox_id, root);
CREATE INDEX inbox_emails_of_thread ON inbox_emails USING btree (thread_id, id);
CREATE INDEX inbox_emails_searched ON inbox_emails USING gin (search) WITH (fastupdate=off);

CREATE TABLE inbox_arrivals (
  received_id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  team_id uuid NOT NULL,
  due_at timestamp with time zone NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  PRIMARY KEY (received_id, inbox_id)
);
CREATE INDEX inbox_arrivals_due ON inbox_arrivals USING btree (due_at);
CREATE INDEX inbox_arrivals_of_team ON inbox_arrivals USING btree (team_id, due_at);

CREATE TABLE inbox_removals (
  inbox_id uuid NOT NULL,
  removed_at timestamp with time zone DEFAULT now() NOT NULL,
  team_id uuid,
  PRIMARY KEY (inbox_id)
);
CREATE INDEX inbox_removals_of_team ON inbox_removals USING btree (team_id);

CREATE TABLE inbox_drafts (
  id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  team_id uuid NOT NULL,
  thread_id uuid,
  reply_to_email_id uuid,
  "to" text[],
  cc text[] NOT NULL,
  bcc text[] NOT NULL,
  subject text,
  html text,
  text text,
  snippet text,
  attachment_bytes bigint NOT NULL,
  version integer NOT NULL,
  email_id uuid,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX inbox_drafts_of_inbox ON inbox_drafts USING btree (inbox_id, id);
CREATE INDEX inbox_drafts_of_team ON inbox_drafts USING btree (team_id) WHERE (email_id IS NULL);
CREATE INDEX inbox_drafts_of_thread ON inbox_drafts USING btree (thread_id) WHERE ((email_id IS NULL) AND (thread_id IS NOT NULL));
CREATE INDEX inbox_drafts_open ON inbox_drafts USING btree (inbox_id, id) WHERE (email_id IS NULL);
CREATE INDEX inbox_drafts_with_attachments ON inbox_drafts USING btree (team_id) INCLUDE (attachment_bytes) WHERE (attachment_bytes > 0);

CREATE TABLE inbox_draft_attachments (
  id uuid NOT NULL,
  draft_id uuid NOT NULL,
  "position" integer NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  content_id text,
  size integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (draft_id) REFERENCES inbox_drafts(id) ON DELETE CASCADE
);
CREATE INDEX inbox_draft_attachments_of_draft ON inbox_draft_attachments USING btree (draft_id, "position");

-- Inboxes for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_inboxes AS
  SELECT id, team_id, name, address FROM inboxes;

-- Threads of inboxes with the sender of their newest email, for the other libs to read. Columns may be added at the end; removing one
-- takes two releases.
CREATE OR REPLACE VIEW published_inbox_threads AS
  SELECT t.id, t.inbox_id, t.folder, t.subject, e."from", t.last_email_at
  FROM inbox_threads t LEFT JOIN inbox_emails e ON e.inbox_id = t.inbox_id AND e.id = t.last_email_id;

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

-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER file_received_emails AFTER INSERT ON received_emails REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION file_received_emails();

-- Keeps the number of unread threads of each inbox. Those in spam and trash do not count.
CREATE OR REPLACE FUNCTION count_unread_threads() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before integer := CASE WHEN TG_OP <> 'INSERT' AND OLD.is_unread AND OLD.folder NOT IN ('spam', 'trash') THEN 1 ELSE 0 END;
  after integer := CASE WHEN TG_OP <> 'DELETE' AND NEW.is_unread AND NEW.folder NOT IN ('spam', 'trash') THEN 1 ELSE 0 END;
BEGIN
  IF before <> after THEN
    UPDATE inboxes SET unread = unread + after - before
    WHERE id = CASE WHEN TG_OP = 'DELETE' THEN OLD.inbox_id ELSE NEW.inbox_id END;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_unread_threads AFTER INSERT OR DELETE OR UPDATE OF is_unread, folder ON inbox_threads
  FOR EACH ROW EXECUTE FUNCTION count_unread_threads();

-- Notes inboxes that were removed, also with their team: what was in them is deleted afterwards, portion by portion.
CREATE OR REPLACE FUNCTION note_removed_inboxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO inbox_removals (inbox_id, team_id) VALUES (OLD.id, OLD.team_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER note_removed_inboxes AFTER DELETE ON inboxes
  FOR EACH ROW EXECUTE FUNCTION note_removed_inboxes();

-- == libs/automations

CREATE TABLE custom_events (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  schema jsonb,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (team_id, name)
);
CREATE INDEX custom_events_of_team ON custom_events USING btree (team_id, id);

CREATE TABLE custom_event_occurrences (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  event_name text NOT NULL,
  contact_id uuid,
  email text,
  payload jsonb NOT NULL,
  depth smallint DEFAULT 0 NOT NULL,
  subject_id uuid,
  troubles smallint DEFAULT 0 NOT NULL,
  held_until timestamp with time zone,
  "position" bigint DEFAULT nextval('custom_event_positions'::regclass) NOT NULL,
  origin_id uuid,
  is_answer boolean DEFAULT false NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX custom_event_occurrences_in_order ON custom_event_occurrences USING btree ("position");
CREATE INDEX custom_event_occurrences_of_team ON custom_event_occurrences USING btree (team_id, "position");

CREATE TABLE automations (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  version integer NOT NULL,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  stopped_at timestamp with time zone,
  is_deleted boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone,
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  authority jsonb,
  PRIMARY KEY (id)
);
CREATE INDEX automations_limited ON automations USING btree (team_id) WHERE ((settings ? 'max_emails_per_day'::text) AND (NOT is_deleted));
CREATE INDEX automations_of_team ON automations USING btree (team_id, id) WHERE (NOT is_deleted);
CREATE INDEX automations_stopped ON automations USING btree (id) WHERE (stopped_at IS NOT NULL);

CREATE TABLE automation_versions (
  automation_id uuid NOT NULL,
  version integer NOT NULL,
  graph jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  characters integer,
  PRIMARY KEY (automation_id, version)
);

CREATE TABLE automation_triggers (
  team_id uuid NOT NULL,
  event_name text NOT NULL,
  automation_id uuid NOT NULL,
  step_key text NOT NULL,
  subject_id uuid,
  fields jsonb DEFAULT '{}'::jsonb NOT NULL,
  PRIMARY KEY (team_id, event_name, automation_id, step_key)
);
CREATE INDEX automation_triggers_of_automation ON automation_triggers USING btree (automation_id);
CREATE INDEX automation_triggers_of_mail ON automation_triggers USING btree (team_id) WHERE (event_name ~~ 'resend:email.%'::text);

CREATE TABLE automation_runs (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  automation_id uuid NOT NULL,
  version integer NOT NULL,
  event_id uuid NOT NULL,
  trigger_key text NOT NULL,
  contact_id uuid NOT NULL,
  contact_email text NOT NULL,
  payload jsonb NOT NULL,
  wait_events jsonb,
  status text NOT NULL,
  step_key text,
  is_waiting boolean DEFAULT false NOT NULL,
  has_event boolean DEFAULT false NOT NULL,
  waiting_event text,
  due_at timestamp with time zone,
  troubles smallint DEFAULT 0 NOT NULL,
  postponed_because text,
  created_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  depth smallint DEFAULT 0 NOT NULL,
  goals text[],
  goal_events text[],
  reached_goal text,
  webhooks jsonb,
  call jsonb,
  event_position bigint,
  taken_positions jsonb,
  origin_id uuid,
  is_answer boolean DEFAULT false NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (event_id, automation_id, trigger_key)
);
CREATE INDEX automation_runs_due ON automation_runs USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX automation_runs_due_of_team ON automation_runs USING btree (team_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX automation_runs_ended ON automation_runs USING btree (completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX automation_runs_ended_of_version ON automation_runs USING btree (automation_id, version) WHERE (completed_at IS NOT NULL);
CREATE INDEX automation_runs_of_address ON automation_runs USING btree (team_id, contact_email, id);
CREATE INDEX automation_runs_of_automation ON automation_runs USING btree (automation_id, status, id);
CREATE INDEX automation_runs_of_contact ON automation_runs USING btree (automation_id, contact_id, id);
CREATE INDEX automation_runs_unfinished_of_contact ON automation_runs USING btree (team_id, contact_id) WHERE (completed_at IS NULL);
CREATE INDEX automation_runs_unfinished_of_version ON automation_runs USING btree (automation_id, version, created_at) WHERE (completed_at IS NULL);
CREATE INDEX automation_runs_waiting_for_mail ON automation_runs USING btree (id) WHERE (waiting_event ~~ 'resend:%'::text);

CREATE TABLE automation_run_steps (
  run_id uuid NOT NULL,
  step_key text NOT NULL,
  type text NOT NULL,
  status text NOT NULL,
  output jsonb,
  error text,
  email_id uuid,
  started_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  automation_id uuid,
  results smallint DEFAULT 0 NOT NULL,
  PRIMARY KEY (run_id, step_key)
) WITH (fillfactor=90);
CREATE INDEX automation_run_steps_of_email ON automation_run_steps USING btree (email_id) WHERE (email_id IS NOT NULL);
CREATE INDEX automation_run_steps_of_step ON automation_run_steps USING btree (automation_id, step_key, status, run_id) WHERE (automation_id IS NOT NULL);

CREATE TABLE automation_usage (
  team_id uuid NOT NULL,
  month date NOT NULL,
  runs bigint NOT NULL,
  PRIMARY KEY (team_id, month)
);

CREATE TABLE automation_entries (
  automation_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  entered_at timestamp with time zone NOT NULL,
  PRIMARY KEY (automation_id, contact_id)
);

CREATE TABLE automation_daily_emails (
  contact_id uuid NOT NULL,
  day date NOT NULL,
  emails smallint NOT NULL,
  PRIMARY KEY (contact_id, day)
) WITH (fillfactor=70);
CREATE INDEX automation_daily_emails_by_day ON automation_daily_emails USING btree (day);

CREATE TABLE automation_answers (
  automation_id uuid NOT NULL,
  author text NOT NULL,
  team_id uuid NOT NULL,
  run_id uuid,
  answered_at timestamp with time zone NOT NULL,
  PRIMARY KEY (automation_id, author)
);
CREATE INDEX automation_answers_by_time ON automation_answers USING btree (answered_at);
CREATE INDEX automation_answers_of_author ON automation_answers USING btree (team_id, author);

CREATE TABLE automation_date_triggers (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  automation_id uuid NOT NULL,
  config jsonb NOT NULL,
  scanned_to uuid,
  is_scanned boolean DEFAULT false NOT NULL,
  is_removed boolean DEFAULT false NOT NULL,
  turn_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX automation_date_triggers_of_automation ON automation_date_triggers USING btree (automation_id);
CREATE INDEX automation_date_triggers_of_team ON automation_date_triggers USING btree (team_id);
CREATE INDEX automation_date_triggers_unfinished ON automation_date_triggers USING btree (turn_at) WHERE (is_removed OR (NOT is_scanned));

CREATE TABLE automation_dates (
  trigger_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  team_id uuid NOT NULL,
  date date NOT NULL,
  due_at timestamp with time zone NOT NULL,
  PRIMARY KEY (trigger_id, contact_id)
);
CREATE INDEX automation_dates_due ON automation_dates USING btree (due_at);
CREATE INDEX automation_dates_due_of_team ON automation_dates USING btree (team_id, due_at);

CREATE TABLE automation_changed_contacts (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX automation_changed_contacts_of_team ON automation_changed_contacts USING btree (team_id, id);

CREATE TABLE automation_watched_segments (
  segment_id uuid NOT NULL,
  team_id uuid NOT NULL,
  is_known boolean DEFAULT false NOT NULL,
  due_at timestamp with time zone NOT NULL,
  PRIMARY KEY (segment_id)
);
CREATE INDEX automation_watched_segments_due ON automation_watched_segments USING btree (due_at);
CREATE INDEX automation_watched_segments_of_team ON automation_watched_segments USING btree (team_id);

CREATE TABLE automation_segment_members (
  segment_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (segment_id, contact_id)
);

CREATE TABLE automation_caused_changes (
  contact_id uuid NOT NULL,
  depth smallint NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  PRIMARY KEY (contact_id)
);
CREATE INDEX automation_caused_changes_by_time ON automation_caused_changes USING btree (changed_at);

CREATE TABLE automation_step_counts (
  automation_id uuid NOT NULL,
  step_key text NOT NULL,
  shard smallint NOT NULL,
  entered bigint DEFAULT 0 NOT NULL,
  waiting bigint DEFAULT 0 NOT NULL,
  completed bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  skipped bigint DEFAULT 0 NOT NULL,
  sent bigint DEFAULT 0 NOT NULL,
  passed_default bigint DEFAULT 0 NOT NULL,
  passed_condition_met bigint DEFAULT 0 NOT NULL,
  passed_condition_not_met bigint DEFAULT 0 NOT NULL,
  passed_event_received bigint DEFAULT 0 NOT NULL,
  passed_timeout bigint DEFAULT 0 NOT NULL,
  passed_failed bigint DEFAULT 0 NOT NULL,
  delivered bigint DEFAULT 0 NOT NULL,
  opened bigint DEFAULT 0 NOT NULL,
  clicked bigint DEFAULT 0 NOT NULL,
  bounced bigint DEFAULT 0 NOT NULL,
  complained bigint DEFAULT 0 NOT NULL,
  unsubscribed bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (automation_id, step_key, shard)
) WITH (fillfactor=50);

CREATE TABLE automation_run_counts (
  automation_id uuid NOT NULL,
  shard smallint NOT NULL,
  started bigint DEFAULT 0 NOT NULL,
  completed bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  cancelled bigint DEFAULT 0 NOT NULL,
  not_entered bigint DEFAULT 0 NOT NULL,
  goals bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (automation_id, shard)
) WITH (fillfactor=50);

CREATE TABLE automation_calls (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  run_id uuid NOT NULL,
  step_key text NOT NULL,
  url text NOT NULL,
  body jsonb NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  due_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX automation_calls_due_of_team ON automation_calls USING btree (team_id, due_at);
CREATE INDEX automation_calls_of_run ON automation_calls USING btree (run_id);

CREATE TABLE automation_secrets (
  team_id uuid NOT NULL,
  sealed_secret bytea NOT NULL,
  sealed_previous_secret bytea,
  previous_secret_until timestamp with time zone,
  PRIMARY KEY (team_id)
);

CREATE TABLE automation_uses (
  team_id uuid NOT NULL,
  event_name text NOT NULL,
  automation_id uuid NOT NULL,
  step_key text NOT NULL,
  step_type text NOT NULL,
  PRIMARY KEY (team_id, event_name, automation_id, step_key)
);
CREATE INDEX automation_uses_of_automation ON automation_uses USING btree (automation_id);

CREATE TABLE custom_event_names (
  team_id uuid NOT NULL,
  name text NOT NULL,
  id uuid NOT NULL,
  count bigint NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  PRIMARY KEY (team_id, name)
) WITH (fillfactor=70);
CREATE INDEX custom_event_names_of_team ON custom_event_names USING btree (team_id, id);

CREATE TABLE custom_event_payloads (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  contact_email text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX custom_event_payloads_by_time ON custom_event_payloads USING btree (created_at);
CREATE INDEX custom_event_payloads_of_address ON custom_event_payloads USING btree (team_id, contact_email, id);
CREATE INDEX custom_event_payloads_of_name ON custom_event_payloads USING btree (team_id, name, id);

CREATE TABLE automation_awaited_events (
  team_id uuid NOT NULL,
  event_name text NOT NULL,
  automation_id uuid NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (team_id, event_name, automation_id, version),
  FOREIGN KEY (automation_id, version) REFERENCES automation_versions(automation_id, version) ON DELETE CASCADE
);
CREATE INDEX automation_awaited_events_of_version ON automation_awaited_events USING btree (automation_id, version);

CREATE TABLE automation_kept_events (
  team_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  event_name text NOT NULL,
  "position" bigint NOT NULL,
  contact_email text NOT NULL,
  payload jsonb NOT NULL,
  kept_until timestamp with time zone NOT NULL,
  PRIMARY KEY (team_id, contact_id, event_name, "position")
);
CREATE INDEX automation_kept_events_by_time ON automation_kept_events USING btree (kept_until);
CREATE INDEX automation_kept_events_of_address ON automation_kept_events USING btree (team_id, contact_email);

CREATE TABLE automation_budgets (
  id uuid NOT NULL,
  runs integer NOT NULL,
  since timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
) WITH (fillfactor=50);
CREATE INDEX automation_budgets_by_time ON automation_budgets USING btree (since);

-- Automations for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_automations AS
  SELECT id, team_id, name, status FROM automations WHERE NOT is_deleted;

-- Runs of automations by month for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_automation_usage AS
  SELECT team_id, month, runs FROM automation_usage;

-- Routes with whose mail enabled automations begin, for the other libs to read. Columns may be added at the end; removing one
-- takes two releases.
CREATE OR REPLACE VIEW published_automation_routes AS
  SELECT team_id, subject_id AS route_id FROM automation_triggers
  WHERE event_name = 'resend:email.received' AND subject_id IS NOT NULL;

-- The id of the nth event that a statement makes: a UUIDv7 with the microsecond in its first random bits (RFC 9562 section
-- 6.2, method 3), so that events are taken in their order. PostgreSQL has a built-in uuidv7() only since version 18.
CREATE OR REPLACE FUNCTION automation_event_id(moment timestamptz, nth bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
          || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid
  FROM (SELECT (extract(epoch FROM moment) * 1000000)::bigint + nth AS us) AS t
$$;

-- How many events automations have sent one after the other until what this transaction does: 0 unless it is a step of a run.
CREATE OR REPLACE FUNCTION automation_depth() RETURNS smallint LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('postrider.automation_depth', true), ''), '0')::smallint
$$;

-- The address of a mailbox such as `Ada <ada@example.com>`, in lower case.
CREATE OR REPLACE FUNCTION automation_address(mailbox text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(trim(coalesce(substring(mailbox FROM '<([^<>]*)>[^<>]*$'), mailbox)))
$$;

-- Contacts that were added, as events where an automation of the team begins with them. A statement without such a contact
-- costs one look-up for its team.
CREATE OR REPLACE FUNCTION tell_automations_of_contacts() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  listening uuid[];
BEGIN
  SELECT array_agg(DISTINCT t.team_id) INTO listening
  FROM (SELECT DISTINCT team_id FROM added) n
  JOIN automation_triggers t ON t.team_id = n.team_id AND t.event_name = 'resend:contact.created';
  IF listening IS NULL THEN RETURN NULL; END IF;
  INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, payload, depth)
  SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.id)), n.team_id, 'resend:contact.created', n.id,
         jsonb_build_object('contact_id', n.id, 'email', n.email, 'first_name', n.first_name, 'last_name', n.last_name),
         automation_depth()
  FROM added n WHERE n.team_id = ANY (listening);
  PERFORM pg_notify('postrider_broadcast', 'automations:');
  RETURN NULL;
END $$;

-- Contacts whose properties may have other dates now, for the automations of the team that begin on a date of them. Only
-- that they changed is noted: who follows the dates reads the contact.
CREATE OR REPLACE FUNCTION tell_automations_of_values() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  watching uuid[];
BEGIN
  SELECT array_agg(DISTINCT d.team_id) INTO watching
  FROM (SELECT DISTINCT team_id FROM added) n JOIN automation_date_triggers d ON d.team_id = n.team_id;
  IF watching IS NULL THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO automation_changed_contacts (id, team_id, contact_id)
    SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.id)), n.team_id, n.id
    FROM added n WHERE n.team_id = ANY (watching) AND n.properties <> '{}';
  ELSE
    INSERT INTO automation_changed_contacts (id, team_id, contact_id)
    SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.id)), n.team_id, n.id
    FROM added n JOIN earlier o ON o.id = n.id WHERE n.team_id = ANY (watching) AND n.properties <> o.properties;
  END IF;
  RETURN NULL;
END $$;

-- Contacts that were added to segments without a filter, as events where an automation of the team begins with the segment.
CREATE OR REPLACE FUNCTION tell_automations_of_members() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  listening uuid[];
BEGIN
  SELECT array_agg(DISTINCT t.subject_id) INTO listening
  FROM (SELECT DISTINCT team_id, segment_id FROM added) n
  JOIN automation_triggers t
    ON t.team_id = n.team_id AND t.event_name = 'resend:segment.entered' AND t.subject_id = n.segment_id;
  IF listening IS NULL THEN RETURN NULL; END IF;
  INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, subject_id, payload, depth)
  SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.contact_id)), n.team_id, 'resend:segment.entered',
         n.contact_id, n.segment_id, jsonb_build_object('segment_id', n.segment_id), automation_depth()
  FROM added n WHERE n.segment_id = ANY (listening);
  PERFORM pg_notify('postrider_broadcast', 'automations:');
  RETURN NULL;
END $$;

-- Contacts that chose to get a topic, as events where an automation of the team begins with it. A choice that is repeated
-- changes no row.
CREATE OR REPLACE FUNCTION tell_automations_of_topics() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  listening uuid[];
BEGIN
  SELECT array_agg(DISTINCT t.subject_id) INTO listening
  FROM (SELECT DISTINCT team_id, topic_id FROM changed WHERE subscription = 'opt_in') n
  JOIN automation_triggers t
    ON t.team_id = n.team_id AND t.event_name = 'resend:topic.subscribed' AND t.subject_id = n.topic_id;
  IF listening IS NULL THEN RETURN NULL; END IF;
  INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, subject_id, payload, depth)
  SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.contact_id)), n.team_id, 'resend:topic.subscribed',
         n.contact_id, n.topic_id, jsonb_build_object('topic_id', n.topic_id), automation_depth()
  FROM changed n WHERE n.topic_id = ANY (listening) AND n.subscription = 'opt_in';
  PERFORM pg_notify('postrider_broadcast', 'automations:');
  RETURN NULL;
END $$;

-- Mail that was announced by `email.received`, as events where an automation of the team begins with received mail. The id
-- of the event is that of the email, so that an announcement that is repeated begins nothing again. Bounces, mail of
-- programs and of lists are left out: nothing may answer them.
CREATE OR REPLACE FUNCTION tell_automations_of_received() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  heard bigint;
BEGIN
  INSERT INTO custom_event_occurrences (id, team_id, event_name, email, payload, depth, is_answer)
  SELECT r.id, r.team_id, 'resend:email.received', automation_address(r."from"),
         jsonb_build_object('email_id', r.id, 'from', r."from", 'to', r."to", 'subject', r.subject, 'message_id', r.message_id,
                            'author', CASE WHEN r.is_author_proven THEN 'proven' ELSE 'unproven' END),
         r.depth, true
  FROM added n
  JOIN published_received_emails r ON r.id = (n.data ->> 'email_id')::uuid AND r.team_id = n.team_id
  WHERE n.type = 'email.received' AND r.mail_from <> '' AND r.automatic IS NULL
    AND EXISTS (SELECT FROM automation_triggers t
                WHERE t.team_id = n.team_id AND t.event_name = 'resend:email.received' AND t.subject_id IS NULL)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS heard = ROW_COUNT;
  IF heard > 0 THEN PERFORM pg_notify('postrider_broadcast', 'automations:'); END IF;
  RETURN NULL;
END $$;

-- Mail of a route, as events where an automation of the team begins with it. See tell_automations_of_received(). The id of the event begins with the
-- time of the email, and is always the same for an email and a route.
CREATE OR REPLACE FUNCTION tell_automations_of_routes() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  heard bigint;
BEGIN
  INSERT INTO custom_event_occurrences (id, team_id, event_name, email, subject_id, payload, depth, is_answer)
  SELECT (left(replace(r.id::text, '-', ''), 16) || right(md5(r.id::text || n.route_id::text), 16))::uuid,
         r.team_id, 'resend:email.received', automation_address(r."from"), n.route_id,
         jsonb_build_object('email_id', r.id, 'from', r."from", 'to', r."to", 'subject', r.subject, 'message_id', r.message_id,
                            'author', CASE WHEN r.is_author_proven THEN 'proven' ELSE 'unproven' END),
         r.depth, true
  FROM added n
  JOIN published_received_emails r ON r.id = n.received_id AND r.team_id = n.team_id
  WHERE n.action = 'automation' AND r.mail_from <> '' AND r.automatic IS NULL
    AND EXISTS (SELECT FROM automation_triggers t
                WHERE t.team_id = n.team_id AND t.event_name = 'resend:email.received' AND t.subject_id = n.route_id)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS heard = ROW_COUNT;
  IF heard > 0 THEN PERFORM pg_notify('postrider_broadcast', 'automations:'); END IF;
  RETURN NULL;
END $$;

-- Names of events for which runs of a new version may wait, or that are a goal of them. What happens to emails is found by email.
CREATE OR REPLACE FUNCTION note_awaited_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO automation_awaited_events (team_id, event_name, automation_id, version)
  SELECT DISTINCT a.team_id, s #>> '{config,event_name}', n.automation_id, n.version
  FROM added n JOIN automations a ON a.id = n.automation_id CROSS JOIN LATERAL jsonb_array_elements(n.graph -> 'steps') s
  WHERE s ->> 'type' IN ('wait_for_event', 'goal') AND s #>> '{config,event_name}' NOT LIKE 'resend:%'
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- In a file apart from the functions: installing a trigger briefly locks its table against writers; replacing a function does
-- not.
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_contacts();
CREATE OR REPLACE TRIGGER tell_automations_of_values AFTER INSERT ON contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_values();
CREATE OR REPLACE TRIGGER tell_automations_of_changes AFTER UPDATE ON contacts
  REFERENCING NEW TABLE AS added OLD TABLE AS earlier
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_values();
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON segment_contacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_members();
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON contact_topics REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_topics();
CREATE OR REPLACE TRIGGER tell_automations_of_changes AFTER UPDATE ON contact_topics REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_topics();
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON team_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_received();
CREATE OR REPLACE TRIGGER note_awaited_events AFTER INSERT ON automation_versions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_awaited_events();
CREATE OR REPLACE TRIGGER tell_automations AFTER INSERT ON inbound_route_results REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_automations_of_routes();

-- Counts who unsubscribed by a link in an email of an automation, each email once: bit 32 of its results, see
-- count-mail.ts.
CREATE OR REPLACE FUNCTION count_automation_unsubscribes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM fresh WHERE email_id IS NOT NULL) THEN RETURN NULL; END IF;
  WITH counted AS (
    UPDATE automation_run_steps s SET results = s.results | 32
    FROM (SELECT DISTINCT email_id FROM fresh WHERE email_id IS NOT NULL) f
    WHERE s.email_id = f.email_id AND s.automation_id IS NOT NULL AND s.results & 32 = 0
    RETURNING s.automation_id, s.step_key
  )
  INSERT INTO automation_step_counts AS c (automation_id, step_key, shard, unsubscribed)
  SELECT automation_id, step_key, pg_backend_pid() % 8, count(*) FROM counted GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (automation_id, step_key, shard) DO UPDATE SET unsubscribed = c.unsubscribed + excluded.unsubscribed;
  RETURN NULL;
END $$;

-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_automation_unsubscribes AFTER INSERT ON contact_unsubscribes REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION count_automation_unsubscribes();

-- == libs/provider-reports

CREATE TABLE provider_imports (
  source text NOT NULL,
  next_at timestamp with time zone NOT NULL,
  succeeded_at timestamp with time zone,
  account text,
  note text,
  trouble text,
  PRIMARY KEY (source)
);

CREATE TABLE google_domain_days (
  domain_id uuid NOT NULL,
  day date NOT NULL,
  shares jsonb NOT NULL,
  PRIMARY KEY (domain_id, day)
);
CREATE INDEX google_domain_days_day ON google_domain_days USING btree (day);

CREATE TABLE snds_addresses (
  address inet NOT NULL,
  day date NOT NULL,
  filter text NOT NULL,
  complaint_rate text,
  recipient_count integer NOT NULL,
  trap_hits integer NOT NULL,
  PRIMARY KEY (address)
);
CREATE INDEX snds_addresses_day ON snds_addresses USING btree (day);

CREATE TABLE snds_blocks (
  first_address inet NOT NULL,
  last_address inet NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (first_address, last_address)
);

-- == libs/insights

CREATE TABLE email_counters (
  team_id uuid NOT NULL,
  quarter timestamp with time zone NOT NULL,
  domain_id uuid NOT NULL,
  shard smallint NOT NULL,
  sent bigint NOT NULL,
  delivered bigint NOT NULL,
  delivery_delayed bigint NOT NULL,
  bounced bigint NOT NULL,
  bounced_transient bigint NOT NULL,
  bounced_permanent bigint NOT NULL,
  complained bigint NOT NULL,
  suppressed bigint NOT NULL,
  failed bigint NOT NULL,
  opened bigint NOT NULL,
  clicked bigint NOT NULL,
  unique_opened bigint NOT NULL,
  unique_clicked bigint NOT NULL,
  received bigint DEFAULT 0 NOT NULL,
  unsubscribed bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (team_id, quarter, domain_id, shard)
) WITH (fillfactor=40);
CREATE INDEX email_counters_by_shard ON email_counters USING btree (shard, quarter);

CREATE TABLE provider_counts (
  domain_id uuid NOT NULL,
  day date NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL,
  count bigint NOT NULL,
  reply text,
  email_id uuid,
  PRIMARY KEY (domain_id, day, provider, kind)
) WITH (fillfactor=70);
CREATE INDEX provider_counts_by_day ON provider_counts USING btree (day);
CREATE INDEX provider_counts_of_email ON provider_counts USING btree (email_id) WHERE (email_id IS NOT NULL);

CREATE TABLE provider_hours (
  domain_id uuid NOT NULL,
  hour timestamp with time zone NOT NULL,
  provider text NOT NULL,
  team_id uuid NOT NULL,
  delivered bigint NOT NULL,
  deferred bigint NOT NULL,
  bounced bigint NOT NULL,
  bad_addresses bigint NOT NULL,
  refused_as_spam bigint NOT NULL,
  complained bigint NOT NULL,
  PRIMARY KEY (domain_id, hour, provider)
) WITH (fillfactor=70);
CREATE INDEX provider_hours_by_hour ON provider_hours USING btree (hour, domain_id, provider);

-- Counts of the events of all teams, for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_email_counts AS
  SELECT shard, quarter, team_id, sent, delivered, delivery_delayed, bounced FROM email_counters;

-- What became of mail by mailbox provider and hour, for the other libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_provider_hours AS
  SELECT domain_id, hour, provider, team_id, delivered, deferred, bounced, bad_addresses, refused_as_spam, complained
  FROM provider_hours;

-- What became of mail by mailbox provider and day, with the last reply of each kind, for the other libs to read. Columns may be added at
-- the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_provider_counts AS
  SELECT domain_id, day, provider, kind, count, reply, email_id FROM provider_counts;

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

-- Adds events to the counters of their team, quarter of an hour and domain, in the statement that writes them.
--
-- The lookup of an email is LATERAL with a limit: as a join it could be planned as a scan of a day's emails. The bounds let
-- PostgreSQL skip the partitions of other days. The order of the rows prevents deadlocks between writers. The second
-- statement is for batches without opens and clicks: it omits the lookup of earlier events, which costs time even if there
-- is nothing to look up.
CREATE OR REPLACE FUNCTION count_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first_id uuid;
  last_id uuid;
BEGIN
  SELECT email_id INTO first_id FROM fresh ORDER BY email_id LIMIT 1;
  IF first_id IS NULL THEN RETURN NULL; END IF;
  SELECT email_id INTO last_id FROM fresh ORDER BY email_id DESC LIMIT 1;
  IF EXISTS (SELECT FROM fresh WHERE type IN ('email.opened', 'email.clicked')) THEN
    WITH engaged AS MATERIALIZED (
      SELECT array_agg(email_id) AS email_ids, array_agg(seq) AS seqs, array_agg(recipient_no) AS recipient_nos,
             array_agg(type) AS types, array_agg(data) AS datas
      FROM fresh WHERE type IN ('email.opened', 'email.clicked')
    ), uniques AS MATERIALIZED (
      SELECT u.email_id, u.seq
      FROM engaged g, first_human_engagements(g.email_ids, g.seqs, g.recipient_nos, g.types, g.datas, first_id, last_id) u
    )
    INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, sent, delivered, delivery_delayed, bounced, bounced_transient, bounced_permanent,
                                     complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked)
    SELECT e.team_id, date_bin('15 minutes', f.created_at, 'epoch'::timestamptz), e.domain_id, pg_backend_pid() % 8,
           count(*) FILTER (WHERE f.type = 'email.sent'),
           count(*) FILTER (WHERE f.type = 'email.delivered'),
           count(*) FILTER (WHERE f.type = 'email.delivery_delayed'),
           count(*) FILTER (WHERE f.type = 'email.bounced'),
           count(*) FILTER (WHERE f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Transient'),
           count(*) FILTER (WHERE f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Permanent'),
           count(*) FILTER (WHERE f.type = 'email.complained'),
           count(*) FILTER (WHERE f.type = 'email.suppressed'),
           count(*) FILTER (WHERE f.type = 'email.failed'),
           count(*) FILTER (WHERE f.type = 'email.opened'),
           count(*) FILTER (WHERE f.type = 'email.clicked'),
           count(*) FILTER (WHERE f.type = 'email.opened' AND u.seq IS NOT NULL),
           count(*) FILTER (WHERE f.type = 'email.clicked' AND u.seq IS NOT NULL)
    FROM fresh f LEFT JOIN uniques u ON u.email_id = f.email_id AND u.seq = f.seq CROSS JOIN LATERAL (
      SELECT team_id, domain_id FROM published_emails WHERE id = f.email_id AND id BETWEEN first_id AND last_id LIMIT 1
    ) e
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE SET
      sent = c.sent + EXCLUDED.sent,
      delivered = c.delivered + EXCLUDED.delivered,
      delivery_delayed = c.delivery_delayed + EXCLUDED.delivery_delayed,
      bounced = c.bounced + EXCLUDED.bounced,
      bounced_transient = c.bounced_transient + EXCLUDED.bounced_transient,
      bounced_permanent = c.bounced_permanent + EXCLUDED.bounced_permanent,
      complained = c.complained + EXCLUDED.complained,
      suppressed = c.suppressed + EXCLUDED.suppressed,
      failed = c.failed + EXCLUDED.failed,
      opened = c.opened + EXCLUDED.opened,
      clicked = c.clicked + EXCLUDED.clicked,
      unique_opened = c.unique_opened + EXCLUDED.unique_opened,
      unique_clicked = c.unique_clicked + EXCLUDED.unique_clicked;
  ELSE
    INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, sent, delivered, delivery_delayed, bounced, bounced_transient, bounced_permanent,
                                     complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked)
    SELECT e.team_id, date_bin('15 minutes', f.created_at, 'epoch'::timestamptz), e.domain_id, pg_backend_pid() % 8,
           count(*) FILTER (WHERE f.type = 'email.sent'),
           count(*) FILTER (WHERE f.type = 'email.delivered'),
           count(*) FILTER (WHERE f.type = 'email.delivery_delayed'),
           count(*) FILTER (WHERE f.type = 'email.bounced'),
           count(*) FILTER (WHERE f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Transient'),
           count(*) FILTER (WHERE f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Permanent'),
           count(*) FILTER (WHERE f.type = 'email.complained'),
           count(*) FILTER (WHERE f.type = 'email.suppressed'),
           count(*) FILTER (WHERE f.type = 'email.failed'),
           count(*) FILTER (WHERE f.type = 'email.opened'),
           count(*) FILTER (WHERE f.type = 'email.clicked'),
           0,
           0
    FROM fresh f CROSS JOIN LATERAL (
      SELECT team_id, domain_id FROM published_emails WHERE id = f.email_id AND id BETWEEN first_id AND last_id LIMIT 1
    ) e
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE SET
      sent = c.sent + EXCLUDED.sent,
      delivered = c.delivered + EXCLUDED.delivered,
      delivery_delayed = c.delivery_delayed + EXCLUDED.delivery_delayed,
      bounced = c.bounced + EXCLUDED.bounced,
      bounced_transient = c.bounced_transient + EXCLUDED.bounced_transient,
      bounced_permanent = c.bounced_permanent + EXCLUDED.bounced_permanent,
      complained = c.complained + EXCLUDED.complained,
      suppressed = c.suppressed + EXCLUDED.suppressed,
      failed = c.failed + EXCLUDED.failed,
      opened = c.opened + EXCLUDED.opened,
      clicked = c.clicked + EXCLUDED.clicked,
      unique_opened = c.unique_opened + EXCLUDED.unique_opened,
      unique_clicked = c.unique_clicked + EXCLUDED.unique_clicked;
  END IF;
  RETURN NULL;
END $$;

-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_email_events AFTER INSERT ON email_events REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION count_email_events();

-- Adds received emails to the counters of their team, quarter of an hour and domain, in the statement that writes them. The order of
-- the rows prevents deadlocks between writers.
CREATE OR REPLACE FUNCTION count_received_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, sent, delivered, delivery_delayed, bounced, bounced_transient,
                                   bounced_permanent, complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked,
                                   received)
  SELECT team_id, date_bin('15 minutes', created_at, 'epoch'::timestamptz), domain_id, pg_backend_pid() % 8,
         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*)
  FROM fresh GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE SET received = c.received + EXCLUDED.received;
  RETURN NULL;
END $$;

-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_received_emails AFTER INSERT ON received_emails REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION count_received_emails();

-- Adds those who unsubscribed to the counters of their team and quarter of an hour: under the domain of the email whose link they followed,
-- and under no domain (all zeros) where they used none. The order of the rows prevents deadlocks between writers.
CREATE OR REPLACE FUNCTION count_unsubscribes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, sent, delivered, delivery_delayed, bounced, bounced_transient,
                                   bounced_permanent, complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked,
                                   unsubscribed)
  SELECT f.team_id, date_bin('15 minutes', f.created_at, 'epoch'::timestamptz),
         coalesce((SELECT e.domain_id FROM published_emails e WHERE e.id = f.email_id AND e.team_id = f.team_id LIMIT 1),
                  '00000000-0000-0000-0000-000000000000'),
         pg_backend_pid() % 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*)
  FROM fresh f GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE SET unsubscribed = c.unsubscribed + EXCLUDED.unsubscribed;
  RETURN NULL;
END $$;

-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_unsubscribes AFTER INSERT ON contact_unsubscribes REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION count_unsubscribes();

-- == libs/reputation

CREATE TABLE reputation_guards (
  domain_id uuid NOT NULL,
  provider text NOT NULL,
  team_id uuid NOT NULL,
  step text NOT NULL,
  since timestamp with time zone NOT NULL,
  look_at timestamp with time zone NOT NULL,
  evidence_from timestamp with time zone NOT NULL,
  counted_before jsonb NOT NULL,
  slow_pace integer NOT NULL,
  evidence jsonb,
  lifted_at timestamp with time zone,
  is_locked boolean NOT NULL,
  is_settled boolean NOT NULL,
  PRIMARY KEY (domain_id, provider)
);
CREATE INDEX reputation_guards_due ON reputation_guards USING btree (look_at) WHERE ((step <> 'none'::text) OR (NOT is_settled));
CREATE INDEX reputation_guards_idle ON reputation_guards USING btree (since) WHERE (step = 'none'::text);

CREATE TABLE reputation_changes (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  provider text NOT NULL,
  from_step text NOT NULL,
  to_step text NOT NULL,
  because text NOT NULL,
  evidence jsonb,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX reputation_changes_of_domain ON reputation_changes USING btree (domain_id, id);

CREATE TABLE reputation_pending (
  domain_id uuid NOT NULL,
  provider text NOT NULL,
  team_id uuid NOT NULL,
  due_at timestamp with time zone DEFAULT (now() + '00:00:02'::interval) NOT NULL,
  PRIMARY KEY (domain_id, provider)
);
CREATE INDEX reputation_pending_due ON reputation_pending USING btree (due_at);

CREATE TABLE paced_usage (
  domain_id uuid NOT NULL,
  provider text NOT NULL,
  rule text NOT NULL,
  period bigint NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (domain_id, provider, rule)
) WITH (fillfactor=50);

CREATE TABLE warm_ups (
  domain_id uuid NOT NULL,
  team_id uuid NOT NULL,
  schedule integer[] NOT NULL,
  started_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  PRIMARY KEY (domain_id)
);
CREATE INDEX warm_ups_ended ON warm_ups USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX warm_ups_running ON warm_ups USING btree (domain_id) WHERE (ended_at IS NULL);

CREATE TABLE warm_up_providers (
  domain_id uuid NOT NULL,
  provider text NOT NULL,
  step integer NOT NULL,
  is_done boolean NOT NULL,
  hour bigint NOT NULL,
  hour_sent integer NOT NULL,
  day_sent integer NOT NULL,
  busy_day integer,
  last_day jsonb,
  PRIMARY KEY (domain_id, provider)
) WITH (fillfactor=50);
CREATE INDEX warm_up_providers_done ON warm_up_providers USING btree (domain_id) WHERE is_done;
CREATE INDEX warm_up_providers_idle ON warm_up_providers USING btree (hour) WHERE (NOT is_done);

-- Steps at which the guard of reputations holds mail, for the other libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_reputation_guards AS
  SELECT domain_id, provider, step, since FROM reputation_guards;

-- == libs/webhooks

CREATE TABLE webhooks (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  endpoint text NOT NULL,
  events text[] NOT NULL,
  status text NOT NULL,
  disabled_reason text,
  sealed_secret bytea NOT NULL,
  sealed_previous_secret bytea,
  previous_secret_until timestamp with time zone,
  failures integer DEFAULT 0 NOT NULL,
  failing_since timestamp with time zone,
  last_failure_at timestamp with time zone,
  probe_at timestamp with time zone,
  last_called_at timestamp with time zone,
  last_status smallint,
  last_error text,
  format text DEFAULT 'postrider'::text NOT NULL,
  domain_id uuid,
  sealed_settings bytea,
  PRIMARY KEY (id),
  CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id)
) WITH (fillfactor=75);
CREATE INDEX webhooks_of_team ON webhooks USING btree (team_id, id);
CREATE INDEX webhooks_with_previous_secret ON webhooks USING btree (previous_secret_until) WHERE (previous_secret_until IS NOT NULL);

CREATE TABLE webhook_lanes (
  webhook_id uuid NOT NULL,
  worker_id uuid NOT NULL,
  until timestamp with time zone NOT NULL,
  PRIMARY KEY (webhook_id)
) WITH (fillfactor=50);

CREATE TABLE webhook_messages (
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  source_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  seq integer,
  type text NOT NULL,
  status text NOT NULL,
  PRIMARY KEY (webhook_id, id),
  CHECK ((status = ANY (ARRAY['pending'::text, 'attempting'::text, 'success'::text, 'failed'::text])))
) PARTITION BY RANGE (id);

CREATE TABLE webhook_attempts (
  message_id uuid NOT NULL,
  id uuid NOT NULL,
  sent_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  http_status smallint NOT NULL,
  response text NOT NULL,
  PRIMARY KEY (message_id, id)
) PARTITION BY RANGE (message_id);

CREATE TABLE webhook_queue (
  message_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  source_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  seq integer,
  attempt smallint DEFAULT 0 NOT NULL,
  round integer DEFAULT 0 NOT NULL,
  type text NOT NULL,
  PRIMARY KEY (message_id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=1);
CREATE INDEX webhook_queue_due ON webhook_queue USING btree (webhook_id, due_at, message_id);

CREATE TABLE webhook_hours (
  webhook_id uuid NOT NULL,
  slot smallint NOT NULL,
  hour timestamp with time zone NOT NULL,
  calls integer NOT NULL,
  succeeded integer NOT NULL,
  PRIMARY KEY (webhook_id, slot),
  FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
) WITH (fillfactor=50);

-- The id of the nth message that a statement makes: a UUIDv7 with the microsecond in its first random bits (RFC 9562
-- section 6.2, method 3), because the messages of one email must sort like its events. PostgreSQL has a built-in uuidv7()
-- only since version 18.
CREATE OR REPLACE FUNCTION webhook_message_id(moment timestamptz, nth bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
          || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid
  FROM (SELECT (extract(epoch FROM moment) * 1000000)::bigint + nth AS us) AS t
$$;

-- Makes the webhook messages in the statement that writes events of emails, so that no code can write an event without its
-- messages. At the commit it notifies the workers of endpoints that may be called now and whose lane no worker has. The
-- topic and the channel are those of `Broadcast`. Messages of the other endpoints are found by the worker that has the lane
-- or by the sweep each second. A notification for every commit would cost more: PostgreSQL serialises commits that notify.
--
-- The settings allow index probes only, whatever the statistics were when the session planned the statements.
CREATE OR REPLACE FUNCTION tell_webhooks_of_email_events() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  first uuid;
  last uuid;
  woken bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM webhooks) THEN RETURN NULL; END IF;
  SELECT email_id INTO first FROM added ORDER BY email_id LIMIT 1;
  IF first IS NULL THEN RETURN NULL; END IF;
  SELECT email_id INTO last FROM added ORDER BY email_id DESC LIMIT 1;
  WITH told AS MATERIALIZED (
    SELECT webhook_message_id(moment, row_number() OVER (ORDER BY n.created_at, n.email_id, n.seq)) AS id,
           w.id AS webhook_id, n.email_id AS source_id, n.seq, n.created_at, n.type
    FROM added n
    CROSS JOIN LATERAL (
      SELECT team_id, domain_id FROM published_emails WHERE id = n.email_id AND id BETWEEN first AND last LIMIT 1
    ) e
    JOIN webhooks w ON w.team_id = e.team_id AND n.type = ANY (w.events)
      AND (w.domain_id IS NULL OR w.domain_id = e.domain_id)
  ), logged AS (
    INSERT INTO webhook_messages (id, webhook_id, seq, created_at, type, status, source_id)
    SELECT id, webhook_id, seq, created_at, type, 'pending', source_id FROM told
  ), queued AS (
    INSERT INTO webhook_queue (message_id, webhook_id, seq, created_at, due_at, type, source_id)
    SELECT id, webhook_id, seq, created_at, created_at, type, source_id FROM told
  )
  SELECT count(pg_notify('postrider_broadcast', 'webhook-work:' || t.webhook_id)) INTO woken
  FROM (SELECT DISTINCT webhook_id FROM told) t
  WHERE EXISTS (SELECT FROM webhooks w WHERE w.id = t.webhook_id AND w.status = 'enabled'
                AND (w.probe_at IS NULL OR w.probe_at <= now()))
    AND NOT EXISTS (SELECT FROM webhook_lanes l WHERE l.webhook_id = t.webhook_id AND l.until > now());
  RETURN NULL;
END $$;

-- Makes the webhook messages for events of a team that belong to no email. See tell_webhooks_of_email_events().
CREATE OR REPLACE FUNCTION tell_webhooks_of_team_events() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  woken bigint;
BEGIN
  WITH told AS MATERIALIZED (
    SELECT webhook_message_id(moment, row_number() OVER (ORDER BY n.created_at, n.id)) AS id,
           w.id AS webhook_id, n.id AS source_id, NULL::integer AS seq, n.created_at, n.type
    FROM added n JOIN webhooks w ON w.team_id = n.team_id AND n.type = ANY (w.events)
  ), logged AS (
    INSERT INTO webhook_messages (id, webhook_id, seq, created_at, type, status, source_id)
    SELECT id, webhook_id, seq, created_at, type, 'pending', source_id FROM told
  ), queued AS (
    INSERT INTO webhook_queue (message_id, webhook_id, seq, created_at, due_at, type, source_id)
    SELECT id, webhook_id, seq, created_at, created_at, type, source_id FROM told
  )
  SELECT count(pg_notify('postrider_broadcast', 'webhook-work:' || t.webhook_id)) INTO woken
  FROM (SELECT DISTINCT webhook_id FROM told) t
  WHERE EXISTS (SELECT FROM webhooks w WHERE w.id = t.webhook_id AND w.status = 'enabled'
                AND (w.probe_at IS NULL OR w.probe_at <= now()))
    AND NOT EXISTS (SELECT FROM webhook_lanes l WHERE l.webhook_id = t.webhook_id AND l.until > now());
  RETURN NULL;
END $$;

-- In a file apart from the functions: installing a trigger briefly locks both tables against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER tell_webhooks AFTER INSERT ON email_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_webhooks_of_email_events();
CREATE OR REPLACE TRIGGER tell_webhooks AFTER INSERT ON team_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_webhooks_of_team_events();

-- == libs/request-logs

CREATE TABLE request_logs (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  api_key_id uuid,
  created_at timestamp with time zone NOT NULL,
  response_status smallint NOT NULL,
  method text NOT NULL,
  endpoint text NOT NULL,
  user_agent text,
  request_body json,
  response_body json,
  actor_kind text,
  actor_id uuid,
  from_page boolean,
  PRIMARY KEY (team_id, id)
) PARTITION BY RANGE (id);

-- == libs/privacy

CREATE TABLE privacy_erasures (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  address_hash text NOT NULL,
  sealed_address bytea,
  status text NOT NULL,
  counts jsonb DEFAULT '{}'::jsonb NOT NULL,
  holder text,
  "position" text,
  is_waiting boolean DEFAULT false NOT NULL,
  due_at timestamp with time zone NOT NULL,
  held_by uuid,
  held_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  api_key_id uuid,
  actor_kind text,
  actor_id uuid,
  created_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text]))),
  FOREIGN KEY (team_id) REFERENCES teams(id)
) WITH (fillfactor=50);
CREATE INDEX privacy_erasures_of_team ON privacy_erasures USING btree (team_id, id);
CREATE INDEX privacy_erasures_waiting ON privacy_erasures USING btree (team_id, due_at) WHERE (status = 'pending'::text);

CREATE TABLE privacy_turns (
  team_id uuid NOT NULL,
  last_at timestamp with time zone NOT NULL,
  PRIMARY KEY (team_id),
  FOREIGN KEY (team_id) REFERENCES teams(id)
);

-- == libs/notices

CREATE TABLE notices (
  key text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  sent_at timestamp with time zone,
  recipient text,
  is_urgent boolean DEFAULT false NOT NULL,
  owner text DEFAULT 'operator'::text NOT NULL,
  PRIMARY KEY (key)
);
CREATE INDEX notices_due ON notices USING btree (due_at) WHERE (sent_at IS NULL);

-- == libs/live

CREATE UNLOGGED TABLE live_watches (
  team_id uuid NOT NULL,
  source_id uuid NOT NULL,
  since timestamp with time zone DEFAULT now() NOT NULL,
  until timestamp with time zone NOT NULL,
  PRIMARY KEY (team_id, source_id)
) WITH (fillfactor=25);

CREATE UNLOGGED TABLE live_changes (
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  team_id uuid NOT NULL,
  topic text NOT NULL,
  names text[]
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);
CREATE INDEX live_changes_at ON live_changes USING btree (at);
CREATE INDEX live_changes_xid ON live_changes USING btree (xid);

-- Notes down which emails changed, for teams that somebody watches at this moment. It is read by polling and not sent with NOTIFY:
-- PostgreSQL serialises commits that notify, and a session is needed to listen. While nobody watches it costs one look at an empty
-- table per statement; while teams watch that had no emails at the time of these, it costs one look into the index of emails for
-- each of them. The rows are in a table that is not logged.
CREATE OR REPLACE FUNCTION tell_live_of_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  watched uuid[];
  first uuid;
  last uuid;
BEGIN
  watched := ARRAY(SELECT DISTINCT team_id FROM live_watches WHERE until > now());
  IF cardinality(watched) = 0 THEN RETURN NULL; END IF;
  SELECT email_id INTO first FROM added ORDER BY email_id LIMIT 1;
  IF first IS NULL THEN RETURN NULL; END IF;
  SELECT email_id INTO last FROM added ORDER BY email_id DESC LIMIT 1;
  -- Of many teams one has emails of that time anyway.
  IF cardinality(watched) <= 32 THEN
    watched := ARRAY(
      SELECT t.team_id FROM unnest(watched) AS t (team_id)
      CROSS JOIN LATERAL (
        SELECT FROM published_emails WHERE team_id = t.team_id AND id BETWEEN first AND last ORDER BY id LIMIT 1
      ) e
    );
    IF cardinality(watched) = 0 THEN RETURN NULL; END IF;
  END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT e.team_id, 'emails', CASE WHEN count(*) <= 100 THEN array_agg(n.email_id::text) END
  FROM (SELECT DISTINCT email_id FROM added) n
  CROSS JOIN LATERAL (
    SELECT team_id FROM published_emails WHERE id = n.email_id AND id BETWEEN first AND last LIMIT 1
  ) e
  WHERE e.team_id = ANY (watched)
  GROUP BY e.team_id;
  RETURN NULL;
END $$;

-- Notes down the types of events of a team that belong to no email. See tell_live_of_email_events().
CREATE OR REPLACE FUNCTION tell_live_of_team_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT team_id, 'events', array_agg(DISTINCT type) FROM added
  WHERE team_id IN (SELECT team_id FROM live_watches WHERE until > now())
  GROUP BY team_id;
  RETURN NULL;
END $$;

-- In a file apart from the functions: installing a trigger briefly locks both tables against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER tell_live AFTER INSERT ON email_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_email_events();
CREATE OR REPLACE TRIGGER tell_live AFTER INSERT ON team_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_team_events();

-- Notes down that the state or the progress of a broadcast has changed, as often as that is written. See tell_live_of_email_events().
CREATE OR REPLACE FUNCTION tell_live_of_broadcasts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT DISTINCT team_id, 'events', ARRAY['broadcast.updated'] FROM added
  WHERE team_id IN (SELECT team_id FROM live_watches WHERE until > now());
  RETURN NULL;
END $$;

-- In a file apart from the function: installing a trigger briefly locks both tables against writers; replacing a function does not.
CREATE OR REPLACE TRIGGER tell_live AFTER UPDATE ON broadcasts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_broadcasts();
CREATE OR REPLACE TRIGGER tell_live AFTER UPDATE ON broadcast_progress REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_broadcasts();

-- Notes down that somebody opened, left or wrote a content in the editor. See tell_live_of_email_events().
CREATE OR REPLACE FUNCTION tell_live_of_editor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT DISTINCT team_id, 'events', ARRAY['editor.updated'] FROM changed
  WHERE team_id IN (SELECT team_id FROM live_watches WHERE until > now());
  RETURN NULL;
END $$;

-- Notes down that a caret moved. Nothing else is news of a tab that is still there.
CREATE OR REPLACE FUNCTION tell_live_of_cursors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT DISTINCT c.team_id, 'events', ARRAY['editor.updated']
  FROM changed c JOIN before b USING (team_id, resource_id, client_id)
  WHERE (c.anchor, c.head) IS DISTINCT FROM (b.anchor, b.head)
    AND c.team_id IN (SELECT team_id FROM live_watches WHERE until > now());
  RETURN NULL;
END $$;

-- In a file apart from the function: installing a trigger briefly locks the tables against writers; replacing a function does not.
CREATE OR REPLACE TRIGGER tell_live_of_new AFTER INSERT ON editor_versions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_editor();
CREATE OR REPLACE TRIGGER tell_live_of_changes AFTER UPDATE ON editor_versions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_editor();
CREATE OR REPLACE TRIGGER tell_live_of_arrivals AFTER INSERT ON editor_presences REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_editor();
CREATE OR REPLACE TRIGGER tell_live_of_leavings AFTER DELETE ON editor_presences REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_editor();
CREATE OR REPLACE TRIGGER tell_live_of_cursors AFTER UPDATE ON editor_presences REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tell_live_of_cursors();

-- == libs/sandbox

CREATE TABLE sandbox_messages (
  id uuid NOT NULL,
  team_id uuid,
  received_at timestamp with time zone NOT NULL,
  size integer NOT NULL,
  "from" text NOT NULL,
  subject text NOT NULL,
  recipients text[] NOT NULL,
  raw bytea NOT NULL,
  PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=1);
ALTER TABLE sandbox_messages ALTER COLUMN raw SET STORAGE EXTERNAL;
CREATE INDEX sandbox_messages_of_team ON sandbox_messages USING btree (team_id, id);
