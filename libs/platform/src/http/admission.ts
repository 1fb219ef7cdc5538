import type { FastifyReply } from 'fastify';

/**
 * What every authenticated request must pass, whatever it asks for. Called once per request, as soon as it is known
 * whose it is: may add headers to the answer, also to one that refuses, and throws a DomainError to refuse.
 */
export abstract class Admission {
  abstract admit(teamId: string, reply: FastifyReply): Promise<void>;
}
