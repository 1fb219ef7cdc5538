import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The audience: contacts, their properties, segments, topics, and the history of contacts.
 *
 * Lists are keyset pages on the UUIDv7 of a team's rows. Prefix searches use the `text_pattern_ops` indexes, of which
 * the one on the address is also the unique key. `unsubscribed`, the properties and the marks are in no index of their
 * own that every row enters, so that changing them stays on the page of the row (HOT).
 *
 * Members and subscriptions point to their contact with a foreign key. They have none to their segment or topic:
 * deleting a segment of a million members is one row in `audience_removals`, and a worker removes the members in
 * batches.
 */
export class Audience1763800000000 implements MigrationInterface {
  name = 'Audience1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const contacts = [
  `CREATE TABLE contacts (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    email text NOT NULL,
    first_name text,
    last_name text,
    unsubscribed boolean NOT NULL DEFAULT false,
    unsubscribed_at timestamptz,
    properties jsonb NOT NULL DEFAULT '{}',
    bounced_at timestamptz,
    complained_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  ) WITH (fillfactor = 85)`,
  'CREATE UNIQUE INDEX contacts_by_email ON contacts (team_id, email text_pattern_ops)',
  'CREATE INDEX contacts_of_team ON contacts (team_id, id)',
  `CREATE INDEX contacts_by_first_name
     ON contacts (team_id, lower(first_name) text_pattern_ops, lower(last_name) text_pattern_ops)
     WHERE first_name IS NOT NULL`,
  `CREATE INDEX contacts_by_last_name ON contacts (team_id, lower(last_name) text_pattern_ops) WHERE last_name IS NOT NULL`,
  'CREATE INDEX contacts_unsubscribed ON contacts (team_id, id) WHERE unsubscribed',
  `CREATE TABLE contact_counts (
    team_id uuid NOT NULL,
    shard smallint NOT NULL,
    contacts bigint NOT NULL,
    PRIMARY KEY (team_id, shard)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE contact_properties (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    key text NOT NULL,
    type text NOT NULL CHECK (type IN ('string', 'number')),
    fallback_value jsonb,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (team_id, key)
  )`,
  'CREATE INDEX contact_properties_of_team ON contact_properties (team_id, id)',
];

const groups = [
  `CREATE TABLE segments (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    name text NOT NULL,
    filter jsonb,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  'CREATE INDEX segments_of_team ON segments (team_id, id)',
  `CREATE TABLE segment_contacts (
    segment_id uuid NOT NULL,
    contact_id uuid NOT NULL REFERENCES contacts ON DELETE CASCADE,
    team_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (segment_id, contact_id)
  )`,
  'CREATE INDEX segment_contacts_of_contact ON segment_contacts (contact_id, segment_id)',
  `CREATE TABLE topics (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    name text NOT NULL,
    description text,
    default_subscription text NOT NULL CHECK (default_subscription IN ('opt_in', 'opt_out')),
    visibility text NOT NULL CHECK (visibility IN ('private', 'public')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  'CREATE INDEX topics_of_team ON topics (team_id, id)',
  `CREATE TABLE contact_topics (
    contact_id uuid NOT NULL REFERENCES contacts ON DELETE CASCADE,
    topic_id uuid NOT NULL,
    team_id uuid NOT NULL,
    subscription text NOT NULL CHECK (subscription IN ('opt_in', 'opt_out')),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (contact_id, topic_id)
  )`,
  'CREATE INDEX contact_topics_of_topic ON contact_topics (topic_id, subscription, contact_id)',
];

const history = [
  `CREATE TABLE audience_removals (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('segment', 'topic', 'property', 'history')),
    subject_id uuid NOT NULL,
    key text,
    position uuid,
    created_at timestamptz NOT NULL
  )`,
  `CREATE UNIQUE INDEX audience_removals_of_property ON audience_removals (team_id, key) WHERE kind = 'property'`,
  `CREATE TABLE contact_changes (
    contact_id uuid NOT NULL,
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    type text NOT NULL,
    source text NOT NULL,
    api_key_id uuid,
    actor_kind text,
    actor_id uuid,
    changes jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (contact_id, id)
  ) PARTITION BY RANGE (id)`,
];

const statements = [...contacts, ...groups, ...history];
