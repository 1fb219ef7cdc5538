import { actorColumns } from '#identity';
import { newId } from '#kernel';
import { Statement, storableJson } from '#postgres/database';
import { ImportBatch } from '../../../application/ports/imported-contacts.port.js';
import { ImportedContact } from '../../../domain/imports/imported-contact.js';
import { maxTogether } from '../../../domain/property.js';

/**
 * The contacts as a JSON text, which PostgreSQL reads faster than six arrays. The id is that of a new contact and of
 * the first entry in its history, or that of the entry in the history of a known one.
 */
export function given(contacts: readonly ImportedContact[], now: Date): string {
  return storableJson(
    contacts.map(({ email, firstName, lastName, unsubscribed, properties }) => ({
      id: newId(now.getTime()),
      email,
      first_name: firstName,
      last_name: lastName,
      unsubscribed,
      properties: Object.keys(properties).length === 0 ? undefined : properties,
    })),
  );
}

/** A sample of the contacts of a file tells whether the file is likely to name contacts that are known. */
export function knownAmong(emails: readonly string[], { teamId }: ImportBatch): Statement {
  return {
    name: 'import-known-among',
    text: 'SELECT FROM contacts WHERE team_id = $1::uuid AND email = ANY ($2::text[]) LIMIT 1',
    values: [teamId, emails],
  };
}

const givenRow = 'g (id uuid, email text, first_name text, last_name text, unsubscribed boolean, properties jsonb)';

const historyColumns = 'contact_id, id, team_id, type, source, api_key_id, actor_kind, actor_id, changes, created_at';
/** The values of `team_id` to `actor_id`. */
const historyOf = (type: string): string => `$2::uuid, '${type}', 'import', $4::uuid, $5::text, $6::uuid`;

function valuesOf(given: unknown, { teamId, now, actor, importId }: ImportBatch): unknown[] {
  const { api_key_id = null, actor_kind = null, actor_id = null } = actorColumns(actor);
  const importedBy = JSON.stringify({ import: { from: null, to: importId } });
  return [given, teamId, now, api_key_id, actor_kind, actor_id, importedBy];
}

/**
 * Adds the contacts that are new and returns them. In order of the addresses, so that two imports cannot wait for each
 * other. The history of a new contact only says by which import it came: its values are those of the contact, until
 * later entries name the earlier ones.
 */
export function creation(json: string, batch: ImportBatch): Statement {
  return {
    name: 'import-new-contacts',
    text: `WITH given AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS ${givenRow}),
           created AS (
             INSERT INTO contacts (id, team_id, email, first_name, last_name, unsubscribed, unsubscribed_at, properties,
                                   created_at, updated_at)
             SELECT id, $2::uuid, email, first_name, last_name, coalesce(unsubscribed, false), CASE WHEN unsubscribed THEN $3::timestamptz END,
                    coalesce(properties, '{}'), $3::timestamptz, $3::timestamptz
             FROM given ORDER BY email COLLATE "C"
             ON CONFLICT DO NOTHING RETURNING id, email
           ), logged AS (
             INSERT INTO contact_changes (${historyColumns})
             SELECT id, id, ${historyOf('created')}, $7::jsonb, $3::timestamptz FROM created
           )
           SELECT id, email FROM created`,
    values: valuesOf(json, batch),
  };
}

/** The first entries in the history of contacts that were copied, as `creation` writes them. */
export function historyOfCopied(ids: readonly string[], batch: ImportBatch): Statement {
  return {
    name: 'import-history-of-copied',
    text: `INSERT INTO contact_changes (${historyColumns})
           SELECT id, id, ${historyOf('created')}, $7::jsonb, $3::timestamptz FROM unnest($1::uuid[]) AS c (id)`,
    values: valuesOf(ids, batch),
  };
}

/** Locks known contacts in the order of their addresses. What is dated behind it is in order in their history. */
export function lock(emails: readonly string[], { teamId }: ImportBatch): Statement {
  return {
    name: 'import-lock-known',
    text: `SELECT count(*) FROM (
             SELECT FROM contacts WHERE team_id = $1::uuid AND email = ANY ($2::text[]) ORDER BY email FOR UPDATE
           ) locked`,
    values: [teamId, emails],
  };
}

/** What \`sizeOf\` is in JavaScript, except that it counts characters beyond the first plane once. */
const sizeOf = (properties: string): string =>
  `(SELECT coalesce(sum(length(key) + length(value)), 0) FROM jsonb_each_text(${properties}))`;

/**
 * Changes the known contacts as the rows say, where that differs from what they are, and returns all of them. One that
 * would have more values than it may stays as it is. The length of the JSON, which is larger, decides first because it
 * is cheap.
 */
