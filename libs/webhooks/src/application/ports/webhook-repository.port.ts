import { Page, PageRequest } from '#kernel';
import { Webhook, WebhookChanges } from '../../domain/webhook.js';

/** The secrets that sign what goes to an endpoint: `whsec_` and base64. */
export interface SigningSecrets {
  readonly current: string;
  /** The one before, while it still counts. */
  readonly previous: string | undefined;
}

/** Endpoints of teams. Another team's is not there. Secrets are sealed before they are stored. */
export abstract class WebhookRepository {
  /** False, and nothing is added, where the team has `most` already. */
  abstract add(webhook: Webhook, secret: string, most: number): Promise<boolean>;

  abstract find(teamId: string, id: string): Promise<Webhook | undefined>;

  abstract secretsOf(teamId: string, id: string, now: Date): Promise<SigningSecrets | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Webhook>>;

  /** A change of the endpoint, or enabling it, forgets its failures. False where there is no such webhook. */
  abstract change(teamId: string, id: string, changes: WebhookChanges): Promise<boolean>;

  /** The current secret becomes the previous one, and counts until then. False where there is no such webhook. */
  abstract rotate(teamId: string, id: string, secret: string, previousUntil: Date): Promise<boolean>;

  /** What is left in the queue goes later, in batches. */
  abstract remove(teamId: string, id: string): Promise<boolean>;

  /** Forgets previous secrets whose time is over. */
  abstract forgetOldSecrets(now: Date): Promise<void>;

  /** Seals every secret anew that an earlier SECRET_KEY has sealed. */
  abstract reseal(): Promise<void>;
}
