import { Example, Field, OptionalField, Shape } from '#http/openapi';
import { IsDefined, IsIn, IsOptional, IsString, IsUUID } from 'class-validator';
import { maxKeyNameLength } from '../../domain/api-key.js';
import type { ApiKeyAccess } from '../../domain/permission.js';
import { domainId } from './example-ids.js';

/** Body of `POST /api-keys` (docs/wire-contract.md section 10). An empty name is allowed. */
@Shape('A new API key.')
@Example('sending', 'A key that may only send', { name: 'Shop in production', permission: 'sending_access' })
@Example('full', 'A key with full access', { name: 'Operations' })
@Example('oneDomain', 'A key that may send from one domain', {
  name: 'Newsletter',
  permission: 'sending_access',
  domain_id: domainId,
})
export class CreateApiKeyRequest {
  @Field(`A name that people recognize, at most ${maxKeyNameLength} characters; may be empty.`, { maxLength: 50 })
  @IsDefined()
  @IsString({ message: 'The `name` field must be a string.' })
  name!: string;

  @OptionalField('`full_access` may do everything; `sending_access` may send emails and broadcasts and nothing else.', {
    enum: ['full_access', 'sending_access'],
    default: 'full_access',
    type: 'string',
  })
  @IsOptional()
  @IsIn(['full_access', 'sending_access'], {
    message: 'Access must be "full_access" | "sending_access"',
    context: { code: 'invalid_access' },
  })
  permission?: ApiKeyAccess;

  @OptionalField(
    'Id of the one domain from which the key may send. Only with `sending_access`; default: all your domains.',
    { format: 'uuid' },
  )
  @IsOptional()
  @IsUUID('all', { message: 'The `domain_id` must be a valid UUID.' })
  domain_id?: string;
}

/** Body of `PATCH /api-keys/{id}`. */
@Shape('The new name of an API key.')
@Example('name', 'Another name', { name: 'Shop in staging' })
export class UpdateApiKeyRequest {
  @Field(`A name that people recognize, at most ${maxKeyNameLength} characters; may be empty.`, { maxLength: 50 })
  @IsDefined()
  @IsString({ message: 'The `name` field must be a string.' })
  name!: string;
}
