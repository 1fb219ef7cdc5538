import { actorColumns, actorOf } from '#identity';
import type { ActorColumns } from '#identity';
import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import {
  Database,
  DatabaseTransaction,
  keysetCondition,
  lockName,
  ProcessNotifications,
  Row,
  statementsOf,
  storableJson,
} from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  AutomationRepository,
  SizeOfGraphs,
  TriggerCounts,
} from '../../application/ports/automation-repository.port.js';
import { Automation, AutomationStatus, AutomationWithGraph } from '../../domain/automation.js';
import { Graph, StoredGraph } from '../../domain/graph.js';
import { parseSettings, storedSettings } from '../../domain/settings.js';
import { cancelStopped } from './run-statements.js';
import { charactersOfVersion } from './version-graphs.js';
import { removeTriggers, removeUses, writeGraph } from './write-graph.js';

const columns = `a.id, a.team_id AS "teamId", a.name, a.status, a.version, a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  a.api_key_id, a.actor_kind, a.actor_id, a.authority`;

/** Minimum size of a version, so that a team has few enough to add up quickly. */
const minCharacters = 1_024;

/** Name of the notification that triggers of a team changed, also for libs that read the published views. */
const triggersChanged = 'automation_triggers';

/** Whether the team has it, by kind. */
const published = {
  template: 'SELECT FROM published_templates WHERE id = $1 AND team_id = $2',
  broadcast: 'SELECT FROM published_broadcasts WHERE id = $1 AND team_id = $2',
  route: 'SELECT FROM published_inbound_routes WHERE id = $1 AND team_id = $2',
} as const;

type AutomationRow = Row<Omit<Automation, 'actor'> & ActorColumns>;
type FoundRow = AutomationRow & { readonly graph: StoredGraph; readonly settings: unknown };

@Injectable()
export class PostgresAutomationRepository extends AutomationRepository {
  constructor(
    private readonly database: Database,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
  }

  lockTeam(teamId: string, transaction: Transaction): Promise<void> {
    return lockName(`automations ${teamId}`, statementsOf(transaction));
  }

