import { ApiProperty } from '#platform/openapi';
import { IsDefined, IsString, MaxLength } from 'class-validator';

/** Body of `POST /me/confirm`. */
export class ConfirmRequest {
  @ApiProperty({ type: String, maxLength: 128 })
  @IsDefined()
  @IsString({ message: 'The `password` field must be a string.' })
  @MaxLength(128, { message: 'The `password` field must be text of at most 128 characters.' })
  password!: string;
}
