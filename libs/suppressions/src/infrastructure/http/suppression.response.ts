import { Always, Deleted, Id, IdOrNull, ListOf, Moment, OneOf, ReferenceTo, Shape, Text } from '#http/openapi';
import type { SuppressionOrigin } from '../../domain/suppression.js';

export const suppressionId = '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d';
const otherId = '0193a1f6-0b7e-7d25-9c48-f2b6083174ae';

@Shape('The suppression of an address, new or known.')
export class AddedSuppressionResponse extends ReferenceTo('suppression', 'Id of the suppression.', suppressionId) {}

@Shape('The suppression that was removed.')
export class RemovedSuppressionResponse extends Deleted(AddedSuppressionResponse) {}

@Shape('A suppressed address.')
export class SuppressionSummaryResponse {
  @Id('Id of the suppression.', suppressionId) id!: string;
  @Text(
    'The address, in lower case. Once its contact was deleted: a keyed hash, by which nobody can read the ' +
      'address.',
    'ada@customer.example',
  )
  email!: string;
  @OneOf(
    ['bounce', 'complaint', 'manual'],
    'Why it is suppressed: a permanent `bounce`, a `complaint`, or `manual`, added by you.',
    'bounce',
  )
  origin!: SuppressionOrigin;
  @IdOrNull(
    'Id of the email that bounced or was reported; null if there is none.',
    '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31',
  )
  source_id!: string | null;
  @Moment('When it was added.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('A suppressed address.')
export class SuppressionResponse extends SuppressionSummaryResponse {
  @Always('suppression') object!: 'suppression';
}

@Shape('The suppressions of the addresses.')
export class AddedSuppressionsResponse {
  @ListOf(AddedSuppressionResponse, 'One for each address, in the order of the request.', [
    { object: 'suppression', id: suppressionId },
    { object: 'suppression', id: otherId },
  ])
  data!: AddedSuppressionResponse[];
}

@Shape('The suppressions that were removed.')
export class RemovedSuppressionsResponse {
  @ListOf(RemovedSuppressionResponse, 'In the order of the request, without unknown ones.')
  data!: RemovedSuppressionResponse[];
}
