import { Always, Id, Moment, MomentOrNull, OneOf, Text } from '#platform/openapi';

export class CreatedApiKeyAnswer {
  @Id() id!: string;
  /** Shown only here. */
  @Text() token!: string;
}

export class ApiKeySummaryAnswer {
  @Id() id!: string;
  @Text() name!: string;
  @Moment() created_at!: string;
  @MomentOrNull() last_used_at!: string | null;
}

export class UpdatedApiKeyAnswer {
  @OneOf('api_key') object!: 'api_key';
  @Id() id!: string;
}

export class DeletedApiKeyAnswer extends UpdatedApiKeyAnswer {
  @Always(true) deleted!: true;
}
