import { MaxLength } from 'class-validator';
import { Example, Id, ListOf, Shape, Text } from '#http/openapi';
import { maxPerDay, maxSteps } from '../../domain/warm-up.js';
import { domainId } from './example-ids.js';

const maxProvider = 100;

@Shape('The step to lift.')
@Example('google', 'Mail to Google', { provider: 'google' })
export class LiftGuardRequest {
  @Text('The provider, as in the state of the guard.', {
    also: [MaxLength(maxProvider, { message: `The \`$property\` field can have at most ${maxProvider} characters.` })],
    example: 'google',
  })
  provider!: string;
}

@Shape('The step to lift, of any domain.')
@Example('google', 'Mail of a domain to Google', { domain_id: domainId, provider: 'google' })
export class LiftAnyGuardRequest extends LiftGuardRequest {
  @Id('Id of the domain.', { message: 'The `$property` field must be a UUID.', example: domainId }) domain_id!: string;
}

const isSchedule = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= maxSteps &&
  value.every((count) => Number.isInteger(count) && count >= 1 && count <= maxPerDay);

@Shape('How a domain warms up.')
@Example('default', 'With the default schedule', {})
@Example('schedule', 'With a schedule of its own', { schedule: [50, 100, 500, 1_000, 2_000] })
export class WarmUpRequest {
  @ListOf(
    Number,
    'Messages of each day to a mailbox provider, none fewer than the day before. Left out: the default schedule of 21 days, from 50 ' +
      'messages to a million.',
    {
      optional: true,
      allows: isSchedule,
      message: `The \`schedule\` field must have 1 to ${maxSteps} whole numbers from 1 to ${maxPerDay}, none smaller than the one before.`,
      example: [50, 100, 500, 1_000, 2_000],
    },
  )
  schedule?: number[];
}
