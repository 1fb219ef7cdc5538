import { MissingFieldError, NotFoundError, ValidationError } from '#kernel';
import { idParameter, invalidId } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { invalidDomain } from './domain-refusals.js';

const domainId = '0193a203-4e8a-7c67-8b1d-f5093da2e764';

const claim = {
  object: 'domain_claim',
  id: '0193a203-4e8a-7c67-8b1d-e4f82c91d653',
  name: 'acme.example',
  status: 'pending',
  domain_id: domainId,
  region: null,
  record: {
    type: 'TXT',
    name: '_postrider-claim.acme.example',
    value: 'postrider-domain-verification=4f1c9b7a2e8d40c5b3a6f0d9e7c81254',
    ttl: 'Auto',
  },
  blocked_reason: null,
  failure_reason: null,
  created_at: '2026-11-30 20:55:48.61+00',
  expires_at: '2026-12-07 20:55:48.61+00',
};

const id = idParameter('The `domain_id` of the claim.', domainId);
const unknown = [invalidId('id'), new NotFoundError('Domain claim')];

const create = {
  operationId: 'createDomainClaim',
  summary: 'Claim a domain',
  description:
    'Claims a domain that another team has. Publish the record of the response within seven days, and the domain moves to ' +
    'your team, with the settings of the request. While its owner is using it, the claim waits.',
  request: {
    description: 'The domain and its settings.',
    examples: { name: { summary: 'A domain with default settings', value: { name: 'acme.example' } } },
  },
  responses: {
    200: { description: 'Your team has an open claim of the name already.', example: claim },
    201: { description: 'The new claim.', example: claim },
  },
  errors: [
    new MissingFieldError('name'),
    ...invalidDomain,
    new ValidationError('The acme.example domain is not registered by another team. Create it instead.'),
    new ValidationError('The acme.example domain belongs to your team already.'),
  ],
};

const get = {
  operationId: 'getDomainClaim',
  summary: 'Get a claim of a domain',
  description: 'The latest claim that your team has made of a domain, with its status.',
  parameters: { id },
  responses: { 200: { description: 'The claim.', example: claim } },
  errors: unknown,
};

const verify = {
  operationId: 'verifyDomainClaim',
  summary: 'Verify a claim of a domain',
  description:
    'Starts a look-up of the record of a claim. Responds at once with the claim unchanged; read it later to learn the outcome.',
  parameters: { id },
  responses: { 200: { description: 'The look-up has started.', example: claim } },
  errors: unknown,
};

/** The same operation under the path of a client that uses the plural. */
function alias<Described extends { operationId: string; summary: string; description: string }>(
  described: Described,
  path: string,
): Described & { readonly deprecated: true } {
  const { operationId, summary, description } = described;
  return {
    ...described,
    operationId: `${operationId}Alias`,
    summary: `${summary} (alias)`,
    description: `The same as \`${path}\`, for clients that write the path in the plural. ${description}`,
    deprecated: true,
  };
}

export const apiDescription: ApiDescription = {
  tag: 'Domains',
  operations: {
    'POST /domains/claim': create,
    'GET /domains/{id}/claim': get,
    'POST /domains/{id}/claim/verify': verify,
    'POST /domains/claims': alias(create, 'POST /domains/claim'),
    'GET /domains/{id}/claims': alias(get, 'GET /domains/{id}/claim'),
    'POST /domains/{id}/claims/verify': alias(verify, 'POST /domains/{id}/claim/verify'),
  },
};
