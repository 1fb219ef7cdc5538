import { CallResult } from '../../domain/webhook-message.js';
import { SigningSecrets } from './webhook-repository.port.js';

export interface WebhookCall {
  /** The endpoint that is charged for the connection: one that hangs takes no connection from another. */
  readonly webhookId: string;
  readonly url: string;
  /** `msg_…` */
  readonly messageId: string;
  readonly sentAt: Date;
  readonly secrets: SigningSecrets;
  readonly body: string;
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
