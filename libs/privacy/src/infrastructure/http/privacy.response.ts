import { timestamp } from '#platform/http';
import { ApiProperty, Flag, Id, IdOrNull, Moment, MomentOrNull, OneOf, Text } from '#platform/openapi';
import type { Erasure } from '../../domain/erasure.js';

const records = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;

class ErasureActorResponse {
  @OneOf('api_key', 'user', 'service') kind!: string;
  @IdOrNull() id!: string | null;
}

export class ErasureSummaryResponse {
  @Id() id!: string;
  @OneOf('pending', 'completed') status!: Erasure['status'];
  @Flag() waiting!: boolean;
  @Text() address_hash!: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } }) counts!: Erasure['counts'];
  @ApiProperty({ type: ErasureActorResponse }) actor!: ErasureActorResponse;
  @Moment() created_at!: string;
  @MomentOrNull() completed_at!: string | null;
}

export class ErasureResponse extends ErasureSummaryResponse {
  @OneOf('erasure') object!: 'erasure';
}

export class PrivacyExportResponse {
  @OneOf('privacy_export') object!: 'privacy_export';
  @Text() email!: string;
  @Moment() created_at!: string;
  @ApiProperty(records) audit!: object[];
  @ApiProperty(records) broadcasts!: object[];
  @ApiProperty(records) contact_activity!: object[];
  @ApiProperty(records) contact_imports!: object[];
  @ApiProperty(records) contacts!: object[];
  @ApiProperty(records) emails!: object[];
  @ApiProperty(records) events!: object[];
  @ApiProperty(records) forwards!: object[];
  @ApiProperty(records) logs!: object[];
  @ApiProperty(records) received!: object[];
  @ApiProperty(records) suppressions!: object[];
}

export function erasureSummary(erasure: Erasure): ErasureSummaryResponse {
  const { id, status, isWaiting, addressHash, counts, actor, createdAt, completedAt } = erasure;
  return {
    id,
    status,
    waiting: isWaiting,
    address_hash: addressHash,
    counts,
    actor: { kind: actor.kind, id: 'id' in actor ? actor.id : null },
    created_at: timestamp(createdAt),
    completed_at: completedAt === null ? null : timestamp(completedAt),
  };
}
