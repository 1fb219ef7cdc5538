import { eventTypes, webhookEventTypes } from '#events';
import { CurrentPrincipal, PassesOn, PermissionsOf, TeamId } from '#identity';
import type { Permission, Principal } from '#identity';
import { found, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import type { DescribedRefusal } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { parseEndpoint } from '../../domain/endpoint-url.js';
import { Webhooks } from '../../application/webhooks.use-case.js';
import { HealthReport } from '../../domain/health-report.js';
import { maxWebhooks, parseEvents, TooManyWebhooksError, Webhook } from '../../domain/webhook.js';
import { emailEvents } from './email-events.js';
import {
  CreatedWebhookResponse,
  RemovedWebhookResponse,
  WebhookHealthResponse,
  webhookId,
  WebhookIdResponse,
  WebhookResponse,
  WebhookSummaryResponse,
} from './webhook.response.js';
import { CreateWebhookRequest, decodeChanges, decodeNewWebhook, UpdateWebhookRequest } from './webhook.request.js';

/**
 * A tool that creates or changes a webhook must have all of these, whatever the webhook subscribes to: its events may be
 * changed later, and it goes on sending their data.
 */
const permissionsOfEvents: readonly Permission[] = [
  ...new Set(webhookEventTypes.flatMap((type) => eventTypes[type].readWith ?? [])),
].sort();

const invalidFields = (): readonly DescribedRefusal[] => [
  ...['hooks', 'http://acme.example/hooks', 'https://ann:secret@acme.example/', 'https://127.0.0.1/'].map(
    (endpoint) => () => parseEndpoint(endpoint, { allowPrivate: false, allowsAddress: () => false }),
  ),
  () => parseEvents([]),
  () => parseEvents(['email.eaten']),
];

/** Endpoints (docs/wire-contract.md section 21). */
@Controller('webhooks')
@Describes(
  'Webhooks',
  'Your endpoints, which receive events in signed HTTP requests (Standard Webhooks), and the log of ' +
    `these requests. A team has at most ${maxWebhooks}.`,
  emailEvents,
)
@PathId('webhookId', 'Id of the webhook.', webhookId, 'Webhook')
@PermissionsOf('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Post()
  @Operation(
    'Create a webhook',
    'Adds an endpoint that receives these events from now on. Each request is signed with the secret in ' +
      'the response, is tried up to eight times over about 28 hours, and succeeds with any 2xx.',
  )
  @Takes(CreateWebhookRequest, 'Where to send which events.')
  @Responses(CreatedWebhookResponse, 'The webhook and its secret.', { status: 201 })
  @Refuses(() => [...invalidFields(), new TooManyWebhooksError()])
  @PassesOn(permissionsOfEvents)
  async createWebhook(@TeamId() teamId: string, @Body() body: unknown): Promise<CreatedWebhookResponse> {
    const { id, secret } = await this.webhooks.create(teamId, decodeNewWebhook(body));
    return { object: 'webhook', id, signing_secret: secret };
  }

  @Get()
  @Operation('List webhooks', 'The webhooks of your team, newest first, in pages.')
  @ResponsesList(WebhookSummaryResponse, 'A page of webhooks.')
  async listWebhooks(@TeamId() teamId: string, @Query() query: object) {
    const page = await this.webhooks.list(teamId, parsePageRequest(query));
    const health = await this.webhooks.health(page.items.map(({ id }) => id));
    const items = page.items.filter(({ id }) => health.has(id));
    return listResponse({ ...page, items }, (webhook) => summary(webhook, found('Webhook', health.get(webhook.id))));
  }

  @Get(':webhookId')
  @Operation('Get a webhook', 'One webhook with its secret.')
  @Responses(WebhookResponse, 'The webhook.')
  async getWebhook(@CurrentPrincipal() principal: Principal, @Param('webhookId') id: string): Promise<WebhookResponse> {
    const { webhook, secret } = await this.webhooks.findWithSecret(principal.teamId, id);
    const health = found('Webhook', (await this.webhooks.health([webhook.id])).get(webhook.id));
    // With the secret, calls to the endpoint can be forged: who may only read does not get it.
    const signing_secret = principal.may('webhooks:write') ? secret : null;
    return { object: 'webhook', ...summary(webhook, health), signing_secret };
  }

  @Patch(':webhookId')
  @Operation(
    'Change a webhook',
    'Changes the endpoint, the events or the status of a webhook; absent fields stay as they are. ' +
      'Enabling it sends the messages that it missed.',
  )
  @Takes(UpdateWebhookRequest, 'The changes.')
  @Responses(WebhookIdResponse, 'The webhook is changed.')
  @Refuses(() => [...invalidFields(), () => decodeChanges({ status: 'asleep' })])
  @PassesOn(permissionsOfEvents)
  async updateWebhook(@TeamId() teamId: string, @Param('webhookId') id: string, @Body() body: unknown) {
    await this.webhooks.change(teamId, id, decodeChanges(body));
    return toResponse(WebhookIdResponse, { id });
  }

  @Delete(':webhookId')
  @Operation('Delete a webhook', 'Deletes a webhook. Nothing is sent to it any more.')
  @Responses(RemovedWebhookResponse, 'The webhook is deleted.')
  async deleteWebhook(@TeamId() teamId: string, @Param('webhookId') id: string) {
    await this.webhooks.remove(teamId, id);
    return toResponse(RemovedWebhookResponse, { id });
  }

  @Post(':webhookId/signing-secret/rotate')
  @Operation(
    'Rotate the secret of a webhook',
    'Gives a webhook a new secret. For 24 hours requests are signed with the previous one as well, so ' +
      'that no request is refused while the new one is put in place.',
  )
  @Responses(CreatedWebhookResponse, 'The new secret.')
  async rotateWebhookSecret(@TeamId() teamId: string, @Param('webhookId') id: string): Promise<CreatedWebhookResponse> {
    return { object: 'webhook', id, signing_secret: await this.webhooks.rotateSecret(teamId, id) };
  }
}

const summary = (webhook: Webhook, health: HealthReport): WebhookSummaryResponse =>
  toResponse(WebhookSummaryResponse, webhook, {
    health: toResponse(WebhookHealthResponse, health, {
      last_http_status_code: health.lastStatus,
      success_rate: health.calls === 0 ? null : health.succeeded / health.calls,
    }),
  });
