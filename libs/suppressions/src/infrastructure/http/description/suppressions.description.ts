import { MissingFieldError, NotFoundError } from '#kernel';
import { pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { decodeAddition, decodeAdditions, decodeOrigin, decodeRemovals, maxItems } from '../suppression.request.js';

const suppressionId = '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d';
const otherId = '0193a1f6-0b7e-7d25-9c48-f2b6083174ae';

const suppression = {
  id: suppressionId,
  email: 'ada@customer.example',
  origin: 'bounce',
  source_id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31',
  created_at: '2026-11-30 20:41:12.3+00',
};

const idOrEmail = {
  description: 'Id of the suppression, or its address in any case.',
  example: 'ada@customer.example',
};
const addresses = `Addresses without names, 1 to ${maxItems}.`;
const tooMany = thrownBy(() => decodeAdditions({ emails: [] }));
const invalidAddress = thrownBy(() => decodeAddition({ email: 'ada' }));

const fields = {
  id: 'Id of the suppression.',
  email:
    'The address, in lower case. Once its contact was deleted: a keyed hash, by which nobody can read the address.',
  origin: 'Why it is suppressed: a permanent `bounce`, a `complaint`, or `manual`, added by you.',
  source_id: 'Id of the email that bounced or was reported; null where there is none.',
  created_at: 'When it was added.',
};

export const apiDescription: ApiDescription = {
  tag: 'Suppressions',
  tagDescription:
    'Addresses to which your team sends nothing: addresses that bounced permanently, that complained, or that you added. ' +
    'An email to one of them is accepted and shows `email.suppressed` for that recipient.',
  schemas: {
    AddSuppressionRequest: {
      description: 'An address to suppress.',
      properties: { email: 'Address without a name, such as `ada@customer.example`.' },
    },
    AddSuppressionsRequest: { description: 'Addresses to suppress.', properties: { emails: addresses } },
    RemoveSuppressionsRequest: {
      description: 'Suppressions to remove: `emails` or `ids`, not both.',
      properties: {
        emails: addresses,
        ids: { description: `Ids of suppressions, 1 to ${maxItems}.`, items: { type: 'string', format: 'uuid' } },
      },
    },
    AddedSuppressionResponse: {
      description: 'The suppression of an address, new or known.',
      properties: { object: 'Always `suppression`.', id: 'Id of the suppression.' },
    },
    RemovedSuppressionResponse: {
      description: 'The suppression that was removed.',
      properties: { object: 'Always `suppression`.', id: 'Id of the suppression.', deleted: 'Always true.' },
    },
    AddedSuppressionsResponse: {
      description: 'The suppressions of the addresses.',
      properties: { data: 'One for each address, in the order of the request.' },
    },
    RemovedSuppressionsResponse: {
      description: 'The suppressions that were removed.',
      properties: { data: 'In the order of the request, without unknown ones.' },
    },
    SuppressionSummaryResponse: { description: 'A suppressed address.', properties: fields },
    SuppressionResponse: {
      description: 'A suppressed address.',
      properties: { object: 'Always `suppression`.', ...fields },
    },
  },
  operations: {
    'POST /suppressions': {
      operationId: 'addSuppression',
      summary: 'Suppress an address',
      description:
        'From now on nothing is sent to this address. An address that is already suppressed keeps its entry.',
      request: {
        description: 'The address.',
        examples: { address: { summary: 'An address', value: { email: 'ada@customer.example' } } },
      },
      responses: {
        201: { description: 'The address is suppressed.', example: { object: 'suppression', id: suppressionId } },
      },
      errors: [new MissingFieldError('email'), invalidAddress],
    },
    'POST /suppressions/batch/add': {
      operationId: 'addSuppressionBatch',
      summary: 'Suppress several addresses',
      description: `From now on nothing is sent to these addresses, 1 to ${maxItems}. All of them are added, or none.`,
      request: {
        description: 'The addresses.',
        examples: {
          two: { summary: 'Two addresses', value: { emails: ['ada@customer.example', 'grace@customer.example'] } },
        },
      },
      responses: {
        201: {
          description: 'The addresses are suppressed.',
          example: {
            data: [
              { object: 'suppression', id: suppressionId },
              { object: 'suppression', id: otherId },
            ],
          },
        },
      },
      errors: [new MissingFieldError('emails'), tooMany, invalidAddress],
    },
    'POST /suppressions/batch/remove': {
      operationId: 'removeSuppressionBatch',
      summary: 'Remove several suppressions',
      description: `Removes 1 to ${maxItems} suppressions by address or by id. Unknown ones are skipped.`,
      request: {
        description: 'The suppressions.',
        examples: {
          emails: { summary: 'By address', value: { emails: ['ada@customer.example'] } },
          ids: { summary: 'By id', value: { ids: [suppressionId] } },
        },
      },
      responses: {
        200: {
          description: 'The suppressions are removed.',
          example: { data: [{ object: 'suppression', id: suppressionId, deleted: true }] },
        },
      },
      errors: [
        new MissingFieldError('emails'),
        tooMany,
        thrownBy(() => decodeRemovals({ emails: ['a@b.example'], ids: ['x'] })),
        thrownBy(() => decodeRemovals({ ids: ['x'] })),
      ],
    },
    'GET /suppressions': {
      operationId: 'listSuppressions',
      summary: 'List suppressions',
      description: 'The suppressed addresses of your team, newest first, in pages.',
      parameters: {
        origin: { description: 'Only suppressions of this origin.', example: 'bounce' },
        ...pageParameters,
      },
      responses: {
        200: {
          description: 'A page of suppressions.',
          example: { object: 'list', has_more: false, data: [suppression] },
        },
      },
      errors: [...pageErrors, thrownBy(() => decodeOrigin('fax'))],
    },
    'GET /suppressions/{idOrEmail}': {
      operationId: 'getSuppression',
      summary: 'Get a suppression',
      description: 'One suppressed address.',
      parameters: { idOrEmail },
      responses: { 200: { description: 'The suppression.', example: { object: 'suppression', ...suppression } } },
      errors: [new NotFoundError('Suppression')],
    },
    'DELETE /suppressions/{idOrEmail}': {
      operationId: 'removeSuppression',
      summary: 'Remove a suppression',
      description: 'Emails to this address are sent again.',
      parameters: { idOrEmail },
      responses: {
        200: {
          description: 'The suppression is removed.',
          example: { object: 'suppression', id: suppressionId, deleted: true },
        },
      },
      errors: [new NotFoundError('Suppression')],
    },
  },
};
