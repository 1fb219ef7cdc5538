import { Transaction } from '#kernel';
import { DisabledEndpoint, EndpointHealth } from '../../domain/failures.js';
import { StoredEvent } from '../../domain/payload.js';
import { Webhook } from '../../domain/webhook.js';
import { CallResult, DueMessage, MessageStatus, WebhookMessage } from '../../domain/webhook-message.js';
import { SigningSecrets } from './webhook-repository.port.js';

/** What a call needs to know about its endpoint. */
export interface CalledEndpoint extends Pick<Webhook, 'teamId' | 'endpoint' | 'format' | 'settings'> {
  readonly secrets: SigningSecrets;
}

export interface WebhookRequest {
  /** JSON. */
  readonly body: string;
  /** Names in small letters. They are sent beside our own, which go before them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The request with which an event is reported. Undefined if the endpoint gets no such event. */
export type WebhookFormat = (
  message: WebhookMessage,
  event: StoredEvent,
  endpoint: CalledEndpoint,
  sentAt: Date,
) => WebhookRequest | undefined;

/**
 * The formats of other providers, by their names. Loaded only where such are understood. A format only reads what it is
 * given, and the same event has the same ids in it every time.
 */
export abstract class OtherFormats {
  abstract named(name: string): WebhookFormat | undefined;
}

export interface WebhookCall {
  /** The endpoint that is charged for the connection: one that hangs takes no connection from another. */
  readonly webhookId: string;
  readonly url: string;
  /** `msg_…` */
  readonly messageId: string;
  readonly sentAt: Date;
  readonly secrets: SigningSecrets;
  readonly request: WebhookRequest;
  /** Called when the call gets its turn. If it returns false, nothing is sent. */
  readonly isWanted: () => boolean;
}

/**
 * Calls an endpoint once, signed (docs/wire-contract.md section 22.1).
 *
 * Never throws for anything the other side did: refused connections, forbidden addresses and timeouts are results with
 * status 0. Ends at most 15 seconds after the call gets its turn. Resolves to undefined if `isWanted` returned false.
 */
export abstract class WebhookClient {
  abstract call(call: WebhookCall): Promise<CallResult | undefined>;
}

/** A call that has ended, or a message that is done without one. */
export interface FinishedCall {
  readonly message: DueMessage;
  readonly sentAt: Date;
  readonly result: CallResult;
  /**
   * Why no call was made: the event is no longer `stored`, or not `wanted` in the format of the endpoint. The result then
   * does not count for the endpoint's health.
   */
  readonly notCalled?: 'not stored' | 'not wanted';
}

/** The state of the endpoint after the call was counted. */
export type EndpointState = 'up' | 'down' | 'disabled';

/** A call, and what becomes of its message. */
export interface SettledCall {
  readonly call: FinishedCall;
  /** Id in the history of attempts. It stays the same if the write is repeated. */
  readonly attemptId: string;
  readonly status: MessageStatus;
  /** Time of the next try; undefined if there is none. */
  readonly dueAt: Date | undefined;
}

/** Calls that have ended, to be settled in one transaction. */
export interface CallBatch {
  readonly calls: readonly Pick<SettledCall, 'call' | 'attemptId'>[];
  /** Those of them that no earlier transaction has counted for the health of their endpoints. */
  readonly uncounted: readonly FinishedCall[];
  readonly now: Date;
}

/** The calls as they were written, and the endpoints that are not up any more. */
export interface SettledBatch {
  readonly calls: readonly SettledCall[];
  readonly states: ReadonlyMap<string, EndpointState>;
}

export interface StoredHealth extends EndpointHealth {
  readonly id: string;
  readonly status: string;
}

export interface HealthChange {
  readonly before: StoredHealth;
  readonly after: EndpointHealth;
  /** Why the endpoint is disabled now; undefined if it is not. */
  readonly disabledReason: string | undefined;
}

/** What the calls of an endpoint in one batch came to. */
export interface CallTally {
  readonly id: string;
  readonly calls: number;
  readonly succeeded: number;
  readonly last: FinishedCall;
}

/** Makes the results of calls durable. Calls that end at about the same time share a transaction. */
export abstract class CallLog {
  /**
   * Returns the function that records a call. It resolves once the batch with this call is committed, however long the
   * database is away. `settle` runs again for a batch whose commit was not confirmed.
   */
  abstract inBatches(
    settle: (batch: CallBatch, transaction: Transaction) => Promise<SettledBatch>,
  ): (call: FinishedCall) => Promise<EndpointState>;

  /**
   * Finished messages leave the queue, the others get a due time, and every call is logged. A result counts only if the
   * message is still at the attempt that the call belongs to.
   */
  abstract write(calls: readonly SettledCall[], transaction: Transaction): Promise<void>;

  /** Keeps the last response and the number of calls of each hour. A success resets the failures of its endpoint. */
  abstract count(tallies: readonly CallTally[], now: Date, transaction: Transaction): Promise<void>;

  /** The health of endpoints, which stay locked until the transaction ends. Removed endpoints are absent. */
  abstract lockHealth(webhookIds: readonly string[], transaction: Transaction): Promise<readonly StoredHealth[]>;

  abstract changeHealth(change: HealthChange, transaction: Transaction): Promise<void>;

  /** What a notice says about an endpoint; undefined if it is gone. */
  abstract describe(
    webhookId: string,
    transaction: Transaction,
  ): Promise<Pick<DisabledEndpoint, 'endpoint' | 'teamId' | 'teamName'> | undefined>;
}