export function changes(json: string, batch: ImportBatch): Statement {
  return {
    name: 'import-known-contacts',
    text: `WITH given AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS ${givenRow}),
           old AS MATERIALIZED (
             SELECT c.id, c.email, c.first_name, c.last_name, c.unsubscribed, c.properties
             FROM contacts c JOIN given g ON c.team_id = $2::uuid AND c.email = g.email ORDER BY c.email FOR UPDATE OF c
           ), merged AS MATERIALIZED (
               SELECT o.id, o.email, g.id AS change_id, coalesce(g.first_name, o.first_name) AS first_name,
                      coalesce(g.last_name, o.last_name) AS last_name,
                      o.unsubscribed OR coalesce(g.unsubscribed, false) AS unsubscribed,
                      o.properties || coalesce(g.properties, '{}') AS properties,
                      coalesce(g.properties, '{}') AS set_properties, o AS old
               FROM old o JOIN given g ON g.email = o.email
           ), judged AS MATERIALIZED (
             SELECT *, CASE WHEN set_properties <> '{}' AND length(properties::text) > ${maxTogether}
                            THEN ${sizeOf('properties')} > greatest(${maxTogether}, ${sizeOf('(old).properties')})
                            ELSE false END AS is_too_large
             FROM merged
           ), next AS MATERIALIZED (
             SELECT * FROM judged n
             WHERE NOT n.is_too_large AND (n.first_name, n.last_name, n.unsubscribed, n.properties)
               IS DISTINCT FROM ((n.old).first_name, (n.old).last_name, (n.old).unsubscribed, (n.old).properties)
           ), changed AS (
             UPDATE contacts c
             SET first_name = n.first_name, last_name = n.last_name, unsubscribed = n.unsubscribed, properties = n.properties,
                 unsubscribed_at = CASE WHEN n.unsubscribed AND NOT c.unsubscribed THEN $3::timestamptz ELSE c.unsubscribed_at END,
                 updated_at = $3::timestamptz
             FROM next n WHERE c.id = n.id
           ), logged AS (
             INSERT INTO contact_changes (${historyColumns})
             SELECT n.id, n.change_id, ${historyOf('updated')},
               $7::jsonb || coalesce((
                 SELECT jsonb_object_agg(f.name, jsonb_build_object('from', f.earlier, 'to', f.later))
                 FROM (
                   VALUES ('first_name', to_jsonb((n.old).first_name), to_jsonb(n.first_name)),
                          ('last_name', to_jsonb((n.old).last_name), to_jsonb(n.last_name)),
                          ('unsubscribed', to_jsonb((n.old).unsubscribed), to_jsonb(n.unsubscribed))
                   UNION ALL
                   SELECT 'properties.' || p.key, (n.old).properties -> p.key, p.value FROM jsonb_each(n.set_properties) p
                 ) f (name, earlier, later) WHERE f.earlier IS DISTINCT FROM f.later
               ), '{}'), $3::timestamptz
             FROM next n
           )
           SELECT id, email, is_too_large AS "isTooLarge" FROM judged`,
    values: valuesOf(json, batch),
  };
}

/** The locks keep the segments until the members are committed, so that a deletion removes these as well. */
export function memberships(contactIds: readonly string[], { teamId, segmentIds, now }: ImportBatch): Statement {
  return {
    name: 'import-members',
    text: `WITH kept AS MATERIALIZED (
             SELECT id FROM segments WHERE id = ANY ($2::uuid[]) AND team_id = $1 AND filter IS NULL FOR KEY SHARE
           )
           INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at)
           SELECT kept.id, c.id, $1::uuid, $4::timestamptz FROM unnest($3::uuid[]) AS c (id) CROSS JOIN kept ORDER BY c.id, kept.id
           ON CONFLICT DO NOTHING`,
    values: [teamId, segmentIds, contactIds, now],
  };
}

export function subscriptions(contactIds: readonly string[], { teamId, topics, now }: ImportBatch): Statement {
  return {
    name: 'import-subscriptions',
    text: `WITH kept AS MATERIALIZED (
             SELECT id FROM topics WHERE id = ANY ($2::uuid[]) AND team_id = $1 FOR KEY SHARE
           )
           INSERT INTO contact_topics AS t (contact_id, topic_id, team_id, subscription, updated_at)
           SELECT c.id, kept.id, $1::uuid, chosen.subscription, $5::timestamptz
           FROM unnest($4::uuid[]) AS c (id) CROSS JOIN kept
           JOIN unnest($2::uuid[], $3::text[]) AS chosen (id, subscription) ON chosen.id = kept.id
           ORDER BY c.id, kept.id
           ON CONFLICT (contact_id, topic_id) DO UPDATE SET subscription = EXCLUDED.subscription, updated_at = EXCLUDED.updated_at
           WHERE t.subscription = 'opt_in' AND EXCLUDED.subscription = 'opt_out'`,
    values: [teamId, topics.map(({ id }) => id), topics.map(({ subscription }) => subscription), contactIds, now],
  };
}
