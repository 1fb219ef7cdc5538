import { newSigningSecret } from '#webhooks';
import { SecretBox } from '#platform/secrets';
import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { CallSecretRepository, CallSecrets } from '../../application/ports/step-calls.port.js';

const columns = `team_id AS "teamId", sealed_secret AS "sealedSecret", sealed_previous_secret AS "sealedPrevious",
  previous_secret_until AS "previousUntil"`;
type SecretRow = Row<{
  readonly teamId: string;
  readonly sealedSecret: Buffer;
  readonly sealedPrevious: Buffer | null;
  readonly previousUntil: Date | null;
}>;

const contextOf = (teamId: string): string => `automation calls of ${teamId}`;

@Injectable()
export class PostgresCallSecrets extends CallSecretRepository {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {
    super();
  }

  async of(teamId: string, now: Date): Promise<CallSecrets> {
    const row = (await this.find(teamId)) ?? (await this.made(teamId));
    const { sealedSecret, sealedPrevious, previousUntil } = row;
    const overlaps = sealedPrevious !== null && previousUntil !== null && previousUntil > now;
    return {
      current: this.box.open(sealedSecret, contextOf(teamId)),
      previous: overlaps ? this.box.open(sealedPrevious, contextOf(teamId)) : undefined,
    };
  }

  async rotate(teamId: string, secret: string, previousUntil: Date): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO automation_secrets AS s (team_id, sealed_secret) VALUES ($1, $2)
             ON CONFLICT (team_id) DO UPDATE
             SET sealed_secret = excluded.sealed_secret, sealed_previous_secret = s.sealed_secret, previous_secret_until = $3`,
      values: [teamId, this.box.seal(secret, contextOf(teamId)), previousUntil],
    });
  }

  async reseal(): Promise<void> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.database.query<SecretRow>({
        text: `SELECT ${columns} FROM automation_secrets WHERE team_id > $1 ORDER BY team_id LIMIT 500`,
        values: [after],
      });
      for (const row of rows) await this.resealRow(row);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.teamId;
    }
  }

  /** A secret that was replaced meanwhile stays as it is. */
  private async resealRow({ teamId, sealedSecret, sealedPrevious }: SecretRow): Promise<void> {
    const isCurrent = (sealed: Buffer | null): boolean => sealed === null || this.box.isCurrent(sealed);
    if (isCurrent(sealedSecret) && isCurrent(sealedPrevious)) return;
    const resealed = (sealed: Buffer | null): Buffer | null =>
      sealed === null ? null : this.box.seal(this.box.open(sealed, contextOf(teamId)), contextOf(teamId));
    await this.database.execute({
      text: `UPDATE automation_secrets SET sealed_secret = $3, sealed_previous_secret = $4
             WHERE team_id = $1 AND sealed_secret = $2`,
      values: [teamId, sealedSecret, resealed(sealedSecret), resealed(sealedPrevious)],
    });
  }

  private async find(teamId: string): Promise<SecretRow | undefined> {
    const [row] = await this.database.query<SecretRow>({
      name: 'secret-of-automation-calls',
      text: `SELECT ${columns} FROM automation_secrets WHERE team_id = $1`,
      values: [teamId],
    });
    return row;
  }

  /** Two processes that need it at once agree on the first one. */
  private async made(teamId: string): Promise<SecretRow> {
    await this.database.execute({
      text: 'INSERT INTO automation_secrets (team_id, sealed_secret) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [teamId, this.box.seal(newSigningSecret(), contextOf(teamId))],
    });
    return (await this.find(teamId)) as SecretRow;
  }
}
