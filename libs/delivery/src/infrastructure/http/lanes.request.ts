import { mustBeString } from '#http/server';
import { Example, OptionalText, Shape, Text } from '#http/openapi';
import { IsDefined, IsOptional, IsString } from 'class-validator';

@Shape('The lane to resume.')
@Example('lane', 'A lane', { lane: 'eu-west-1/default/mx:gmail.com' })
export class ResumeLaneRequest {
  @Text('Its name.')
  @IsDefined()
  @IsString(mustBeString)
  lane!: string;
}

@Shape('The lane to pause.')
@Example('lane', 'A lane', { lane: 'eu-west-1/default/mx:gmail.com', note: 'They asked us to' })
export class PauseLaneRequest extends ResumeLaneRequest {
  @OptionalText('Why, for the other operators. At most 200 characters.')
  @IsOptional()
  @IsString(mustBeString)
  note?: string;
}
