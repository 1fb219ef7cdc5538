import { Example, Shape, Text } from '#http/openapi';

@Shape('The lane to resume.')
@Example('lane', 'A lane', { lane: 'eu-west-1/default/mx:gmail.com' })
export class ResumeLaneRequest {
  @Text('Its name.') lane!: string;
}

@Shape('The lane to pause.')
@Example('lane', 'A lane', { lane: 'eu-west-1/default/mx:gmail.com', note: 'They asked us to' })
export class PauseLaneRequest extends ResumeLaneRequest {
  @Text('Why, for the other operators. At most 200 characters.', { optional: true }) note?: string;
}