  async insert(automation: AutomationWithGraph, max: number, transaction: Transaction): Promise<boolean> {
    const { id, teamId, name, status, version, createdAt } = automation;
    const { api_key_id = null, actor_kind = null, actor_id = null } = actorColumns(automation.actor);
    const statements = statementsOf(transaction);
    const [row] = await statements.query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM automations WHERE team_id = $1 AND NOT is_deleted',
      values: [teamId],
    });
    if ((row?.count ?? 0) >= max) return false;
    await statements.execute({
      text: `INSERT INTO automations (id, team_id, name, status, version, api_key_id, actor_kind, actor_id, created_at, settings,
                                      authority)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      values: [
        id,
        teamId,
        name,
        status,
        version,
        api_key_id,
        actor_kind,
        actor_id,
        createdAt,
        storableJson(storedSettings(automation.settings)),
        storedAuthority(automation),
      ],
    });
    await this.write(automation, createdAt, statements);
    return true;
  }

  async find(teamId: string, id: string): Promise<AutomationWithGraph | undefined> {
    const [row] = await this.database.query<FoundRow>(withGraph(teamId, id));
    return row === undefined ? undefined : withParsedGraph(row);
  }

  async list(teamId: string, page: PageRequest, status?: AutomationStatus): Promise<Page<Automation>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const rows = await this.database.query<AutomationRow>({
      text: `SELECT ${columns} FROM automations a
             WHERE team_id = $1 AND NOT is_deleted AND ($2::text IS NULL OR status = $2) ${condition} ${order}`,
      values: [teamId, status ?? null, ...values],
    });
    return pageOf(page, rows.map(automationOf));
  }

  async countTriggers(teamId: string, exceptId: string | undefined, transaction: Transaction): Promise<TriggerCounts> {
    const [counts] = await statementsOf(transaction).query<Row<TriggerCounts>>({
      text: `SELECT (count(*) FILTER (WHERE event_name = 'resend:contact.date'))::int AS dates,
                    (count(DISTINCT subject_id) FILTER (WHERE event_name = 'resend:segment.entered'))::int AS segments
             FROM automation_triggers WHERE team_id = $1 AND automation_id IS DISTINCT FROM $2`,
      values: [teamId, exceptId ?? null],
    });
    return counts ?? { dates: 0, segments: 0 };
  }

  async has(teamId: string, kind: keyof typeof published, id: string): Promise<boolean> {
    const rows = await this.database.query({ text: published[kind], values: [id, teamId] });
    return rows.length > 0;
  }

  async charactersOfGraphs(
    teamId: string,
    exceptId: string | undefined,
    transaction: Transaction,
  ): Promise<SizeOfGraphs> {
    const [size] = await statementsOf(transaction).query<Row<SizeOfGraphs>>({
      text: `SELECT coalesce(sum(${charactersOfVersion}) FILTER (WHERE v.version = a.version AND a.id IS DISTINCT FROM $2), 0)::float8
                      AS others,
                    coalesce(sum(greatest(${charactersOfVersion}, ${minCharacters})), 0)::float8 AS "withVersions"
             FROM automations a JOIN automation_versions v ON v.automation_id = a.id
             WHERE a.team_id = $1 AND NOT a.is_deleted`,
      values: [teamId, exceptId ?? null],
    });
    return size ?? { others: 0, withVersions: 0 };
  }

  async lock(teamId: string, id: string, transaction: Transaction): Promise<AutomationWithGraph | undefined> {
    const statements = statementsOf(transaction);
    // Locked first, and read afterwards: what another transaction wrote while this one waited is seen.
    await statements.query({
      text: 'SELECT FROM automations WHERE team_id = $1 AND id = $2 FOR UPDATE',
      values: [teamId, id],
    });
    const [row] = await statements.query<FoundRow>(withGraph(teamId, id));
    return row === undefined ? undefined : withParsedGraph(row);
  }

  async update(automation: AutomationWithGraph, transaction: Transaction): Promise<void> {
    const { id, name, status, version, createdAt, updatedAt } = automation;
    const { api_key_id = null, actor_kind = null, actor_id = null } = actorColumns(automation.actor);
    await statementsOf(transaction).execute({
      text: `UPDATE automations SET name = $2, status = $3, version = $4, updated_at = $5, api_key_id = $6, actor_kind = $7,
               actor_id = $8, settings = $9, authority = $10 WHERE id = $1`,
      values: [
        id,
        name,
        status,
        version,
        updatedAt,
        api_key_id,
        actor_kind,
        actor_id,
        storableJson(storedSettings(automation.settings)),
        storedAuthority(automation),
      ],
    });
    await this.write(automation, updatedAt ?? createdAt, statementsOf(transaction));
  }

  async stop({ id }: Automation, now: Date, isDeleted: boolean, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    await removeTriggers(id, now, statements);
    if (isDeleted) await removeUses(id, statements);
    await statements.execute({
      text: `UPDATE automations SET status = 'disabled', stopped_at = $2, is_deleted = $3, updated_at = $2 WHERE id = $1`,
      values: [id, now, isDeleted],
    });
    await statements.query(cancelStopped(id, now));
  }

  private async write(automation: AutomationWithGraph, now: Date, transaction: DatabaseTransaction): Promise<void> {
    await writeGraph(automation, now, transaction);
    await this.notifications.send(triggersChanged, automation.teamId, transaction);
  }
}

function withGraph(teamId: string, id: string): { readonly text: string; readonly values: unknown[] } {
  return {
    text: `SELECT ${columns}, v.graph, a.settings
           FROM automations a JOIN automation_versions v ON v.automation_id = a.id AND v.version = a.version
           WHERE a.team_id = $1 AND a.id = $2 AND NOT a.is_deleted`,
    values: [teamId, id],
  };
}

function automationOf({ api_key_id, actor_kind, actor_id, ...row }: AutomationRow): Automation {
  return { ...row, actor: actorOf({ api_key_id, actor_kind, actor_id }) };
}

function withParsedGraph({ graph, settings, ...row }: FoundRow): AutomationWithGraph {
  return { ...automationOf(row), graph: Graph.of(graph), settings: parseSettings(settings) };
}

function storedAuthority({ authority }: Automation): string | null {
  return authority === null ? null : storableJson(authority);
}
