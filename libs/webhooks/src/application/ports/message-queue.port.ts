import { SigningSecrets } from './webhook-repository.port.js';
import { DueMessage } from '../../domain/webhook-message.js';

/** An endpoint as the worker that has its lane sees it. */
export interface LaneEndpoint {
  readonly url: string;
  readonly secrets: SigningSecrets;
  /** Set: it is down, and one message at a time may be sent from then on. */
  readonly probeAt: Date | null;
}

export interface LaneWork {
  readonly endpoint: LaneEndpoint;
  /** Longest due first. */
  readonly due: readonly DueMessage[];
}

export interface LanesWithWork {
  readonly webhookIds: readonly string[];
  /** The last endpoint looked at; undefined: there are none behind it. */
  readonly last: string | undefined;
}

/**
 * The messages still to be sent, and whose lane each endpoint is.
 *
 * A lane belongs to one worker for some seconds at a time. What is due is read, not marked: a worker that dies leaves
 * nothing behind, and the next one sends what has no outcome yet. A message may so be sent twice, under the same id.
 */
export abstract class MessageQueue {
  /** False where another worker has the lane. */
  abstract takeLane(webhookId: string, workerId: string): Promise<boolean>;

  /** Keeps all lanes of the worker for the next seconds. To be repeated well within them. */
  abstract keepLanes(workerId: string): Promise<void>;

  abstract leaveLane(webhookId: string, workerId: string): Promise<void>;

  /**
   * What is due, except what is named, at most `limit`; one message where the endpoint is down and may be probed, none
   * where it may not. Undefined where the lane is not the worker's, or the endpoint is disabled or gone.
   */
  abstract work(
    webhookId: string,
    workerId: string,
    now: Date,
    except: readonly string[],
    limit: number,
  ): Promise<LaneWork | undefined>;

  /**
   * Of the next `limit` endpoints behind one that have something waiting, those that have something due, may be called and
   * are not another worker's.
   */
  abstract lanesWithWork(workerId: string, now: Date, after: string | undefined, limit: number): Promise<LanesWithWork>;

  /** Removes from the queue, in one batch of bounded size, what no endpoint waits for or nobody may expect any more. */
  abstract sweepOut(now: Date): Promise<number>;
}
