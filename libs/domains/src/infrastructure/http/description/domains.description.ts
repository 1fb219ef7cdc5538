import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, thrownBy, wholeListParameters } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { DomainTakenError } from '../../../domain/domain-errors.js';
import { decodeDomainChanges } from '../domain.request.js';
import { domain, domainId, summary } from './domain-examples.js';
import { domainSchemas } from './domain-schemas.js';
import { busy, invalidDomain } from './domain-refusals.js';

const id = idParameter('Id of the domain.', domainId);
const unknown = [invalidId('id'), new NotFoundError('Domain')];

export const apiDescription: ApiDescription = {
  tag: 'Domains',
  tagDescription:
    'The domains from which you send: their DNS records and verification, DKIM keys, and claims of domains that another ' +
    'team has.',
  schemas: domainSchemas,
  operations: {
    'POST /domains': {
      operationId: 'createDomain',
      summary: 'Create a domain',
      description:
        'Registers a domain for your team and returns the DNS records to publish. A name belongs to one team; a ' +
        'subdomain is a separate domain. Publish the records, then verify the domain.',
      request: {
        description: 'The domain and its settings.',
        examples: {
          name: { summary: 'A domain with default settings', value: { name: 'acme.example' } },
          settings: {
            summary: 'A domain with settings',
            value: {
              name: 'mail.acme.example',
              custom_return_path: 'bounces',
              open_tracking: true,
              click_tracking: true,
              tracking_subdomain: 'links',
              tls: 'enforced',
              dkim: 'cname',
              capabilities: { sending: 'enabled', receiving: 'disabled' },
            },
          },
        },
      },
      responses: { 201: { description: 'The domain and its records.', example: domain } },
      errors: [new MissingFieldError('name'), ...invalidDomain, new DomainTakenError('acme.example')],
    },
    'GET /domains': {
      operationId: 'listDomains',
      summary: 'List domains',
      description: 'The domains of your team without their records, newest first.',
      parameters: wholeListParameters,
      responses: {
        200: { description: 'The domains.', example: { object: 'list', has_more: false, data: [summary] } },
      },
      errors: pageErrors,
    },
    'GET /domains/regions': {
      operationId: 'listRegions',
      summary: 'List regions',
      description:
        'The regions of this server, one of which a new domain may name as its `region`. The first one is the default. An addition of Postrider.',
      responses: {
        200: {
          description: 'The regions.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              { name: 'us-east-1', host: 'mail.service.example', is_default: true },
              { name: 'eu-west-1', host: 'eu.mail.service.example', is_default: false },
            ],
          },
        },
      },
      errors: [],
    },
    'GET /domains/{id}': {
      operationId: 'getDomain',
      summary: 'Get a domain',
      description: 'One domain with its records and their status.',
      parameters: { id },
      responses: { 200: { description: 'The domain.', example: domain } },
      errors: unknown,
    },
    'PATCH /domains/{id}': {
      operationId: 'updateDomain',
      summary: 'Change a domain',
      description:
        'Changes the settings of a domain; absent fields stay unchanged. Where verification has begun, records that the change ' +
        'adds are checked at once.',
      parameters: { id },
      request: {
        description: 'The settings to change.',
        examples: {
          tracking: {
            summary: 'Track clicks',
            value: { click_tracking: true, tracking_subdomain: 'links' },
          },
          tls: { summary: 'Deliver over verified TLS only', value: { tls: 'enforced' } },
        },
      },
      responses: { 200: { description: 'The domain is changed.', example: { object: 'domain', id: domainId } } },
      errors: [
        ...unknown,
        thrownBy(() => decodeDomainChanges({ tls: 'always' })),
        thrownBy(() => decodeDomainChanges({ capabilities: { sending: 'yes' } })),
        busy,
      ],
    },
    'DELETE /domains/{id}': {
      operationId: 'deleteDomain',
      summary: 'Delete a domain',
      description: 'Deletes a domain and its keys. Afterwards every team can register its name.',
      parameters: { id },
      responses: {
        200: { description: 'The domain is deleted.', example: { object: 'domain', id: domainId, deleted: true } },
      },
      errors: unknown,
    },
    'POST /domains/{id}/verify': {
      operationId: 'verifyDomain',
      summary: 'Verify a domain',
      description:
        'Starts a check of the records of a domain, and waits again for records that had failed. Responds at once; read ' +
        'the domain later, or listen for `domain.updated`, to learn the outcome.',
      parameters: { id },
      responses: {
        200: { description: 'The check has started.', example: { object: 'domain', id: domainId } },
      },
      errors: [...unknown, busy],
    },
  },
};
