import { DomainError, MissingFieldError, NotFoundError, parseWholeListRequest } from '#kernel';
import { decodeBody, idFromPath, listResponse, ListResponse, timestamp, timestampOrNull } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesWholeList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiKeys } from '../../application/api-keys.use-case.js';
import { ApiKey, checkKeyName, maxKeyNameLength } from '../../domain/api-key.js';
import {
  DomainOfFullAccessKeyError,
  LastFullAccessKeyError,
  UnknownKeyDomainError,
} from '../../domain/identity-errors.js';
import { parseAllowedIps, parseRecipientDomains, PolicyOfFullAccessKeyError } from '../../domain/key-policies.js';
import type { Principal } from '../../domain/principal.js';
import { keyId } from './example-ids.js';
import {
  ApiKeySummaryResponse,
  CreatedApiKeyResponse,
  DeletedApiKeyResponse,
  UpdatedApiKeyResponse,
} from './api-key.response.js';
import { CurrentPrincipal, PrincipalGuard, Requires } from './principal.guard.js';
import { CreateApiKeyRequest, decodeKeyChanges, policiesIn, UpdateApiKeyRequest } from './api-key.request.js';

const invalidName = (): unknown => checkKeyName('x'.repeat(maxKeyNameLength + 1));

const invalidPolicies = [() => parseAllowedIps(['office']), () => parseRecipientDomains(['*'])];

@Controller('api-keys')
@Describes('API keys', 'Keys with which programs authenticate. A token is shown once, when its key is created.')
@PathId('id', 'Id of the API key.', keyId)
@UseGuards(PrincipalGuard)
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeys) {}

  @Post()
  @Operation(
    'createApiKey',
    'Create an API key',
    'Creates an API key. The response is the only place where its token is shown.',
  )
  @Takes(CreateApiKeyRequest, 'Name and permission of the key.')
  @Responses(CreatedApiKeyResponse, 'The key and its token.', { status: 201 })
  @Refuses(() => [
    invalidName,
    new DomainError('invalid', 'invalid_access', 'Access must be "full_access" | "sending_access"'),
    new DomainOfFullAccessKeyError(),
    new UnknownKeyDomainError(),
    new PolicyOfFullAccessKeyError('daily_limit'),
    ...invalidPolicies,
  ])
  @Requires('api-keys:write')
  create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<CreatedApiKeyResponse> {
    const request = decodeBody(CreateApiKeyRequest, body, ['name']);
    const { name, permission = 'full_access', domain_id } = request;
    const policies = policiesIn(request);
    return this.apiKeys.create(principal, { name, permission, domainId: domain_id?.toLowerCase(), policies });
  }

  @Get()
  @Operation('listApiKeys', 'List API keys', 'The API keys of your team, newest first, without their tokens.')
  @ResponsesWholeList(ApiKeySummaryResponse, 'The keys.')
  @Requires('api-keys:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: object,
  ): Promise<ListResponse<ApiKeySummaryResponse>> {
    return listResponse(await this.apiKeys.list(principal.teamId, parseWholeListRequest(query)), summary);
  }

  @Patch(':id')
  @Operation(
    'updateApiKey',
    'Change an API key',
    'Gives an API key another name or other rules, which are in force at once. Its token and permission stay as they are.',
  )
  @Takes(UpdateApiKeyRequest, 'What changes.')
  @Responses(UpdatedApiKeyResponse, 'The key is changed.')
  @Refuses(() => [
    new NotFoundError('API key'),
    new MissingFieldError('name'),
    invalidName,
    new PolicyOfFullAccessKeyError('daily_limit'),
    ...invalidPolicies,
  ])
  @Requires('api-keys:write')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<UpdatedApiKeyResponse> {
    const apiKeyId = idFromPath('id', id);
    await this.apiKeys.change(principal, apiKeyId, decodeKeyChanges(body));
    return { object: 'api_key', id: apiKeyId };
  }

  @Delete(':id')
  @Operation(
    'deleteApiKey',
    'Delete an API key',
    'Deletes an API key, which is refused from then on. The last key with full access cannot be deleted.',
  )
  @Responses(DeletedApiKeyResponse, 'The key is deleted.')
  @Refuses(() => [new NotFoundError('API key'), new LastFullAccessKeyError()])
  @Requires('api-keys:write')
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
    last_used_at: timestampOrNull(apiKey.lastUsedAt),
    oauth_grant_id: apiKey.grantId,
    permission: apiKey.permission,
    allowed_ips: apiKey.allowedIps,
    allowed_recipient_domains: apiKey.allowedRecipientDomains,
    daily_limit: apiKey.dailyLimit,
  };
}
