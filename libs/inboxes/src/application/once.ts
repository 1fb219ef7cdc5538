import { ConcurrentIdempotentRequestsError, IdempotencyKeys, IdempotentRequest, replay } from '#idempotency';
import { Clock, LastStatements, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';

/** A request that its sender may repeat, by the key that came with it. */
export type KeyedRequest = Pick<IdempotentRequest, 'key' | 'fingerprint'>;

/** Method and path, with the id of the inbox where a client may write its address. */
export interface KeyedEndpoint {
  readonly teamId: string;
  readonly endpoint: string;
  readonly keyed: KeyedRequest | undefined;
}

/** What a request writes in one transaction. */
export interface PreparedWork<Response> {
  readonly response: Response;
  /** Locks what the request changes. Resolves with the response if it was done before, by another request. */
  readonly settled?: (transaction: Transaction) => Promise<Response | undefined>;
  /** The last statements of the transaction. They resolve with what is to be called after the commit. */
  readonly write: (transaction: Transaction) => Promise<LastStatements<() => void>>;
}

const nothing = async (): Promise<LastStatements<() => void>> => ({ send: async () => () => undefined });

/** Does requests with an idempotency key once: the key is durable if and only if what the request has written is. */
@Injectable()
export class Once {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` for a request to an endpoint of a team. It prepares what the request writes and then calls `commit`. A repetition gets the response of the
   * first request, without its work. A refusal changes nothing.
   */
  async run<Response>(
    { teamId, endpoint, keyed }: KeyedEndpoint,
    work: (commit: (prepared: PreparedWork<Response>) => Promise<Response>) => Promise<Response>,
  ): Promise<Response> {
    const request = keyed === undefined ? undefined : { teamId, endpoint, ...keyed };
    const claimedAt = this.clock.now();
    const known = request === undefined ? undefined : await this.keys.find(request, claimedAt);
    if (request !== undefined && known !== undefined) return replay(request, known) as Response;
    return work((prepared) => this.commit(request, claimedAt, prepared));
  }

  private async commit<Response>(
    request: IdempotentRequest | undefined,
    claimedAt: Date,
    prepared: PreparedWork<Response>,
  ): Promise<Response> {
    const { response, afterwards } = await this.work.runPipelined(async (transaction) => {
      const settled = await prepared.settled?.(transaction);
      const own = settled ?? prepared.response;
      const repeated = await this.claim(request, own, claimedAt, transaction);
      const isNew = settled === undefined && repeated === undefined;
      const last = await (isNew ? prepared.write(transaction) : nothing());
      return {
        mayRefuse: last.mayRefuse,
        send: async () => ({ response: repeated ?? own, afterwards: await last.send() }),
      };
    });
    afterwards();
    return response;
  }

  /** The response of an earlier request with the key; undefined if this is the first. */
  private async claim<Response>(
    request: IdempotentRequest | undefined,
    response: Response,
    claimedAt: Date,
    transaction: Transaction,
  ): Promise<Response | undefined> {
    if (request === undefined) return undefined;
    const [result] = await this.keys.claim([{ request, response, claimedAt }], transaction);
    switch (result?.kind) {
      case 'in progress':
        throw new ConcurrentIdempotentRequestsError();
      case 'known':
        return replay(request, result) as Response;
      default:
        return undefined;
    }
  }
}
