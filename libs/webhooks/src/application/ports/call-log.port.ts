import { CallResult, DueMessage } from '../../domain/webhook-message.js';

/** A call that has ended, or a message whose event is no longer stored and can never be told. */
export interface FinishedCall {
  readonly message: DueMessage;
  readonly sentAt: Date;
  readonly result: CallResult;
  /** True where no call was made at all. It says nothing about the endpoint. */
  readonly untold?: true;
}

/** How the endpoint is doing once the call is counted. */
export type EndpointState = 'up' | 'down' | 'disabled';

/** Where ends of calls are written: resolves once one is durable. */
export abstract class CallLog {
  abstract record(call: FinishedCall): Promise<EndpointState>;
}
