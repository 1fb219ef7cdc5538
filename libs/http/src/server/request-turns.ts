import { Attached, BudgetShare, DomainError, FairBudget, takeWithin } from '#kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LoopTurns } from './loop-turns.js';

/** How long a request waits for its turn. */
const maxWaitMs = 10_000;
/** Requests of one team that wait. Their bodies are in memory, so the next one is refused at once. */
const maxWaiting = 256;
/** Requests of one team whose writes share transactions, from their body to their response. */
const maxGrouped = 256;
const retryAfterSeconds = '5';
/** Turns of the event loop that are this long leave a team one request at a time. */
const longLoopTurnMs = 15;

const tooManyRequests = (): DomainError =>
  new DomainError(
    'limited',
    'rate_limit_exceeded',
    'Too many requests of your team are being processed at once. Please try again later.',
  );

/** Who sends a request: the team, and in it the API key or the user. */
export interface RequestSender {
  readonly teamId: string;
  /** Key of the API key or user. */
  readonly principal: string;
}

const turns = new Attached<FastifyRequest, () => void>();

/**
 * The requests that a process works on at the same time, except for those that send mail. The places are fewer than the
 * connections to the database. One team may hold about half of them and one API key or user of it all but one of these,
 * so that others always get a place, however long the requests of one team take.
 *
 * A request takes more places the longer the turns of the event loop are, until a team has one request at a time:
 * requests that take much time of the main thread must not delay mail and new connections.
 */
export class RequestTurns {
  private readonly teams: FairBudget;
  private readonly principals: FairBudget;
  private readonly waiting = new FairBudget({ total: Infinity, maxPerOwner: maxWaiting });
  private readonly grouped = new FairBudget({ total: Infinity, maxPerOwner: maxGrouped });

  /** The most places that one request takes. A team that holds its share leaves as many to others. */
  private readonly maxPlaces: number;

  /** @param maxConnections connections to the database of this process. */
  constructor(
    maxConnections: number,
    private readonly loop: Pick<LoopTurns, 'meanMs'> = new LoopTurns(),
  ) {
    const total = Math.max(3, Math.floor(maxConnections * 0.625));
    const ofTeam = Math.max(2, Math.floor(maxConnections * 0.375));
    this.teams = new FairBudget({ total, maxPerOwner: ofTeam });
    this.principals = new FairBudget({ total: Infinity, maxPerOwner: ofTeam - 1 });
    this.maxPlaces = total - ofTeam;
  }

  /** Releases the turn of each request when its response is complete, before it is sent: a slow reader holds no turn. */
  follow(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      endTurn(request);
      done(null, payload);
    });
    // A response whose hooks have failed is sent without them.
    fastify.addHook('onResponse', (request, _reply, done) => {
      endTurn(request);
      done();
    });
  }

  /** Undefined if the request has its turn at once. Throws if it has waited too long. */
  take(sender: RequestSender, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { teamId, principal } = sender;
    const places = this.places();
    const own = this.principals.takeAtOnce([principal], places);
    const ofTeam = own === undefined ? undefined : this.teams.takeAtOnce([teamId], places);
    if (own === undefined || ofTeam === undefined) return this.wait(sender, own, request, reply);
    hold(request, reply, ofTeam, own);
    return undefined;
  }

  /**
   * For requests whose writes share a transaction with those of others: they hold no connection, so they need no place,
   * and the more of them are under way, the fewer transactions there are. Throws if too many are.
   */
  takeGrouped({ teamId }: RequestSender, request: FastifyRequest, reply: FastifyReply): void {
    const share = this.grouped.takeAtOnce([teamId], 1);
    if (share === undefined) {
      void reply.header('retry-after', retryAfterSeconds);
      throw tooManyRequests();
    }
    hold(request, reply, share);
  }

  private async wait(
    { teamId, principal }: RequestSender,
    taken: BudgetShare | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const place = this.waiting.takeAtOnce([teamId], 1);
    let own = taken;
    try {
      if (place === undefined) throw tooManyRequests();
      const ofTeam = await takeWithin({ maxWaitMs, refusal: tooManyRequests }, async (signal) => {
        own ??= await this.principals.take([principal], this.places(), signal);
        return this.teams.take([teamId], own.amount, signal);
      });
      hold(request, reply, ofTeam, own as BudgetShare);
    } catch (error) {
      own?.release();
      void reply.header('retry-after', retryAfterSeconds);
      throw error;
    } finally {
      place?.release();
    }
  }

  private places(): number {
    return Math.min(this.maxPlaces, Math.max(1, Math.floor((this.maxPlaces * this.loop.meanMs) / longLoopTurnMs)));
  }
}

/**
 * Releases the turn of a request. A second call does nothing. For replies that do not end: all others are released by
 * themselves.
 */
export function endTurn(request: FastifyRequest): void {
  turns.get(request)?.();
  turns.delete(request);
}

function hold(request: FastifyRequest, reply: FastifyReply, ...shares: readonly BudgetShare[]): void {
  turns.set(request, () => shares.forEach((share) => share.release()));
  // A request that ended before it had come completely has no response. One that has come keeps its turn until its work
  // is done.
  const endIfCutOff = (): void => {
    if (!request.raw.complete) endTurn(request);
  };
  if (reply.raw.destroyed) endIfCutOff();
  else reply.raw.once('close', endIfCutOff);
}
