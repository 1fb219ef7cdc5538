import { ProcessNotifications, Database, Row } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { configuredLimits, TeamLimits, TeamLimitSettings } from '../../application/ports/team-limits.port.js';

const limitsChanged = 'team-limits';
/** Teams with limits of their own that a process keeps in memory. */
const maxTeams = 100_000;
const columns = `team_id AS "teamId", requests_per_second AS "requestsPerSecond", daily_quota::float8 AS "dailyQuota",
                 monthly_quota::float8 AS "monthlyQuota"`;

type LimitRow = Row<TeamLimitSettings & { readonly teamId: string }>;

/** Reads all limits at the start and after each change. */
@Injectable()
export class PostgresTeamLimits extends TeamLimits implements OnModuleInit {
  private known: ReadonlyMap<string, TeamLimitSettings> = new Map();
  private loading: Promise<void> = Promise.resolve();
  hasQuotas = false;

  constructor(
    private readonly database: Database,
    private readonly broadcast: ProcessNotifications,
    private readonly logger: Logger,
  ) {
    super();
    broadcast.on(limitsChanged, () => void this.load());
  }

  async onModuleInit(): Promise<void> {
    await this.load();
  }

  of(teamId: string): TeamLimitSettings {
    return this.known.get(teamId) ?? configuredLimits;
  }

  async read(teamId: string): Promise<TeamLimitSettings> {
    return (await this.readAll([teamId])).get(teamId) ?? configuredLimits;
  }

  async readAll(teamIds: readonly string[]): Promise<ReadonlyMap<string, TeamLimitSettings>> {
    return byTeam(
      await this.database.query<LimitRow>({
        text: `SELECT ${columns} FROM team_limits WHERE team_id = ANY ($1)`,
        values: [teamIds],
      }),
    );
  }

  async change(teamId: string, changes: Partial<TeamLimitSettings>): Promise<void> {
    await this.database.run(async (transaction) => {
      await transaction.execute({
        text: 'INSERT INTO team_limits (team_id) VALUES ($1) ON CONFLICT DO NOTHING',
        values: [teamId],
      });
      await transaction.execute({
        text: `UPDATE team_limits SET
                 requests_per_second = CASE WHEN $2 THEN $3 ELSE requests_per_second END,
                 daily_quota = CASE WHEN $4 THEN $5 ELSE daily_quota END,
                 monthly_quota = CASE WHEN $6 THEN $7 ELSE monthly_quota END
               WHERE team_id = $1`,
        values: [
          teamId,
          ...(['requestsPerSecond', 'dailyQuota', 'monthlyQuota'] as const).flatMap((field) => [
            changes[field] !== undefined,
            changes[field] ?? null,
          ]),
        ],
      });
      await this.broadcast.send(limitsChanged, teamId, transaction);
    });
    await this.load();
  }

  /** One after the other, so that an older reading never replaces a newer one. */
  private load(): Promise<void> {
    return (this.loading = this.loading.then(() => this.loadNow()));
  }

  private async loadNow(): Promise<void> {
    try {
      this.known = byTeam(
        await this.database.query<LimitRow>({ text: `SELECT ${columns} FROM team_limits LIMIT ${maxTeams}` }),
      );
      this.hasQuotas = [...this.known.values()].some(
        ({ dailyQuota, monthlyQuota }) => (dailyQuota ?? monthlyQuota) !== null,
      );
    } catch (error) {
      this.logger.warn({ error }, 'the limits of teams could not be read; the last ones stay in force');
    }
  }
}

function byTeam(rows: readonly LimitRow[]): ReadonlyMap<string, TeamLimitSettings> {
  return new Map(rows.map(({ teamId, ...limits }) => [teamId, limits]));
}
