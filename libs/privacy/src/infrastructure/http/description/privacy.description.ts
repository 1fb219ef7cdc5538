import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { decodeAddress } from '../privacy.request.js';

const erasureId = '0193a1f9-6b7c-7d8e-9f9a-0b1c2d3e4f5a';
const summary = {
  id: erasureId,
  status: 'pending',
  waiting: false,
  address_hash: 'hmac:3q2-7wS9bGx2Qk0vJ8mYtE1nR5cUoZpXaLdFhKiVwTs',
  counts: {},
  actor: { kind: 'api_key', id: '0193a1f0-0a1b-7c2d-8e3f-4a5b6c7d8e9f' },
  created_at: '2026-11-30 20:41:12.3+00',
  completed_at: null,
};
const fields = {
  id: 'Id of the erasure.',
  status: 'Whether everything is erased.',
  waiting: 'Whether mail to the address is still being delivered. It is erased afterwards.',
  address_hash: 'A keyed hash of the address, as in the suppression list. The address itself is not kept.',
  counts: 'Number of records from which something was erased, by list.',
  actor: 'Who asked for it.',
  created_at: 'When it was asked for.',
  completed_at: 'When everything was erased; null before.',
};
const address = {
  description: 'The address.',
  examples: { address: { summary: 'An address', value: { email: 'ada@customer.example' } } },
};
const errors = [new MissingFieldError('email'), thrownBy(() => decodeAddress({ email: 'ada' }))];

export const apiDescription: ApiDescription = {
  tag: 'Privacy',
  tagDescription: 'Everything that is stored about one address: to hand it over, or to erase it.',
  schemas: {
    AddressRequest: {
      description: 'An address.',
      properties: { email: 'Address without a name, in any case.' },
    },
    ErasureActorResponse: {
      description: 'Who asked for an erasure.',
      properties: { kind: 'An API key, a user, or the service itself.', id: 'Its id; null for the service.' },
    },
    ErasureSummaryResponse: { description: 'An erasure.', properties: fields },
    ErasureResponse: { description: 'An erasure.', properties: { object: 'Always `erasure`.', ...fields } },
    PrivacyExportResponse: {
      description: 'What is stored about an address. The records have the names of the API.',
      properties: {
        object: 'Always `privacy_export`.',
        email: 'The address, in lower case.',
        created_at: 'When the export began.',
        audit: 'Changes in the audit log that name the address.',
        broadcasts: 'The broadcasts that the address was meant for, and what became of them.',
        contact_activity: 'When the contact was last sent something, opened it and clicked.',
        contact_imports: 'Refused rows of imported files that name the address.',
        contacts: 'The contact, with its properties, segments, topics and history.',
        emails: 'The emails to the address, with their bodies, events, delivery attempts and reports.',
        events: 'Events of contacts and suppressions with the address.',
        forwards: 'Received mail that routes forwarded to the address.',
        logs: 'API requests that name the address.',
        received:
          'Mail that was received from the address (`as` is `author`), and mail of others that names it (`recipient`).',
        suppressions: 'Its entry in the suppression list.',
      },
    },
  },
  operations: {
    'POST /privacy/exports': {
      operationId: 'exportPersonalData',
      summary: 'Export what is stored about an address',
      description: 'Sends one JSON file, list by list, while it is read. It may be large.',
      request: address,
      responses: {
        200: {
          description: 'The file.',
          example: {
            object: 'privacy_export',
            email: 'ada@customer.example',
            created_at: '2026-11-30 20:41:12.3+00',
            audit: [],
            broadcasts: [],
            contact_activity: [],
            contact_imports: [],
            contacts: [{ email: 'ada@customer.example', first_name: 'Ada' }],
            emails: [],
            events: [],
            forwards: [],
            logs: [],
            received: [],
            suppressions: [],
          },
        },
      },
      errors,
    },
    'POST /privacy/erasures': {
      operationId: 'eraseAddress',
      summary: 'Erase what is stored about an address',
      description:
        'Erases the contact, the address and the content in the emails to it, what events and delivery attempts tell of it, and ' +
        'API requests that name it. Counters stay, and an entry in the suppression list stays as a keyed hash. It begins within ' +
        'seconds and cannot be undone.',
      request: address,
      responses: {
        201: { description: 'The erasure begins.', example: { object: 'erasure', ...summary } },
      },
      errors,
    },
    'GET /privacy/erasures': {
      operationId: 'listErasures',
      summary: 'List erasures',
      description: 'The erasures of your team, newest first: who asked for them, and what was erased.',
      parameters: pageParameters,
      responses: {
        200: { description: 'A page of erasures.', example: { object: 'list', has_more: false, data: [summary] } },
      },
      errors: pageErrors,
    },
    'GET /privacy/erasures/{id}': {
      operationId: 'getErasure',
      summary: 'Get an erasure',
      description: 'One erasure.',
      parameters: { id: idParameter('Id of the erasure.', erasureId) },
      responses: {
        200: {
          description: 'The erasure.',
          example: {
            object: 'erasure',
            ...summary,
            status: 'completed',
            counts: { contacts: 1, emails: 12, events: 3, logs: 9, suppressions: 0 },
            completed_at: '2026-11-30 20:41:15.1+00',
          },
        },
      },
      errors: [invalidId('id'), new NotFoundError('Erasure')],
    },
  },
};
