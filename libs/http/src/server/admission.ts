import type { MaybePromise } from '#kernel';
import type { FastifyReply } from 'fastify';

/**
 * A check of every authenticated request, such as a rate limit. It is called once per request, as soon as the team is
 * known. It may add headers to the response, also if it refuses the request, and throws a DomainError to refuse it.
 */
export abstract class Admission {
  abstract admit(teamId: string, reply: FastifyReply): MaybePromise<void>;
}
