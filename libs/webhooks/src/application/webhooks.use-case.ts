import { Injectable } from '@nestjs/common';
import { Clock, found, newId, NotFoundError, Page, PageRequest, WorkSignal } from '#kernel';
import { EndpointRules, parseEndpoint } from '../domain/endpoint-url.js';
import { HealthReport } from '../domain/health-report.js';
import {
  maxWebhooks,
  ownFormat,
  parseEvents,
  TooManyWebhooksError,
  Webhook,
  WebhookChanges,
} from '../domain/webhook.js';
import { webhookWork } from './ports/message-queue.port.js';
import { WebhookRepository } from './ports/webhook-repository.port.js';
import { newSigningSecret } from './standard-webhooks.js';

/** After a rotation, calls are signed with the previous secret as well for this time. */
const secretOverlapMs = 24 * 3_600_000;

interface NewWebhook {
  readonly endpoint: string;
  readonly events: readonly string[];
  /** Of an endpoint that is called in the format of another provider. */
  readonly format?: string;
  readonly domainId?: string;
  readonly settings?: string;
  /** Default: a new one. */
  readonly secret?: string;
}

/** Creates, lists, changes and removes the webhook endpoints of a team. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly rules: EndpointRules,
    private readonly signal: WorkSignal,
    private readonly clock: Clock,
  ) {}

  /** `field` is what a client calls the URL. */
  async create(teamId: string, given: NewWebhook, field = 'endpoint'): Promise<{ id: string; secret: string }> {
    const createdAt = this.clock.now();
    const webhook: Webhook = {
      id: newId(createdAt.getTime()),
      teamId,
      endpoint: parseEndpoint(given.endpoint, this.rules, field),
      events: parseEvents(given.events),
      status: 'enabled',
      disabledReason: null,
      createdAt,
      format: given.format ?? ownFormat,
      domainId: given.domainId ?? null,
      settings: given.settings ?? null,
    };
    const secret = given.secret ?? newSigningSecret();
    if (!(await this.webhooks.add(webhook, secret, maxWebhooks))) throw new TooManyWebhooksError();
    return { id: webhook.id, secret };
  }

  /** Those of one format. A team has no more than fit on a page. */
  async inFormat(teamId: string, format: string): Promise<readonly Webhook[]> {
    const { items } = await this.webhooks.list(teamId, { limit: maxWebhooks });
    return items.filter((webhook) => webhook.format === format);
  }

  list(teamId: string, page: PageRequest): Promise<Page<Webhook>> {
    return this.webhooks.list(teamId, page);
  }

  async find(teamId: string, id: string): Promise<Webhook> {
    return found('Webhook', await this.webhooks.find(teamId, id));
  }

  async findWithSecret(teamId: string, id: string): Promise<{ webhook: Webhook; secret: string }> {
    const [webhook, secrets] = await Promise.all([
      this.webhooks.find(teamId, id),
      this.webhooks.secretsOf(teamId, id, this.clock.now()),
    ]);
    return { webhook: found('Webhook', webhook), secret: found('Webhook', secrets).current };
  }

  /** How the calls of these endpoints end. An endpoint that was just removed is absent. */
  health(ids: readonly string[]): Promise<ReadonlyMap<string, HealthReport>> {
    return this.webhooks.health(ids, this.clock.now());
  }

  async change(
    teamId: string,
    id: string,
    { endpoint, events, ...others }: Omit<WebhookChanges, 'events'> & { readonly events?: readonly string[] },
    field = 'endpoint',
  ): Promise<void> {
    const changes: WebhookChanges = {
      endpoint: endpoint === undefined ? undefined : parseEndpoint(endpoint, this.rules, field),
      events: events === undefined ? undefined : parseEvents(events),
      ...others,
    };
    if (!(await this.webhooks.change(teamId, id, changes))) throw new NotFoundError('Webhook');
    await this.signal.tell(webhookWork, id);
  }

  async rotateSecret(teamId: string, id: string): Promise<string> {
    const secret = newSigningSecret();
    const previousUntil = new Date(this.clock.now().getTime() + secretOverlapMs);
    if (!(await this.webhooks.rotate(teamId, id, secret, previousUntil))) throw new NotFoundError('Webhook');
    return secret;
  }

  async remove(teamId: string, id: string): Promise<void> {
    if (!(await this.webhooks.remove(teamId, id))) throw new NotFoundError('Webhook');
    // The worker that has the lane then sees that the endpoint is gone.
    await this.signal.tell(webhookWork, id);
  }
}
