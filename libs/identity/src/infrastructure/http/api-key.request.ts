import { Example, Id, OneOf, PickOf, Shape, Text } from '#http/openapi';
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
  @Text(`A name that people recognize, at most ${maxKeyNameLength} characters; may be empty.`, {
    boundedByDomain: { maxLength: 50 },
  })
  name!: string;
  @OneOf(
    ['full_access', 'sending_access'],
    '`full_access` may do everything; `sending_access` may send emails and broadcasts and nothing else.',
    {
      optional: true,
      default: 'full_access',
      type: 'string',
      message: 'Access must be "full_access" | "sending_access"',
      code: 'invalid_access',
    },
  )
  permission?: ApiKeyAccess;
  @Id('Id of the one domain from which the key may send. Only with `sending_access`; default: all your domains.', {
    optional: true,
  })
  domain_id?: string;
}

@Shape('The new name of an API key.')
@Example('name', 'Another name', { name: 'Shop in staging' })
export class UpdateApiKeyRequest extends PickOf(CreateApiKeyRequest, 'name') {}
