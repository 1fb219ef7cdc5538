import { Always, ApiProperty, Id, IdOrNull, Moment, OneOf, Text } from '#platform/openapi';
import type { SuppressionOrigin } from '../../domain/suppression.js';

export class AddedSuppressionResponse {
  @OneOf('suppression') object!: 'suppression';
  @Id() id!: string;
}

export class RemovedSuppressionResponse extends AddedSuppressionResponse {
  @Always(true) deleted!: true;
}

export class SuppressionSummaryResponse {
  @Id() id!: string;
  @Text() email!: string;
  @OneOf('bounce', 'complaint', 'manual') origin!: SuppressionOrigin;
  @IdOrNull() source_id!: string | null;
  @Moment() created_at!: string;
}

export class SuppressionResponse extends SuppressionSummaryResponse {
  @OneOf('suppression') object!: 'suppression';
}

export class AddedSuppressionsResponse {
  @ApiProperty({ type: [AddedSuppressionResponse] })
  data!: AddedSuppressionResponse[];
}

export class RemovedSuppressionsResponse {
  @ApiProperty({ type: [RemovedSuppressionResponse] })
  data!: RemovedSuppressionResponse[];
}
