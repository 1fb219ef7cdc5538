import { Injectable } from '@nestjs/common';
import { Clock, found, newId, NotFoundError, Page, PageRequest, WorkSignal } from '#kernel';
import { EndpointRules, parseEndpoint } from '../domain/endpoint-url.js';
import { HealthReport } from '../domain/health-report.js';
import { maxWebhooks, parseEvents, TooManyWebhooksError, Webhook, WebhookChanges } from '../domain/webhook.js';
import { webhookWork } from './ports/message-queue.port.js';
import { WebhookRepository } from './ports/webhook-repository.port.js';
import { newSigningSecret } from './standard-webhooks.js';

/** After a rotation, calls are signed with the previous secret as well for this time. */
const secretOverlapMs = 24 * 3_600_000;

interface NewWebhook {
  readonly endpoint: string;
  readonly events: readonly string[];
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

  async create(teamId: string, { endpoint, events }: NewWebhook): Promise<{ id: string; secret: string }> {
    const createdAt = this.clock.now();
    const webhook: Webhook = {
      id: newId(createdAt.getTime()),
      teamId,
      endpoint: parseEndpoint(endpoint, this.rules),
      events: parseEvents(events),
      status: 'enabled',
      disabledReason: null,
      createdAt,
    };
    const secret = newSigningSecret();
    if (!(await this.webhooks.add(webhook, secret, maxWebhooks))) throw new TooManyWebhooksError();
    return { id: webhook.id, secret };
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
    { endpoint, events, status }: { endpoint?: string; events?: readonly string[]; status?: Webhook['status'] },
  ): Promise<void> {
    const changes: WebhookChanges = {
      endpoint: endpoint === undefined ? undefined : parseEndpoint(endpoint, this.rules),
      events: events === undefined ? undefined : parseEvents(events),
      status,
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
