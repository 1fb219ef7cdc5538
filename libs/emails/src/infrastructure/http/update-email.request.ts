import { decodeBody } from '#http/server';
import { Example, Shape, Text } from '#http/openapi';
import { maxNaturalLength, parseScheduledAt } from './scheduled-at.js';

/** Body of `PATCH /emails/{id}`: the time is the only thing that can be changed. */
@Shape('The new time of a scheduled email.')
@Example('natural', 'A time in natural English', { scheduled_at: 'in 2 hours' })
export class UpdateEmailRequest {
  @Text(
    'When to send: ISO 8601 (`2026-12-01T09:00:00Z`), or natural English such as `in 1 ' +
      `hour\` or \`tomorrow at 9am\`, of at most ${maxNaturalLength} characters. Both may name a ` +
      'zone (`Europe/Berlin`, `Pacific time`) and mean UTC without one. What is not understood is refused. At most 30 days ' +
      'ahead.',
    { examples: ['in 1 hour'] },
  )
  scheduled_at!: string;
}

export function decodeUpdateRequest(body: unknown, now: Date): { readonly scheduledAt: Date } {
  return { scheduledAt: parseScheduledAt(decodeBody(UpdateEmailRequest, body).scheduled_at, now) };
}
