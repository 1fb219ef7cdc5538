import { IsDefined, IsIn, IsOptional, IsString, IsUUID } from 'class-validator';
import type { Permission } from '../../domain/caller.js';

/** Body of `POST /api-keys` (api-contract section 10). An empty name is a name. */
export class CreateApiKeyRequest {
  @IsDefined()
  @IsString({ message: 'The `name` field must be a string.' })
  name!: string;

  @IsOptional()
  @IsIn(['full_access', 'sending_access'], {
    message: 'Access must be "full_access" | "sending_access"',
    context: { code: 'invalid_access' },
  })
  permission?: Permission;

  @IsOptional()
  @IsUUID('all', { message: 'The `domain_id` must be a valid UUID.' })
  domain_id?: string;
}

/** Body of `PATCH /api-keys/{id}`. */
export class UpdateApiKeyRequest {
  @IsDefined()
  @IsString({ message: 'The `name` field must be a string.' })
  name!: string;
}
