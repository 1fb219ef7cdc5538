import { Page, PageRequest } from '#kernel';
import { HealthReport } from '../../domain/health-report.js';
import { Webhook, WebhookChanges } from '../../domain/webhook.js';

/** The secrets that sign the calls of an endpoint: `whsec_` and base64. */
export interface SigningSecrets {
  readonly current: string;
  /** The secret before the last rotation, as long as it still signs. */
  readonly previous: string | undefined;
}

/** Endpoints of teams. An endpoint of another team is not found. Secrets are encrypted before they are stored. */
export abstract class WebhookRepository {
  /** Adds nothing and resolves to false if the team already has `max` endpoints. */
  abstract add(webhook: Webhook, secret: string, max: number): Promise<boolean>;

  abstract find(teamId: string, id: string): Promise<Webhook | undefined>;

  abstract secretsOf(teamId: string, id: string, now: Date): Promise<SigningSecrets | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Webhook>>;

  /** How the calls of these endpoints end, by id. */
  abstract health(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, HealthReport>>;

  /** A new URL, or enabling the endpoint, resets its failures. Resolves to false if there is no such webhook. */
  abstract change(teamId: string, id: string, changes: WebhookChanges): Promise<boolean>;

  /**
   * The current secret becomes the previous one and signs until `previousUntil`. Resolves to false if there is no such
   * webhook.
   */
  abstract rotate(teamId: string, id: string, secret: string, previousUntil: Date): Promise<boolean>;

  /** Messages that are still queued are deleted later, in batches. */
  abstract remove(teamId: string, id: string): Promise<boolean>;

  /** Deletes previous secrets that no longer sign. */
  abstract forgetOldSecrets(now: Date): Promise<void>;

  /** Encrypts with the present SECRET_KEY every secret that was encrypted with an earlier one. */
  abstract reseal(): Promise<void>;
}
