import { Shape, Field, Id, IdOrNull, Text, TextOrNull, OneOf, Moment } from '#http/openapi';
import { timeOfId } from '#kernel';
import { timestamp, toResponse } from '#http/server';
import { AuditEntry } from '../../domain/audit-entry.js';

@Shape('The tool that acted for the user.')
export class AuditToolResponse {
  @Text('As the tool named itself.', 'Command line') name!: string;
  @Id('Id of the grant by which it acted.', '0196f3a1-5e1c-7b2d-8c00-1e3d7f6a4b5f') grant_id!: string;
}

@Shape('Who did it.')
export class AuditActorResponse {
  @OneOf(
    ['api_key', 'user', 'service', 'operator_key'],
    'A key, a user, the service itself, or the operator with the key of the configuration.',
    'user',
  )
  kind!: string;
  @IdOrNull('Id of the key or of the user.', '0196f3a1-6f0b-7c3e-9d11-2f4e8a7b5c60') id!: string | null;
  @Field('The tool that acted for the user; null if the user acted without one.', {
    type: AuditToolResponse,
    nullable: true,
  })
  tool!: AuditToolResponse | null;
}

@Shape('A change.')
export class AuditEntryResponse {
  @Id('Id of the entry.', '0196f3a1-8b3d-7e5a-9f33-4b6a0c9d7e82') id!: string;
  @Moment('When the change was begun.') created_at!: string;
  @IdOrNull('Id of the team; null where it concerns the installation.', '0196f3a1-7a2c-7d4f-8e22-3a5f9b8c6d71')
  team_id!: string | null;
  @Text('What was done, for example `domains.update`.', 'domains.update') action!: string;
  @OneOf(['done', 'failed', 'unknown'], '`unknown`: the process ended before it could store the outcome.', 'done')
  outcome!: string;
  @Field('Who did it.', { type: AuditActorResponse }) actor!: AuditActorResponse;
  @TextOrNull('Address from which the request came.', '203.0.113.7') address!: string | null;
  @TextOrNull('Id of what was changed.', '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57') target_id!: string | null;
  @Field(
    'The fields that changed, as they were. Secrets are hidden.',
    { type: 'object', additionalProperties: true, nullable: true },
    { tls: 'opportunistic' },
  )
  before!: object | null;
  @Field(
    'The fields that changed, as they are now. Secrets are hidden.',
    { type: 'object', additionalProperties: true, nullable: true },
    { tls: 'enforced' },
  )
  after!: object | null;
}

export const auditEntryResponse = (entry: AuditEntry): AuditEntryResponse =>
  toResponse(AuditEntryResponse, entry, {
    created_at: timestamp(timeOfId(entry.id)),
    actor: {
      kind: entry.actor.kind,
      id: 'id' in entry.actor ? entry.actor.id : null,
      tool: entry.tool === null ? null : { name: entry.tool.name, grant_id: entry.tool.grantId },
    },
    before: entry.before as object | null,
    after: entry.after as object | null,
  });
