import { Example, OptionalField, Shape } from '#http/openapi';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsOptional, Max, Min } from 'class-validator';
import { maxPerDay, maxSteps } from '../../domain/warm-up.js';

const message = `The \`schedule\` field must have 1 to ${maxSteps} whole numbers from 1 to ${maxPerDay}, none smaller than the one before.`;

@Shape('How a domain warms up.')
@Example('default', 'With the default schedule', {})
@Example('schedule', 'With a schedule of its own', { schedule: [50, 100, 500, 1_000, 2_000] })
export class WarmUpRequest {
  @OptionalField(
    'Messages of each day to a mailbox provider, none fewer than the day before. Left out: the default schedule of 21 days, from 50 ' +
      'messages to a million.',
    { type: [Number] },
    [50, 100, 500, 1_000, 2_000],
  )
  @IsOptional()
  @IsArray({ message })
  @ArrayMinSize(1, { message })
  @ArrayMaxSize(maxSteps, { message })
  @IsInt({ each: true, message })
  @Min(1, { each: true, message })
  @Max(maxPerDay, { each: true, message })
  schedule?: number[];
}
