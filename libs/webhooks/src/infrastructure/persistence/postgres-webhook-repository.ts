import { Injectable } from '@nestjs/common';
import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, lockName, Row } from '#postgres/database';
import { SecretBox } from '#platform/secrets';
import { SigningSecrets, WebhookRepository } from '../../application/ports/webhook-repository.port.js';
import { HealthReport, reportOf, StoredHealthReport } from '../../domain/health-report.js';
import { Webhook, WebhookChanges } from '../../domain/webhook.js';

const columns = `id, team_id AS "teamId", endpoint, events, status, disabled_reason AS "disabledReason",
                 created_at AS "createdAt", format, domain_id AS "domainId", sealed_settings AS "sealedSettings"`;
const sealedColumns = `sealed_secret AS "sealedSecret", sealed_previous_secret AS "sealedPreviousSecret",
                       previous_secret_until AS "previousSecretUntil", sealed_settings AS "sealedSettings"`;

type WebhookRow = Row<Omit<Webhook, 'settings'> & Pick<SealedSecrets, 'sealedSettings'>>;

@Injectable()
export class PostgresWebhookRepository extends WebhookRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  add(webhook: Webhook, secret: string, max: number): Promise<boolean> {
    return this.database.run(async (transaction) => {
      // A concurrent transaction that adds a webhook waits here, and then counts this one too.
      await lockName(`webhooks ${webhook.teamId}`, transaction);
      const added = await transaction.execute({
        text: `INSERT INTO webhooks (id, team_id, created_at, endpoint, events, status, sealed_secret, format, domain_id,
                                     sealed_settings)
               SELECT $1, $2, $3, $4, $5, $6, $7, $9, $10::uuid, $11::bytea
               WHERE (SELECT count(*) FROM (SELECT FROM webhooks WHERE team_id = $2 LIMIT $8) AS w) < $8`,
        values: [
          webhook.id,
          webhook.teamId,
          webhook.createdAt,
          webhook.endpoint,
          webhook.events,
          webhook.status,
          this.secrets.seal(secret, secretContext(webhook.id)),
          max,
          webhook.format,
          webhook.domainId,
          this.sealed(webhook.id, webhook.settings),
        ],
      });
      return added > 0;
    });
  }

  async find(teamId: string, id: string): Promise<Webhook | undefined> {
    const [row] = await this.database.query<WebhookRow>({
      text: `SELECT ${columns} FROM webhooks WHERE team_id = $1 AND id = $2`,
      values: [teamId, id],
    });
    return row === undefined ? undefined : this.opened(row);
  }

  async secretsOf(teamId: string, id: string, now: Date): Promise<SigningSecrets | undefined> {
    const [row] = await this.database.query<Row<SealedSecrets>>({
      text: `SELECT ${sealedColumns} FROM webhooks WHERE team_id = $1 AND id = $2`,
      values: [teamId, id],
    });
    return row === undefined ? undefined : openSecrets(this.secrets, id, row, now);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Webhook>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<WebhookRow>({
      text: `SELECT ${columns} FROM webhooks WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(
      page,
      rows.map((row) => this.opened(row)),
    );
  }

  async health(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, HealthReport>> {
    const rows = await this.database.query<Row<StoredHealthReport & { id: string }>>({
      text: `SELECT w.id, w.failures, w.probe_at IS NOT NULL AS "isDown", w.failing_since AS "failingSince",
                    w.last_error AS "lastError", w.last_status AS "lastStatus", w.last_called_at AS "lastCalledAt",
                    CASE WHEN w.status = 'enabled' AND next.due_at IS NOT NULL THEN greatest(next.due_at, w.probe_at) END
                      AS "nextAttemptAt", day.calls, day.succeeded
             FROM webhooks w
             LEFT JOIN LATERAL (
               SELECT due_at FROM webhook_queue WHERE webhook_id = w.id ORDER BY due_at LIMIT 1
             ) next ON true
             CROSS JOIN LATERAL (
               SELECT coalesce(sum(calls), 0)::int AS calls, coalesce(sum(succeeded), 0)::int AS succeeded
               FROM webhook_hours WHERE webhook_id = w.id AND hour > $2::timestamptz - interval '24 hours'
             ) day
             WHERE w.id = ANY ($1::uuid[])`,
      values: [ids, now],
    });
    return new Map(rows.map(({ id, ...row }) => [id, reportOf(row)]));
  }

  async change(teamId: string, id: string, { endpoint, events, status, settings }: WebhookChanges): Promise<boolean> {
    const changed = await this.database.execute({
      // A new URL, or enabling the endpoint, means that it is to be called at once: its failures are reset.
      text: `UPDATE webhooks SET endpoint = coalesce($3, endpoint), events = coalesce($4, events),
               status = coalesce($5, status), sealed_settings = coalesce($7, sealed_settings),
               disabled_reason = CASE WHEN $5::text IS NULL THEN disabled_reason END,
               last_called_at = CASE WHEN $3::text IS NULL THEN last_called_at END,
               last_status = CASE WHEN $3::text IS NULL THEN last_status END,
               last_error = CASE WHEN $3::text IS NULL THEN last_error END,
               failures = CASE WHEN $6 THEN 0 ELSE failures END,
               failing_since = CASE WHEN $6 THEN NULL ELSE failing_since END,
               last_failure_at = CASE WHEN $6 THEN NULL ELSE last_failure_at END,
               probe_at = CASE WHEN $6 THEN NULL ELSE probe_at END
             WHERE team_id = $1 AND id = $2`,
      values: [
        teamId,
        id,
        endpoint,
        events,
        status,
        endpoint !== undefined || status === 'enabled',
        this.sealed(id, settings ?? null),
      ],
    });
    return changed > 0;
  }

  async rotate(teamId: string, id: string, secret: string, previousUntil: Date): Promise<boolean> {
    const rotated = await this.database.execute({
      text: `UPDATE webhooks SET sealed_previous_secret = sealed_secret, previous_secret_until = $4, sealed_secret = $3
             WHERE team_id = $1 AND id = $2`,
      values: [teamId, id, this.secrets.seal(secret, secretContext(id)), previousUntil],
    });
    return rotated > 0;
  }

  async remove(teamId: string, id: string): Promise<boolean> {
    const removed = await this.database.execute({
      text: 'DELETE FROM webhooks WHERE team_id = $1 AND id = $2',
      values: [teamId, id],
    });
    return removed > 0;
  }

  async forgetOldSecrets(now: Date): Promise<void> {
    await this.database.execute({
      text: `UPDATE webhooks SET sealed_previous_secret = NULL, previous_secret_until = NULL
             WHERE previous_secret_until <= $1`,
      values: [now],
    });
  }

  async reseal(): Promise<void> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.database.query<Row<SealedSecrets & { id: string }>>({
        text: `SELECT id, ${sealedColumns} FROM webhooks WHERE id > $1 ORDER BY id LIMIT 500`,
        values: [after],
      });
      for (const row of rows) await this.resealRow(row);
      const last = rows[rows.length - 1];
      if (last === undefined) return;
      after = last.id;
    }
  }

  /** Changes the row only if nothing has changed its secrets since it was read. */
  private async resealRow({
    id,
    sealedSecret,
    sealedPreviousSecret,
    sealedSettings,
  }: SealedSecrets & { id: string }): Promise<void> {
    const isCurrent = (sealed: Buffer | null): boolean => sealed === null || this.secrets.isCurrent(sealed);
    if ([sealedSecret, sealedPreviousSecret, sealedSettings].every(isCurrent)) return;
    const resealed = (sealed: Buffer | null): Buffer | null =>
      sealed === null ? null : this.secrets.seal(this.secrets.open(sealed, secretContext(id)), secretContext(id));
    await this.database.execute({
      text: `UPDATE webhooks SET sealed_secret = $3, sealed_previous_secret = $4, sealed_settings = $6
             WHERE id = $1 AND sealed_secret = $2 AND sealed_settings IS NOT DISTINCT FROM $5`,
      values: [
        id,
        sealedSecret,
        resealed(sealedSecret),
        resealed(sealedPreviousSecret),
        sealedSettings,
        resealed(sealedSettings),
      ],
    });
  }

  private sealed(id: string, settings: string | null): Buffer | null {
    return settings === null ? null : this.secrets.seal(settings, secretContext(id));
  }

  private opened({ sealedSettings, ...row }: WebhookRow): Webhook {
    return { ...row, settings: openSettings(this.secrets, row.id, { sealedSettings }) };
  }
}

export interface SealedSecrets {
  readonly sealedSecret: Buffer;
  readonly sealedPreviousSecret: Buffer | null;
  readonly previousSecretUntil: Date | null;
  readonly sealedSettings: Buffer | null;
}

/** Binds an encrypted secret to its webhook: it cannot be decrypted in the row of another. */
function secretContext(webhookId: string): string {
  return `webhook:${webhookId}`;
}

export function openSettings(
  box: SecretBox,
  webhookId: string,
  { sealedSettings }: Pick<SealedSecrets, 'sealedSettings'>,
): string | null {
  return sealedSettings === null ? null : box.open(sealedSettings, secretContext(webhookId));
}

export function openSecrets(box: SecretBox, webhookId: string, sealed: SealedSecrets, now: Date): SigningSecrets {
  const { sealedSecret, sealedPreviousSecret, previousSecretUntil } = sealed;
  const overlaps = sealedPreviousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now;
  return {
    current: box.open(sealedSecret, secretContext(webhookId)),
    previous: overlaps ? box.open(sealedPreviousSecret, secretContext(webhookId)) : undefined,
  };
}
