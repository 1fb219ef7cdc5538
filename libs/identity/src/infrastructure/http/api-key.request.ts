import { MissingFieldError } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Flag, Id, OneOf, PartialOf, PickOf, Shape, Text, Texts, Whole } from '#http/openapi';
import { ApiKeyChanges, maxKeyNameLength } from '../../domain/api-key.js';
import {
  KeyPolicies,
  maxAllowedIps,
  maxDailyLimit,
  maxRecipientDomains,
  parseAllowedIps,
  parseRecipientDomains,
} from '../../domain/key-policies.js';
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
@Example('agent', 'A key for an agent, within bounds', {
  name: 'Support agent',
  permission: 'sending_access',
  allowed_ips: ['192.0.2.0/24', '2001:db8::7'],
  allowed_recipient_domains: ['customer.example'],
  daily_limit: 200,
})
@Example('drafts', 'A key for an agent whose mail a person sends', { name: 'Writing agent', only_drafts: true })
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
  @Texts(
    `Addresses and networks from which the key is accepted, at most ${maxAllowedIps}, over HTTP and SMTP. An empty list: from everywhere.`,
    { optional: true, maxItems: maxAllowedIps },
  )
  allowed_ips?: string[];
  @Texts(
    `Domains to whose addresses the key may send, at most ${maxRecipientDomains}, without those below them. Only with ` +
      '`sending_access`; the key may not send broadcasts then. An empty list: to all.',
    { optional: true, maxItems: maxRecipientDomains },
  )
  allowed_recipient_domains?: string[];
  @Whole(
    'Recipients to whom the key may send in a day (UTC). Only with `sending_access`; the key may not send broadcasts then. ' +
      '0: as many as the team may.',
    { optional: true, minimum: 0, maximum: maxDailyLimit },
  )
  daily_limit?: number;
  @Flag(
    'Whether the key only reads and writes drafts (emails of inboxes, broadcasts), which a person sends. Only with `full_access`. Default: false.',
    { optional: true },
  )
  only_drafts?: boolean;
}

@Shape('What changes of an API key: its name, and the rules that narrow it.')
@Example('name', 'Another name', { name: 'Shop in staging' })
@Example('rules', 'From one address only, to all domains', {
  allowed_ips: ['192.0.2.7'],
  allowed_recipient_domains: [],
})
export class UpdateApiKeyRequest extends PartialOf(
  PickOf(CreateApiKeyRequest, 'name', 'allowed_ips', 'allowed_recipient_domains', 'daily_limit', 'only_drafts'),
) {}

export function decodeKeyChanges(body: unknown): ApiKeyChanges {
  const request = decodeBody(UpdateApiKeyRequest, body, ['name']);
  const changes = { ...(request.name === undefined ? {} : { name: request.name }), ...policiesIn(request) };
  if (Object.keys(changes).length === 0) throw new MissingFieldError('name');
  return changes;
}

/** Those that are given. */
export function policiesIn(request: UpdateApiKeyRequest): Partial<KeyPolicies> {
  const { allowed_ips: ips, allowed_recipient_domains: domains, daily_limit: limit, only_drafts: onlyDrafts } = request;
  return {
    ...(ips === undefined ? {} : { allowedIps: parseAllowedIps(ips) }),
    ...(domains === undefined ? {} : { allowedRecipientDomains: parseRecipientDomains(domains) }),
    ...(limit === undefined ? {} : { dailyLimit: limit === 0 ? null : limit }),
    ...(onlyDrafts === undefined ? {} : { onlyDrafts }),
  };
}
