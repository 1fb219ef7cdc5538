import { CallResult } from '../../domain/webhook-message.js';
import { SigningSecrets } from './webhook-repository.port.js';

export interface WebhookCall {
  /** Whose calls these are: an endpoint that hangs takes none of another's. */
  readonly webhookId: string;
  readonly url: string;
  /** `msg_…` */
  readonly messageId: string;
  readonly sentAt: Date;
  readonly secrets: SigningSecrets;
  readonly body: string;
  /** Asked when its turn has come: by then nobody may want it any more. */
  readonly isWanted: () => boolean;
}

/**
 * Calls an endpoint once, signed (docs/wire-contract.md section 22.1).
 *
 * Never throws for anything the other side did: refused connections, forbidden addresses and silence are results with
 * status 0. Ends within 15 seconds of its beginning whatever the other side does; it may have to wait for its turn before.
 * Undefined where it was not wanted any more: nothing was sent.
 */
export abstract class WebhookClient {
  abstract call(call: WebhookCall): Promise<CallResult | undefined>;
}
