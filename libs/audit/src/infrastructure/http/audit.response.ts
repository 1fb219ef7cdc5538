import { ApiProperty, Id, IdOrNull, Moment, OneOf, Text, TextOrNull } from '#platform/openapi';

export class AuditActorResponse {
  @OneOf('api_key', 'user', 'service', 'operator_key') kind!: string;
  @IdOrNull() id!: string | null;
}

export class AuditEntryResponse {
  @Id() id!: string;
  @Moment() created_at!: string;
  @IdOrNull() team_id!: string | null;
  @Text() action!: string;
  @OneOf('done', 'failed', 'unknown') outcome!: string;
  @ApiProperty({ type: AuditActorResponse }) actor!: AuditActorResponse;
  @TextOrNull() address!: string | null;
  @TextOrNull() target_id!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) before!: object | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) after!: object | null;
}
