import { PermissionsOf } from './permissions-of.js';
import { DomainError, parseWholeListRequest } from '#kernel';
import { decodeBody, listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesWholeList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiKeys } from '../../application/api-keys.use-case.js';
import { ApiKey, checkKeyName, maxKeyNameLength } from '../../domain/api-key.js';
import {
  DomainOfFullAccessKeyError,
  LastFullAccessKeyError,
  UnknownKeyDomainError,
} from '../../domain/identity-errors.js';
import type { Principal } from '../../domain/principal.js';
import { keyId } from './example-ids.js';
import {
  ApiKeySummaryResponse,
  CreatedApiKeyResponse,
  DeletedApiKeyResponse,
  UpdatedApiKeyResponse,
} from './api-key.response.js';
import { CurrentPrincipal, TeamId } from './principal.guard.js';
import { CreateApiKeyRequest, UpdateApiKeyRequest } from './api-key.request.js';

const invalidName = (): unknown => checkKeyName('x'.repeat(maxKeyNameLength + 1));

@Controller('api-keys')
@Describes('API keys', 'Keys with which programs authenticate. A token is shown once, when its key is created.')
@PathId('id', 'Id of the API key.', keyId, 'API key')
@PermissionsOf('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeys) {}

  @Post()
  @Operation('Create an API key', 'Creates an API key. The response is the only place where its token is shown.')
  @Takes(CreateApiKeyRequest, 'Name and permission of the key.')
  @Responses(CreatedApiKeyResponse, 'The key and its token.', { status: 201 })
  @Refuses(() => [
    invalidName,
    new DomainError('invalid', 'invalid_access', 'Access must be "full_access" | "sending_access"'),
    new DomainOfFullAccessKeyError(),
    new UnknownKeyDomainError(),
  ])
  createApiKey(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { name, permission = 'full_access', domain_id } = decodeBody(CreateApiKeyRequest, body, ['name']);
    return this.apiKeys.create(principal, { name, permission, domainId: domain_id?.toLowerCase() });
  }

  @Get()
  @Operation('List API keys', 'The API keys of your team, newest first, without their tokens.')
  @ResponsesWholeList(ApiKeySummaryResponse, 'The keys.')
  async listApiKeys(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.apiKeys.list(teamId, parseWholeListRequest(query)), summary);
  }

  @Patch(':id')
  @Operation('Rename an API key', 'Gives an API key another name. Its token and permission stay as they are.')
  @Takes(UpdateApiKeyRequest, 'The new name.')
  @Responses(UpdatedApiKeyResponse, 'The key has its new name.')
  @Refuses(() => [invalidName])
  async updateApiKey(@TeamId() teamId: string, @Param('id') apiKeyId: string, @Body() body: unknown) {
    await this.apiKeys.rename(teamId, apiKeyId, decodeBody(UpdateApiKeyRequest, body, ['name']).name);
    return toResponse(UpdatedApiKeyResponse, { id: apiKeyId });
  }

  @Delete(':id')
  @Operation(
    'Delete an API key',
    'Deletes an API key, which is refused from then on. The last key with full access cannot be deleted.',
  )
  @Responses(DeletedApiKeyResponse, 'The key is deleted.')
  @Refuses(() => [new LastFullAccessKeyError()])
  async deleteApiKey(@TeamId() teamId: string, @Param('id') apiKeyId: string) {
    await this.apiKeys.delete(teamId, apiKeyId);
    return toResponse(DeletedApiKeyResponse, { id: apiKeyId });
  }
}

const summary = (apiKey: ApiKey): ApiKeySummaryResponse =>
  toResponse(ApiKeySummaryResponse, apiKey, { oauth_grant_id: apiKey.grantId });
