import { Example, Id, Shape, Text } from '#http/openapi';
import { MaxLength } from 'class-validator';
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
