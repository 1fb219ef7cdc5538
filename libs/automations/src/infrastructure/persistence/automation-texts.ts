import { erasingStatement, namesAddress, withoutAddress } from '#postgres/privacy';

/** Rows of a portion: payloads are large. */
export const textPortion = 200;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Rows of a team whose texts may name anybody, in the order of an index. */
export interface TextWalk {
  readonly statement: string;
  /** The keys before the first row. */
  readonly first: readonly string[];
  /** The keys of a position, of which one may have blanks. */
  keysOf(words: readonly string[]): readonly string[];
}

const payload = { payload: 'jsonb' } as const;
const ofRun = { payload: 'jsonb', wait_events: 'jsonb', webhooks: 'jsonb', call: 'jsonb' } as const;
const ofStep = { output: 'jsonb', error: 'text' } as const;
const ofCall = { body: 'jsonb' } as const;

/** Runs are found by their automations, whose rows stay as long as they have runs. */
const runs = `
  SELECT r.* FROM automations a CROSS JOIN LATERAL (
    SELECT automation_id, contact_id, id FROM automation_runs
    WHERE automation_id = a.id
      AND (contact_id, id) > (CASE WHEN a.id = $3 THEN $4::uuid ELSE '${firstId}' END, CASE WHEN a.id = $3 THEN $5::uuid ELSE '${firstId}' END)
    ORDER BY contact_id, id LIMIT ${textPortion}
  ) r
  WHERE a.team_id = $1 AND a.id >= $3 ORDER BY r.automation_id, r.contact_id, r.id LIMIT ${textPortion}`;

export const automationTexts: readonly TextWalk[] = [
  {
    first: [firstId],
    keysOf: (words) => words,
    statement: erasingStatement(
      `SELECT id FROM custom_event_occurrences WHERE team_id = $1 AND id > $3::uuid ORDER BY id LIMIT ${textPortion}`,
      ['id'],
      [
        `UPDATE custom_event_occurrences t SET ${withoutAddress(payload)} FROM portion p
         WHERE t.id = p.id AND ${namesAddress(payload)}`,
      ],
    ),
  },
  {
    first: ['', firstId],
    keysOf: (words) => [words.slice(0, -1).join(' '), words.at(-1) as string],
    statement: erasingStatement(
      `SELECT name, id FROM custom_event_payloads WHERE team_id = $1 AND (name, id) > ($3, $4::uuid)
       ORDER BY name, id LIMIT ${textPortion}`,
      ['name', 'id'],
      [
        `UPDATE custom_event_payloads t SET ${withoutAddress(payload)} FROM portion p
         WHERE t.id = p.id AND ${namesAddress(payload)}`,
      ],
    ),
  },
  {
    first: [firstId, '', '0'],
    keysOf: (words) => [words[0] as string, words.slice(1, -1).join(' '), words.at(-1) as string],
    statement: erasingStatement(
      `SELECT contact_id, event_name, position FROM automation_kept_events
       WHERE team_id = $1 AND (contact_id, event_name, position) > ($3::uuid, $4, $5::bigint)
       ORDER BY contact_id, event_name, position LIMIT ${textPortion}`,
      ['contact_id', 'event_name', 'position'],
      [
        `UPDATE automation_kept_events t SET ${withoutAddress(payload)} FROM portion p
         WHERE t.team_id = $1 AND t.contact_id = p.contact_id AND t.event_name = p.event_name AND t.position = p.position
           AND ${namesAddress(payload)}`,
      ],
    ),
  },
  {
    first: [firstId, firstId, firstId],
    keysOf: (words) => words,
    statement: erasingStatement(
      runs,
      ['automation_id', 'contact_id', 'id'],
      [
        `UPDATE automation_runs t SET ${withoutAddress(ofRun)} FROM portion p WHERE t.id = p.id AND ${namesAddress(ofRun)}`,
        `UPDATE automation_run_steps t SET ${withoutAddress(ofStep)} FROM portion p
         WHERE t.run_id = p.id AND ${namesAddress(ofStep)}`,
        `UPDATE automation_calls t SET ${withoutAddress(ofCall)} FROM portion p WHERE t.run_id = p.id AND ${namesAddress(ofCall)}`,
      ],
    ),
  },
];
