import { DomainError, MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, thrownBy, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { checkKeyName, maxKeyNameLength } from '../../../domain/api-key.js';
import {
  DomainOfFullAccessKeyError,
  LastFullAccessKeyError,
  UnknownKeyDomainError,
} from '../../../domain/identity-errors.js';

const keyId = '0193a1f0-09c4-7b52-8a6e-c3f01d5e7a94';
const domainId = '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57';
const id = idParameter('Id of the API key.', keyId);
const name = `A name that people recognize, at most ${maxKeyNameLength} characters; may be empty.`;
const invalidName = thrownBy(() => checkKeyName('x'.repeat(maxKeyNameLength + 1)));

export const apiDescription: ApiDescription = {
  tag: 'API keys',
  tagDescription: 'Keys with which programs authenticate. A token is shown once, when its key is created.',
  schemas: {
    CreateApiKeyRequest: {
      description: 'A new API key.',
      properties: {
        name,
        permission: {
          description: '`full_access` may do everything; `sending_access` may send emails and nothing else.',
          type: 'string',
        },
        domain_id:
          'Id of the one domain from which the key may send. Only with `sending_access`; default: all your domains.',
      },
    },
    UpdateApiKeyRequest: { description: 'The new name of an API key.', properties: { name } },
    CreatedApiKeyResponse: {
      description: 'A new API key.',
      properties: {
        id: 'Id of the API key.',
        token: 'Send it as `Authorization: Bearer <token>`. Shown only here.',
      },
    },
    ApiKeySummaryResponse: {
      description: 'An API key without its token.',
      properties: {
        id: 'Id of the API key.',
        name: 'A name that people recognize.',
        created_at: 'When it was created.',
        last_used_at: 'When it was last used; null if never.',
      },
    },
    UpdatedApiKeyResponse: {
      description: 'The API key that was changed.',
      properties: { object: 'Always `api_key`.', id: 'Id of the API key.' },
    },
    DeletedApiKeyResponse: {
      description: 'The API key that was deleted.',
      properties: { object: 'Always `api_key`.', id: 'Id of the API key.', deleted: 'Always true.' },
    },
  },
  operations: {
    'POST /api-keys': {
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description: 'Creates an API key. The response is the only place where its token is shown.',
      request: {
        description: 'Name and permission of the key.',
        examples: {
          sending: {
            summary: 'A key that may only send',
            value: { name: 'Shop in production', permission: 'sending_access' },
          },
          full: { summary: 'A key with full access', value: { name: 'Operations' } },
          oneDomain: {
            summary: 'A key that may send from one domain',
            value: { name: 'Newsletter', permission: 'sending_access', domain_id: domainId },
          },
        },
      },
      responses: {
        201: {
          description: 'The key and its token.',
          example: { id: keyId, token: 're_Ab3dEf6h_J8kLm0pQ2rSt4vWx6yZaBcDe' },
        },
      },
      errors: [
        new MissingFieldError('name'),
        invalidName,
        new DomainError('invalid', 'invalid_access', 'Access must be "full_access" | "sending_access"'),
        new DomainOfFullAccessKeyError(),
        new UnknownKeyDomainError(),
      ],
    },
    'GET /api-keys': {
      operationId: 'listApiKeys',
      summary: 'List API keys',
      description: 'The API keys of your team, newest first, without their tokens.',
      parameters: wholeListParameters,
      responses: {
        200: {
          description: 'The keys.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              {
                id: keyId,
                name: 'Shop in production',
                created_at: '2026-11-28 09:12:44.08+00',
                last_used_at: '2026-11-30 20:39:59.54+00',
              },
            ],
          },
        },
      },
      errors: pageErrors,
    },
    'PATCH /api-keys/{id}': {
      operationId: 'updateApiKey',
      summary: 'Rename an API key',
      description: 'Gives an API key another name. Its token and permission stay as they are.',
      parameters: { id },
      request: {
        description: 'The new name.',
        examples: { name: { summary: 'Another name', value: { name: 'Shop in staging' } } },
      },
      responses: { 200: { description: 'The key has its new name.', example: { object: 'api_key', id: keyId } } },
      errors: [invalidId('id'), new NotFoundError('API key'), new MissingFieldError('name'), invalidName],
    },
    'DELETE /api-keys/{id}': {
      operationId: 'deleteApiKey',
      summary: 'Delete an API key',
      description:
        'Deletes an API key, which is refused from then on. The last key with full access cannot be deleted.',
      parameters: { id },
      responses: {
        200: { description: 'The key is deleted.', example: { object: 'api_key', id: keyId, deleted: true } },
      },
      errors: [invalidId('id'), new NotFoundError('API key'), new LastFullAccessKeyError()],
    },
  },
};
