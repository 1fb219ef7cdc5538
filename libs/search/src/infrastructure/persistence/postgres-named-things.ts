import { ReadDatabase } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { NamedKind, NamedThings } from '../../application/ports/named-things.port.js';
import type { FoundThing } from '../../domain/found-thing.js';

/** Names of one kind that a search examines, the newest. Each is a row of an index, so that it takes milliseconds. */
const maxExamined = 2_000;
/** Inboxes whose threads are searched, and threads of one folder of each of them: the newest. */
const maxInboxes = 20;
const maxThreads = 100;

/** The newest of each kind, with what is searched beside the name. The views are those of the libs that own the tables. */
const newest: Readonly<Record<NamedKind, string>> = {
  broadcast: `SELECT id, name, status AS detail, NULL AS also, NULL::uuid AS inbox_id FROM published_broadcasts
              WHERE team_id = $1 ORDER BY id DESC LIMIT ${maxExamined}`,
  template: `SELECT id, name, alias AS detail, alias AS also, NULL::uuid AS inbox_id FROM published_templates
             WHERE team_id = $1 ORDER BY id DESC LIMIT ${maxExamined}`,
  automation: `SELECT id, name, status AS detail, NULL AS also, NULL::uuid AS inbox_id FROM published_automations
               WHERE team_id = $1 ORDER BY id DESC LIMIT ${maxExamined}`,
  segment: `SELECT id, name, NULL AS detail, NULL AS also, NULL::uuid AS inbox_id FROM published_segments
            WHERE team_id = $1 ORDER BY id DESC LIMIT ${maxExamined}`,
  domain: `SELECT id, name, status AS detail, NULL AS also, NULL::uuid AS inbox_id FROM published_domains
           WHERE team_id = $1 ORDER BY id DESC LIMIT ${maxExamined}`,
  inbox: `SELECT id, coalesce(name, address) AS name, address AS detail, address AS also, NULL::uuid AS inbox_id FROM published_inboxes
          WHERE team_id = $1 ORDER BY id DESC LIMIT ${maxExamined}`,
  inbox_thread: `SELECT t.id, coalesce(t.subject, '') AS name, t."from" AS detail, t."from" AS also, t.inbox_id FROM (
                   SELECT id FROM published_inboxes WHERE team_id = $1 ORDER BY id DESC LIMIT ${maxInboxes}
                 ) i CROSS JOIN unnest('{inbox,archive,sent}'::text[]) AS f (folder) CROSS JOIN LATERAL (
                   SELECT id, subject, "from", inbox_id FROM published_inbox_threads
                   WHERE inbox_id = i.id AND folder = f.folder ORDER BY last_email_at DESC, id DESC LIMIT ${maxThreads}
                 ) t`,
};

@Injectable()
export class PostgresNamedThings extends NamedThings {
  constructor(private readonly reads: ReadDatabase) {
    super();
  }

  find(teamId: string, kinds: readonly NamedKind[], text: string, limit: number): Promise<readonly FoundThing[]> {
    const found = kinds.map(
      (kind) => `(SELECT '${kind}' AS kind, id, name, detail, inbox_id AS "inboxId" FROM (${newest[kind]}) n
                  WHERE strpos(folded_case(name), $2) > 0 OR strpos(folded_case(also), $2) > 0
                  ORDER BY strpos(folded_case(name), $2) <> 1, id DESC LIMIT $3)`,
    );
    return this.reads.query<FoundThing & Record<string, unknown>>({
      text: found.join(' UNION ALL '),
      values: [teamId, text, limit],
    });
  }
}
