import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { ShortCache } from '#platform/caching';
import {
  Database,
  DatabaseTransaction,
  keysetCondition,
  lockName,
  ProcessNotifications,
  statementsOf,
} from '#postgres/database';
import type { Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { InboxRepository, LabelChanges } from '../../application/ports/inbox-repository.port.js';
import { Inbox, InboxLabel, maxInboxes, maxLabels } from '../../domain/inbox.js';

export const inboxColumns = `id, team_id AS "teamId", domain_id AS "domainId", address, receiving_address AS "receivingAddress",
  name, from_name AS "fromName", unread, last_received_at AS "lastReceivedAt",
  json_build_object('instructions', agent_instructions, 'tone', agent_tone, 'actions', agent_actions) AS agent,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const labelColumns = 'id, name, color, created_at AS "createdAt"';
/** Name of the broadcast that says that addresses of a team's inboxes changed. Its payload is the team's id. */
const addressesChanged = 'inbox_addresses';
/** Threads that lose a label with one statement. */
const threadsAtOnce = 1_000;

@Injectable()
export class PostgresInboxRepository extends InboxRepository {
  private readonly addressesOfTeams = new ShortCache<ReadonlySet<string>>({ ttlMs: 10_000, maxEntries: 500 });

  constructor(
    private readonly database: Database,
    private readonly broadcast: ProcessNotifications,
  ) {
    super();
    broadcast.on(addressesChanged, () => this.addressesOfTeams.forget());
  }

  async find(teamId: string, idOrAddress: string): Promise<Inbox | undefined> {
    const column = idOrAddress.includes('@') ? 'address' : 'id';
    const [inbox] = await this.database.query<Row<Inbox>>({
      text: `SELECT ${inboxColumns} FROM inboxes WHERE team_id = $1 AND ${column} = $2`,
      values: [teamId, idOrAddress],
    });
    return inbox;
  }

  async openDrafts(inboxId: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM inbox_drafts WHERE inbox_id = $1 AND email_id IS NULL',
      values: [inboxId],
    });
    return row?.count ?? 0;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Inbox>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const read = await this.database.query<Row<Inbox>>({
      text: `SELECT ${inboxColumns} FROM inboxes WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, read);
  }

  async addresses(teamId: string): Promise<ReadonlySet<string>> {
    const load = async (): Promise<ReadonlySet<string>> => {
      const rows = await this.database.query<{ address: string }>({
        name: 'addresses-of-inboxes',
        text: `SELECT address FROM inboxes WHERE team_id = $1 LIMIT ${maxInboxes}`,
        values: [teamId],
      });
      return new Set(rows.map(({ address }) => address));
    };
    return (await this.addressesOfTeams.get(teamId, load)) ?? new Set();
  }

  async ofReceivingAddress(address: string): Promise<Pick<Inbox, 'teamId' | 'address'> | undefined> {
    const [inbox] = await this.database.query<Row<Pick<Inbox, 'teamId' | 'address'>>>({
      name: 'inbox-of-receiving-address',
      text: 'SELECT team_id AS "teamId", address FROM inboxes WHERE receiving_address = $1',
      values: [address],
    });
    return inbox;
  }

  /** One after the other in a team, so that the limit holds. */
  async add(inbox: Inbox, max: number, transaction: Transaction): Promise<'added' | 'full' | 'taken'> {
    const statements = statementsOf(transaction);
    await lockName(`inboxes ${inbox.teamId}`, statements);
    const [known] = await statements.query<{ count: number; taken: boolean }>({
      text: `SELECT count(*)::int AS count, coalesce(bool_or(address = $2), false) AS taken FROM inboxes WHERE team_id = $1`,
      values: [inbox.teamId, inbox.address],
    });
    if (known?.taken === true) return 'taken';
    if ((known?.count ?? 0) >= max) return 'full';
    await statements.execute({
      text: `INSERT INTO inboxes (id, team_id, domain_id, address, receiving_address, name, from_name, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [
        inbox.id,
        inbox.teamId,
        inbox.domainId,
        inbox.address,
        inbox.receivingAddress,
        inbox.name,
        inbox.fromName,
        inbox.createdAt,
        inbox.updatedAt,
      ],
    });
    await this.broadcast.send(addressesChanged, inbox.teamId, statements);
    return 'added';
  }

  async lock(teamId: string, id: string, transaction: Transaction): Promise<Inbox | undefined> {
    const [inbox] = await statementsOf(transaction).query<Row<Inbox>>({
      text: `SELECT ${inboxColumns} FROM inboxes WHERE team_id = $1 AND id = $2 FOR NO KEY UPDATE`,
      values: [teamId, id],
    });
    return inbox;
  }

  async update({ id, name, fromName, agent, updatedAt }: Inbox, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: `UPDATE inboxes SET name = $2, from_name = $3, agent_instructions = $4, agent_tone = $5, agent_actions = $6,
               updated_at = $7 WHERE id = $1`,
      values: [id, name, fromName, agent.instructions, agent.tone, agent.actions, updatedAt],
    });
  }

  async remove(teamId: string, id: string, transaction: Transaction): Promise<boolean> {
    const statements = statementsOf(transaction);
    const removed = await statements.execute({
      text: 'DELETE FROM inboxes WHERE team_id = $1 AND id = $2',
      values: [teamId, id],
    });
    if (removed > 0) await this.broadcast.send(addressesChanged, teamId, statements);
    return removed > 0;
  }

  labels(inboxId: string): Promise<readonly InboxLabel[]> {
    return this.database.query<Row<InboxLabel>>({
      text: `SELECT ${labelColumns} FROM inbox_labels WHERE inbox_id = $1 ORDER BY folded_case(name), id LIMIT ${maxLabels}`,
      values: [inboxId],
    });
  }

  addLabel(inboxId: string, label: InboxLabel, max: number): Promise<'added' | 'full' | 'taken' | undefined> {
    return this.database.run(async (transaction) => {
      if (!(await isLocked(inboxId, transaction))) return undefined;
      const [known] = await transaction.query<{ count: number; taken: boolean }>({
        text: `SELECT count(*)::int AS count, coalesce(bool_or(folded_case(name) = folded_case($2)), false) AS taken
               FROM inbox_labels WHERE inbox_id = $1`,
        values: [inboxId, label.name],
      });
      if (known?.taken === true) return 'taken';
      if ((known?.count ?? 0) >= max) return 'full';
      await transaction.execute({
        text: 'INSERT INTO inbox_labels (id, inbox_id, name, color, created_at) VALUES ($1, $2, $3, $4, $5)',
        values: [label.id, inboxId, label.name, label.color, label.createdAt],
      });
      return 'added';
    });
  }

  changeLabel(inboxId: string, id: string, changes: LabelChanges): Promise<InboxLabel | 'taken' | undefined> {
    return this.database.run(async (transaction) => {
      if (!(await isLocked(inboxId, transaction))) return undefined;
      const taken = await transaction.query({
        text: 'SELECT FROM inbox_labels WHERE inbox_id = $1 AND folded_case(name) = folded_case($2) AND id <> $3',
        values: [inboxId, changes.name ?? null, id],
      });
      if (taken.length > 0) return 'taken';
      const [label] = await transaction.query<Row<InboxLabel>>({
        text: `UPDATE inbox_labels SET name = coalesce($3, name), color = coalesce($4, color)
               WHERE inbox_id = $1 AND id = $2 RETURNING ${labelColumns}`,
        values: [inboxId, id, changes.name ?? null, changes.color ?? null],
      });
      return label;
    });
  }

  /**
   * Threads show only labels of their inbox, so none shows the label once it is gone. Their lists of ids are cleaned
   * afterwards, portion by portion: any number of threads may have it.
   */
  async removeLabel(inboxId: string, id: string): Promise<boolean> {
    const removed = await this.database.execute({
      text: 'DELETE FROM inbox_labels WHERE inbox_id = $1 AND id = $2',
      values: [inboxId, id],
    });
    if (removed === 0) return false;
    while ((await this.takeFromThreads(inboxId, id)) === threadsAtOnce);
    return true;
  }

  private takeFromThreads(inboxId: string, labelId: string): Promise<number> {
    return this.database.execute({
      text: `UPDATE inbox_threads SET labels = array_remove(labels, $2::uuid) WHERE id IN (
               SELECT id FROM inbox_threads WHERE labels @> ARRAY[$2::uuid] AND labels <> '{}' AND inbox_id = $1
               LIMIT ${threadsAtOnce})`,
      values: [inboxId, labelId],
    });
  }
}

/** One change of an inbox's labels after the other, so that the limit holds. False if the inbox is gone. */
async function isLocked(inboxId: string, transaction: DatabaseTransaction): Promise<boolean> {
  const rows = await transaction.query({
    text: 'SELECT FROM inboxes WHERE id = $1 FOR NO KEY UPDATE',
    values: [inboxId],
  });
  return rows.length > 0;
}
