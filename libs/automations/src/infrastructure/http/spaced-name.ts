import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * The last segment of the path, decoded as a form: Ruby writes a blank as a plus, and a plus as `%2B`. In the decoded
 * parameter nobody could tell them apart.
 */
export const SpacedName = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const [path = ''] = (context.switchToHttp().getRequest<FastifyRequest>().raw.url ?? '').split('?', 1);
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1).replaceAll('+', ' '));
});
