import { parseWholeListRequest } from '#kernel';
import { decodeBody, idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import { Responses, ResponsesList, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { CreateApiKey } from '../../application/create-api-key.use-case.js';
import { ManageApiKeys } from '../../application/manage-api-keys.use-case.js';
import { ApiKey } from '../../domain/api-key.js';
import type { Principal } from '../../domain/principal.js';
import {
  ApiKeySummaryResponse,
  CreatedApiKeyResponse,
  DeletedApiKeyResponse,
  UpdatedApiKeyResponse,
} from './api-key.response.js';
import { CurrentPrincipal, PrincipalGuard, Requires } from './principal.guard.js';
import { CreateApiKeyRequest, UpdateApiKeyRequest } from './api-key.request.js';

@Controller('api-keys')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/api-keys.description.js'))
export class ApiKeysController {
  constructor(
    private readonly createApiKey: CreateApiKey,
    private readonly apiKeys: ManageApiKeys,
  ) {}

  @Post()
  @Requires('api-keys:write')
  @Takes(CreateApiKeyRequest)
  @Responses(CreatedApiKeyResponse, 201)
  create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<CreatedApiKeyResponse> {
    const { name, permission = 'full_access', domain_id } = decodeBody(CreateApiKeyRequest, body, ['name']);
    return this.createApiKey.execute(principal.teamId, { name, permission, domainId: domain_id?.toLowerCase() });
  }

  @Get()
  @Requires('api-keys:read')
  @ResponsesList(ApiKeySummaryResponse)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: object,
  ): Promise<ListResponse<ApiKeySummaryResponse>> {
    return listResponse(await this.apiKeys.list(principal.teamId, parseWholeListRequest(query)), summary);
  }

  @Patch(':id')
  @Requires('api-keys:write')
  @Takes(UpdateApiKeyRequest)
  @Responses(UpdatedApiKeyResponse)
  async rename(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<UpdatedApiKeyResponse> {
    const apiKeyId = idFromPath('id', id);
    await this.apiKeys.rename(principal.teamId, apiKeyId, decodeBody(UpdateApiKeyRequest, body, ['name']).name);
    return { object: 'api_key', id: apiKeyId };
  }

  @Delete(':id')
  @Requires('api-keys:write')
  @Responses(DeletedApiKeyResponse)
  async delete(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<DeletedApiKeyResponse> {
    const apiKeyId = idFromPath('id', id);
    await this.apiKeys.delete(principal.teamId, apiKeyId);
    return { object: 'api_key', id: apiKeyId, deleted: true };
  }
}

function summary(apiKey: ApiKey): ApiKeySummaryResponse {
  return {
    id: apiKey.id,
    name: apiKey.name,
    created_at: timestamp(apiKey.createdAt),
    last_used_at: apiKey.lastUsedAt === null ? null : timestamp(apiKey.lastUsedAt),
  };
}
