import { Page, PageRequest } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  SigningSecrets,
  WebhookRepository,
} from '../../../libs/webhooks/src/application/ports/webhook-repository.port.js';
import { HealthReport, reportOf } from '../../../libs/webhooks/src/domain/health-report.js';
import { Webhook, WebhookChanges } from '../../../libs/webhooks/src/domain/webhook.js';

interface Row {
  readonly id: string;
  readonly webhook: Webhook;
  readonly secret: string;
  readonly previous: { readonly secret: string; readonly until: Date } | undefined;
}

/** The endpoints of one process, for tests: nothing survives the process, and secrets are kept as they are. */
export class InMemoryWebhookRepository extends WebhookRepository {
  private readonly rows = new InMemoryRows<Row>();

  async add(webhook: Webhook, secret: string, maxCount: number): Promise<boolean> {
    if (this.rows.where((row) => row.webhook.teamId === webhook.teamId).length >= maxCount) return false;
    this.rows.set({ id: webhook.id, webhook, secret, previous: undefined });
    return true;
  }

  async find(teamId: string, id: string): Promise<Webhook | undefined> {
    return this.rowOf(teamId, id)?.webhook;
  }

  async secretsOf(teamId: string, id: string, now: Date): Promise<SigningSecrets | undefined> {
    const row = this.rowOf(teamId, id);
    if (row === undefined) return undefined;
    const { secret, previous } = row;
    return { current: secret, previous: previous !== undefined && previous.until > now ? previous.secret : undefined };
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Webhook>> {
    const { items, hasMore } = this.rows.page(page, ({ webhook }) => webhook.teamId === teamId);
    return { items: items.map(({ webhook }) => webhook), hasMore };
  }

  /** Nothing is called here. */
  async health(ids: readonly string[]): Promise<ReadonlyMap<string, HealthReport>> {
    const [failingSince, lastError, lastStatus, lastCalledAt, nextAttemptAt] = [null, null, null, null, null];
    const uncalled = { failures: 0, isDown: false, failingSince, lastError, lastStatus, lastCalledAt, nextAttemptAt };
    return new Map(ids.map((id) => [id, reportOf({ ...uncalled, calls: 0, succeeded: 0 })]));
  }

  async change(teamId: string, id: string, { endpoint, events, status, settings }: WebhookChanges): Promise<boolean> {
    return this.update(teamId, id, (row) => ({
      ...row,
      webhook: {
        ...row.webhook,
        endpoint: endpoint ?? row.webhook.endpoint,
        events: events ?? row.webhook.events,
        status: status ?? row.webhook.status,
        settings: settings ?? row.webhook.settings,
        disabledReason: status === undefined ? row.webhook.disabledReason : null,
      },
    }));
  }

  async rotate(teamId: string, id: string, secret: string, previousUntil: Date): Promise<boolean> {
    return this.update(teamId, id, (row) => ({
      ...row,
      secret,
      previous: { secret: row.secret, until: previousUntil },
    }));
  }

  async remove(teamId: string, id: string): Promise<boolean> {
    return this.rowOf(teamId, id) !== undefined && this.rows.delete(id);
  }

  async forgetOldSecrets(now: Date): Promise<void> {
    const isOver = ({ previous }: Row): boolean => previous !== undefined && previous.until <= now;
    for (const row of this.rows.where(isOver)) this.rows.set({ ...row, previous: undefined });
  }

  /** Nothing is sealed here. */
  async reseal(): Promise<void> {}

  private rowOf(teamId: string, id: string): Row | undefined {
    const row = this.rows.get(id);
    return row?.webhook.teamId === teamId ? row : undefined;
  }

  private update(teamId: string, id: string, changed: (row: Row) => Row): boolean {
    const row = this.rowOf(teamId, id);
    if (row !== undefined) this.rows.set(changed(row));
    return row !== undefined;
  }
}
