import { parseWholeListRequest } from '#kernel';
import { decodeBody, idFromPath, listAnswer, ListAnswer, timestamp } from '#platform/http';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { CreateApiKey } from '../../application/create-api-key.use-case.js';
import { ManageApiKeys } from '../../application/manage-api-keys.use-case.js';
import { ApiKey } from '../../domain/api-key.js';
import type { Caller } from '../../domain/caller.js';
import { ApiKeyGuard, CurrentCaller } from './api-key.guard.js';
import { CreateApiKeyRequest, UpdateApiKeyRequest } from './api-key.request.js';

@Controller('api-keys')
@UseGuards(ApiKeyGuard)
export class ApiKeysController {
  constructor(
    private readonly createApiKey: CreateApiKey,
    private readonly apiKeys: ManageApiKeys,
  ) {}

  @Post()
  create(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const { name, permission = 'full_access', domain_id } = decodeBody(CreateApiKeyRequest, body, ['name']);
    return this.createApiKey.execute(caller.teamId, { name, permission, domainId: domain_id?.toLowerCase() });
  }

  @Get()
  async list(@CurrentCaller() caller: Caller, @Query() query: object): Promise<ListAnswer<object>> {
    return listAnswer(await this.apiKeys.list(caller.teamId, parseWholeListRequest(query)), summary);
  }

  @Patch(':id')
  async rename(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: unknown): Promise<object> {
    const apiKeyId = idFromPath('id', id);
    await this.apiKeys.rename(caller.teamId, apiKeyId, decodeBody(UpdateApiKeyRequest, body, ['name']).name);
    return { object: 'api_key', id: apiKeyId };
  }

  @Delete(':id')
  async delete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    const apiKeyId = idFromPath('id', id);
    await this.apiKeys.delete(caller.teamId, apiKeyId);
    return { object: 'api_key', id: apiKeyId, deleted: true };
  }
}

function summary(apiKey: ApiKey): object {
  return {
    id: apiKey.id,
    name: apiKey.name,
    created_at: timestamp(apiKey.createdAt),
    last_used_at: apiKey.lastUsedAt === null ? null : timestamp(apiKey.lastUsedAt),
  };
}
