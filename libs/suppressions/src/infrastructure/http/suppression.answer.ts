import { Always, ApiProperty, Id, IdOrNull, Moment, OneOf, Text } from '#platform/openapi';
import type { SuppressionOrigin } from '../../domain/suppression.js';

export class AddedSuppressionAnswer {
  @OneOf('suppression') object!: 'suppression';
  @Id() id!: string;
}

export class RemovedSuppressionAnswer extends AddedSuppressionAnswer {
  @Always(true) deleted!: true;
}

export class SuppressionSummaryAnswer {
  @Id() id!: string;
  @Text() email!: string;
  @OneOf('bounce', 'complaint', 'manual') origin!: SuppressionOrigin;
  @IdOrNull() source_id!: string | null;
  @Moment() created_at!: string;
}

export class SuppressionAnswer extends SuppressionSummaryAnswer {
  @OneOf('suppression') object!: 'suppression';
}

export class AddedSuppressionsAnswer {
  @ApiProperty({ type: [AddedSuppressionAnswer] })
  data!: AddedSuppressionAnswer[];
}

export class RemovedSuppressionsAnswer {
  @ApiProperty({ type: [RemovedSuppressionAnswer] })
  data!: RemovedSuppressionAnswer[];
}
