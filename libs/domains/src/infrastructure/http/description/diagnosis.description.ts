import { NotFoundError, ValidationError } from '#kernel';
import { idParameter, invalidId } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { KeySlotOccupiedError } from '../../../domain/domain-errors.js';
import { dkimRecord, dkimValue, domainId, summary } from './domain-examples.js';
import { busy } from './domain-refusals.js';

const id = idParameter('Id of the domain.', domainId);
const unknown = [invalidId('id'), new NotFoundError('Domain')];

const keys = {
  object: 'list',
  has_more: false,
  data: [
    {
      id: '0193a1ee-7d12-70b8-9e5f-27c3d4a60e91',
      selector: 'postrider1',
      algorithm: 'rsa-sha256',
      state: 'signing',
      host: 'postrider1._domainkey.acme.example',
      value: dkimValue,
      delegated_host: null,
      created_at: '2026-11-28 09:10:31.44+00',
      retired_at: null,
      removable_at: null,
    },
  ],
};

export const apiDescription: ApiDescription = {
  tag: 'Domains',
  operations: {
    'GET /domains/{id}/diagnosis': {
      operationId: 'getDomainDiagnosis',
      summary: 'Diagnose a domain',
      description:
        'What the last check of the DNS found for each record, what is wrong with it, and what to do. An addition of Postrider.',
      parameters: { id },
      responses: {
        200: {
          description: 'The diagnosis.',
          example: {
            object: 'domain_diagnosis',
            id: domainId,
            name: summary.name,
            status: summary.status,
            tls: 'opportunistic',
            dns_provider: 'Cloudflare',
            checked_at: '2026-11-30 20:30:00.1+00',
            next_check_at: '2026-11-30 20:35:00.1+00',
            records: [
              {
                ...dkimRecord,
                host: 'postrider1._domainkey.acme.example',
                required: true,
                mistake: 'zone_name_appended',
                found: [],
                waiting_since: '2026-11-28T09:15:02.310Z',
                advice:
                  'The record was published at postrider1._domainkey.acme.example.acme.example. Enter the name without the domain.',
              },
            ],
          },
        },
      },
      errors: unknown,
    },
    'GET /domains/{id}/dkim': {
      operationId: 'listDkimKeys',
      summary: 'List the DKIM keys of a domain',
      description:
        'The keys that sign the mail of a domain, have signed it, or are about to. An addition of Postrider.',
      parameters: { id },
      responses: { 200: { description: 'The keys.', example: keys } },
      errors: unknown,
    },
    'POST /domains/{id}/dkim/rotate': {
      operationId: 'rotateDkimKeys',
      summary: 'Rotate the DKIM keys of a domain',
      description:
        'Generates new keys. Each signs once its record has been seen; until then the current keys sign, for any length of time. ' +
        'Changes nothing while a rotation is under way. An addition of Postrider.',
      parameters: { id },
      responses: { 200: { description: 'The keys, including the new ones.', example: keys } },
      errors: [
        ...unknown,
        new ValidationError('The keys of a sandbox domain are not in the DNS.'),
        new KeySlotOccupiedError(),
        busy,
      ],
    },
  },
};
