import { Always, Id, Moment, MomentOrNull, OneOf, Text } from '#platform/openapi';

export class CreatedApiKeyResponse {
  @Id() id!: string;
  /** The token in clear, shown only in this response. */
  @Text() token!: string;
}

export class ApiKeySummaryResponse {
  @Id() id!: string;
  @Text() name!: string;
  @Moment() created_at!: string;
  @MomentOrNull() last_used_at!: string | null;
}

export class UpdatedApiKeyResponse {
  @OneOf('api_key') object!: 'api_key';
  @Id() id!: string;
}

export class DeletedApiKeyResponse extends UpdatedApiKeyResponse {
  @Always(true) deleted!: true;
}
