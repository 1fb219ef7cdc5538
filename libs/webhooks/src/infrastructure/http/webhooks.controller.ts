import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import { Responses, ResponsesList, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ManageWebhooks } from '../../application/manage-webhooks.use-case.js';
import { Webhook } from '../../domain/webhook.js';
import {
  CreatedWebhookResponse,
  RemovedWebhookResponse,
  WebhookResponse,
  WebhookIdResponse,
  WebhookSummaryResponse,
} from './webhook.response.js';
import { CreateWebhookRequest, decodeChanges, decodeNewWebhook, UpdateWebhookRequest } from './webhook.request.js';

/** Endpoints (docs/wire-contract.md section 21). */
@Controller('webhooks')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/webhooks.description.js'))
export class WebhooksController {
  constructor(private readonly webhooks: ManageWebhooks) {}

  @Post()
  @Requires('webhooks:write')
  @Takes(CreateWebhookRequest)
  @Responses(CreatedWebhookResponse, 201)
  async create(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<CreatedWebhookResponse> {
    const { id, secret } = await this.webhooks.create(teamId, decodeNewWebhook(body));
    return { object: 'webhook', id, signing_secret: secret };
  }

  @Get()
  @Requires('webhooks:read')
  @ResponsesList(WebhookSummaryResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: object,
  ): Promise<ListResponse<WebhookSummaryResponse>> {
    return listResponse(await this.webhooks.list(teamId, parsePageRequest(query)), summary);
  }

  @Get(':webhookId')
  @Requires('webhooks:read')
  @Responses(WebhookResponse)
  async get(@CurrentPrincipal() principal: Principal, @Param('webhookId') id: string): Promise<WebhookResponse> {
    const { webhook, secret } = await this.webhooks.findWithSecret(principal.teamId, idFromPath('webhookId', id));
    // With the secret, calls to the endpoint can be forged: who may only read does not get it.
    const signing_secret = principal.may('webhooks:write') ? secret : null;
    return { object: 'webhook', ...summary(webhook), signing_secret };
  }

  @Patch(':webhookId')
  @Requires('webhooks:write')
  @Takes(UpdateWebhookRequest)
  @Responses(WebhookIdResponse)
  async update(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
    @Body() body: unknown,
  ): Promise<WebhookIdResponse> {
    const id = idFromPath('webhookId', webhookId);
    await this.webhooks.change(teamId, id, decodeChanges(body));
    return { object: 'webhook', id };
  }

  @Delete(':webhookId')
  @Requires('webhooks:write')
  @Responses(RemovedWebhookResponse)
  async remove(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
  ): Promise<RemovedWebhookResponse> {
    const id = idFromPath('webhookId', webhookId);
    await this.webhooks.remove(teamId, id);
    return { object: 'webhook', id, deleted: true };
  }

  @Post(':webhookId/signing-secret/rotate')
  @Requires('webhooks:write')
  @HttpCode(200)
  @Responses(CreatedWebhookResponse)
  async rotate(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('webhookId') webhookId: string,
  ): Promise<CreatedWebhookResponse> {
    const id = idFromPath('webhookId', webhookId);
    return { object: 'webhook', id, signing_secret: await this.webhooks.rotateSecret(teamId, id) };
  }
}

function summary(webhook: Webhook): WebhookSummaryResponse {
  return {
    id: webhook.id,
    endpoint: webhook.endpoint,
    events: [...webhook.events],
    status: webhook.status,
    created_at: timestamp(webhook.createdAt),
    disabled_reason: webhook.disabledReason,
  };
}
