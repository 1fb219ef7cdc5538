import { newId } from '#kernel';
import { Database } from '#postgres/database';

/** A broadcast as a test starts it. */
export interface StartedBroadcast {
  readonly segmentId: string;
  readonly subject?: string;
  readonly html?: string;
  readonly topicId?: string;
  readonly options?: object;
  readonly scheduledAt?: Date;
  readonly from?: string;
}

export const broadcastHtml =
  '<p>Hi {{{FIRST_NAME|there}}}, <a href="https://acme.test/{{{plan|none}}}">look</a> <a href="{{{RESEND_UNSUBSCRIBE_URL}}}">no more</a></p>';

/** Writes what a test of the fan-out is about straight into the database. */
export class BroadcastSteps {
  constructor(
    readonly database: Pick<Database, 'query'>,
    readonly teamId: string,
  ) {}

  async segment(filter: object | null = null): Promise<string> {
    const id = newId();
    await this.run(
      `INSERT INTO segments (id, team_id, name, filter, created_at, updated_at) VALUES ($1, $2, 'Somebody', $3, now(), now())`,
      [id, this.teamId, filter === null ? null : JSON.stringify(filter)],
    );
    return id;
  }

  /** Adds contacts `<name><n>@sink.test` to a segment. Returns their ids in the order of `n`, from 0. */
  async contacts(segmentId: string | null, count: number, name = 'user'): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => newId());
    await this.run(
      `INSERT INTO contacts (id, team_id, email, first_name, created_at, updated_at)
       SELECT id, $2, $3 || no - 1 || '@sink.test', 'Name' || no - 1, now(), now()
       FROM unnest($1::uuid[]) WITH ORDINALITY AS c (id, no)`,
      [ids, this.teamId, name],
    );
    if (segmentId !== null) await this.join(segmentId, ids);
    return ids;
  }

  async join(segmentId: string, contactIds: readonly string[]): Promise<void> {
    await this.run(
      `INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at)
       SELECT $1, id, $2, now() FROM unnest($3::uuid[]) AS c (id)`,
      [segmentId, this.teamId, contactIds],
    );
  }

  async setProperties(contactId: string, properties: object): Promise<void> {
    await this.run('UPDATE contacts SET properties = $2 WHERE id = $1', [contactId, JSON.stringify(properties)]);
  }

  async property(key: string): Promise<void> {
    await this.run(
      `INSERT INTO contact_properties (id, team_id, key, type, created_at, updated_at) VALUES ($1, $2, $3, 'string', now(), now())`,
      [newId(), this.teamId, key],
    );
  }

  async unsubscribe(contactIds: readonly string[]): Promise<void> {
    await this.run('UPDATE contacts SET unsubscribed = true, unsubscribed_at = now() WHERE id = ANY ($1)', [
      contactIds,
    ]);
  }

  async suppress(addresses: readonly string[]): Promise<void> {
    await this.run(
      `INSERT INTO suppressions (id, team_id, email, origin, created_at)
       SELECT gen_random_uuid(), $1, email, 'manual', now() FROM unnest($2::text[]) AS s (email)`,
      [this.teamId, addresses],
    );
  }

  /** Returns the id of a topic that contacts have by default, or not. */
  async topic(byDefault: 'opt_in' | 'opt_out'): Promise<string> {
    const id = newId();
    await this.run(
      `INSERT INTO topics (id, team_id, name, default_subscription, visibility, created_at, updated_at)
       VALUES ($1, $2, 'News', $3, 'public', now(), now())`,
      [id, this.teamId, byDefault],
    );
    return id;
  }

  async choose(contactId: string, topicId: string, subscription: 'opt_in' | 'opt_out'): Promise<void> {
    await this.run(
      `INSERT INTO contact_topics (contact_id, topic_id, team_id, subscription, updated_at) VALUES ($1, $2, $3, $4, now())`,
      [contactId, topicId, this.teamId, subscription],
    );
  }

  async start(broadcast: StartedBroadcast, status = 'queued'): Promise<string> {
    const id = newId();
    await this.run(
      `INSERT INTO broadcasts (id, team_id, segment_id, topic_id, "from", subject, html, status, options, scheduled_at, domain_id,
                               queued_at, created_at, updated_at, actor_kind)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, (SELECT id FROM domains WHERE team_id = $2 ORDER BY id LIMIT 1),
              now(), now(), now(), 'service'`,
      [
        id,
        this.teamId,
        broadcast.segmentId,
        broadcast.topicId ?? null,
        broadcast.from ?? 'Acme <hello@sandbox.postrider.test>',
        broadcast.subject ?? 'News for {{{FIRST_NAME|you}}}',
        broadcast.html ?? broadcastHtml,
        status,
        JSON.stringify(broadcast.options ?? {}),
        broadcast.scheduledAt ?? null,
      ],
    );
    return id;
  }

  async setStatus(id: string, status: string): Promise<void> {
    await this.run('UPDATE broadcasts SET status = $2, updated_at = now() WHERE id = $1', [id, status]);
  }

  async stateOf(id: string): Promise<{ readonly status: string; readonly because: string | null }> {
    const [row] = await this.database.query<{ status: string; because: string | null }>({
      text: 'SELECT status, paused_because AS because FROM broadcasts WHERE id = $1',
      values: [id],
    });
    if (row === undefined) throw new Error(`There is no broadcast ${id}`);
    return row;
  }

  async progressOf(id: string): Promise<Readonly<Record<string, number>>> {
    const [row] = await this.database.query<Record<string, unknown>>({
      text: 'SELECT * FROM broadcast_progress WHERE broadcast_id = $1',
      values: [id],
    });
    const { broadcast_id: _, team_id: __, updated_at: ___, ...counts } = row ?? {};
    return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)]));
  }

  /** The addresses that get an email of a broadcast, in their order. */
  async addressees(id: string): Promise<readonly string[]> {
    const rows = await this.database.query<{ address: string }>({
      text: `SELECT e."to"[1] AS address FROM broadcast_recipients r JOIN emails e ON e.id = r.email_id
             WHERE r.broadcast_id = $1 AND r.outcome = 'accepted' ORDER BY 1`,
      values: [id],
    });
    return rows.map(({ address }) => address);
  }

  /** Where the emails of a broadcast have gone, by subject. */
  async subjects(id: string): Promise<Readonly<Record<string, number>>> {
    const rows = await this.database.query<{ subject: string; count: number }>({
      text: `SELECT e.subject, count(*)::int AS count FROM broadcast_recipients r JOIN emails e ON e.id = r.email_id
             WHERE r.broadcast_id = $1 GROUP BY 1`,
      values: [id],
    });
    return Object.fromEntries(rows.map(({ subject, count }) => [subject, count]));
  }

  private async run(text: string, values: unknown[]): Promise<void> {
    await this.database.query({ text, values });
  }
}
