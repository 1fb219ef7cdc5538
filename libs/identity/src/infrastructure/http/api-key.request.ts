import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import { IsDefined, IsIn, IsOptional, IsString, IsUUID } from 'class-validator';
import type { ApiKeyAccess } from '../../domain/permission.js';

/** Body of `POST /api-keys` (docs/wire-contract.md section 10). An empty name is allowed. */
export class CreateApiKeyRequest {
  @ApiProperty({ type: String, maxLength: 50 })
  @IsDefined()
  @IsString({ message: 'The `name` field must be a string.' })
  name!: string;

  @ApiPropertyOptional({ enum: ['full_access', 'sending_access'], default: 'full_access' })
  @IsOptional()
  @IsIn(['full_access', 'sending_access'], {
    message: 'Access must be "full_access" | "sending_access"',
    context: { code: 'invalid_access' },
  })
  permission?: ApiKeyAccess;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'Only with `sending_access`' })
  @IsOptional()
  @IsUUID('all', { message: 'The `domain_id` must be a valid UUID.' })
  domain_id?: string;
}

/** Body of `PATCH /api-keys/{id}`. */
export class UpdateApiKeyRequest {
  @ApiProperty({ type: String, maxLength: 50 })
  @IsDefined()
  @IsString({ message: 'The `name` field must be a string.' })
  name!: string;
}
