import { ApiProperty, OptionalText } from '#platform/openapi';
import { IsDefined, IsOptional, IsString } from 'class-validator';

const textMessage = { message: 'The `$property` field must be a string.' };

export class ResumeLaneRequest {
  @ApiProperty({ type: String })
  @IsDefined()
  @IsString(textMessage)
  lane!: string;
}

export class PauseLaneRequest extends ResumeLaneRequest {
  @OptionalText()
  @IsOptional()
  @IsString(textMessage)
  note?: string;
}
