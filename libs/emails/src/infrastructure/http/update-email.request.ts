import { ApiProperty } from '#platform/openapi';
import { decodeBody } from '#platform/http';
import { IsDefined, IsString } from 'class-validator';
import { parseScheduledAt } from './scheduled-at.js';

/** Body of `PATCH /emails/{id}`: the time is the only thing that can be changed. */
export class UpdateEmailRequest {
  @ApiProperty({ type: String, example: 'in 1 hour' })
  @IsDefined()
  @IsString({ message: 'The `scheduled_at` field must be a string.' })
  scheduled_at!: string;
}

export function decodeUpdateRequest(body: unknown, now: Date): { readonly scheduledAt: Date } {
  return { scheduledAt: parseScheduledAt(decodeBody(UpdateEmailRequest, body).scheduled_at, now) };
}
