import { CallResult, DueMessage } from '../../domain/webhook-message.js';

/** A call that has ended, or a message that cannot be sent because its event is no longer stored. */
export interface FinishedCall {
  readonly message: DueMessage;
  readonly sentAt: Date;
  readonly result: CallResult;
  /** True if no call was made: the result then does not count for the endpoint's health. */
  readonly notCalled?: true;
}

/** The state of the endpoint after the call was counted. */
export type EndpointState = 'up' | 'down' | 'disabled';

/** Writes the results of calls. `record` resolves once the result is committed. */
export abstract class CallLog {
  abstract record(call: FinishedCall): Promise<EndpointState>;
}
