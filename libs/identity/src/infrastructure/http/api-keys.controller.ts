import { PermissionsOf } from './permissions-of.js';
import { DomainError, MissingFieldError, parseWholeListRequest } from '#kernel';
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
import {
  OnlyDraftsOfSendingKeyError,
  parseAllowedIps,
  parseRecipientDomains,
  PolicyOfFullAccessKeyError,
} from '../../domain/key-policies.js';
import type { Principal } from '../../domain/principal.js';
import { keyId } from './example-ids.js';
import {
  ApiKeySummaryResponse,
  CreatedApiKeyResponse,
  DeletedApiKeyResponse,
  UpdatedApiKeyResponse,
} from './api-key.response.js';
import { CurrentPrincipal, TeamId } from './principal.guard.js';
import { CreateApiKeyRequest, decodeKeyChanges, policiesIn, UpdateApiKeyRequest } from './api-key.request.js';

const invalidName = (): unknown => checkKeyName('x'.repeat(maxKeyNameLength + 1));

const invalidPolicies = [() => parseAllowedIps(['office']), () => parseRecipientDomains(['*'])];

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
    new PolicyOfFullAccessKeyError('daily_limit'),
    new OnlyDraftsOfSendingKeyError(),
    ...invalidPolicies,
  ])
  createApiKey(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const request = decodeBody(CreateApiKeyRequest, body, ['name']);
    const { name, permission = 'full_access', domain_id } = request;
    const policies = policiesIn(request);
    return this.apiKeys.create(principal, { name, permission, domainId: domain_id?.toLowerCase(), policies });
  }

  @Get()
  @Operation('List API keys', 'The API keys of your team, newest first, without their tokens.')
  @ResponsesWholeList(ApiKeySummaryResponse, 'The keys.')
  async listApiKeys(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.apiKeys.list(teamId, parseWholeListRequest(query)), summary);
  }

  @Patch(':id')
  @Operation(
    'Change an API key',
    'Gives an API key another name or other rules, which are in force at once. Its token and permission stay as they are.',
  )
  @Takes(UpdateApiKeyRequest, 'What changes.')
  @Responses(UpdatedApiKeyResponse, 'The key is changed.')
  @Refuses(() => [
    new MissingFieldError('name'),
    invalidName,
    new PolicyOfFullAccessKeyError('daily_limit'),
    new OnlyDraftsOfSendingKeyError(),
    new LastFullAccessKeyError('get the rule `only_drafts`'),
    ...invalidPolicies,
  ])
  async updateApiKey(@CurrentPrincipal() principal: Principal, @Param('id') apiKeyId: string, @Body() body: unknown) {
    await this.apiKeys.change(principal, apiKeyId, decodeKeyChanges(body));
    return toResponse(UpdatedApiKeyResponse, { id: apiKeyId });
  }

  @Delete(':id')
  @Operation(
    'Delete an API key',
    'Deletes an API key, which is refused from then on. The last key with full access cannot be deleted.',
  )
  @Responses(DeletedApiKeyResponse, 'The key is deleted.')
  @Refuses(() => [new LastFullAccessKeyError('be deleted')])
  async deleteApiKey(@TeamId() teamId: string, @Param('id') apiKeyId: string) {
    await this.apiKeys.delete(teamId, apiKeyId);
    return toResponse(DeletedApiKeyResponse, { id: apiKeyId });
  }
}

const summary = (apiKey: ApiKey): ApiKeySummaryResponse =>
  toResponse(ApiKeySummaryResponse, apiKey, { oauth_grant_id: apiKey.grantId });
