import { Injectable } from '@nestjs/common';
import { ActionOutcome, ReceivedMailActions } from './ports/received-mail-actions.port.js';
import { RecipientDecision, RecipientRouting } from './ports/recipient-routing.port.js';

/** Without routes, each address of a domain that receives is accepted, and told of by webhook. */
@Injectable()
export class PlainRouting extends RecipientRouting {
  async decide(): Promise<RecipientDecision> {
    return { kind: 'accept', announce: true, act: false };
  }
}

/** Without routes there is nothing to do. */
@Injectable()
export class NoActions extends ReceivedMailActions {
  async run(): Promise<ActionOutcome> {
    return { kind: 'done' };
  }
}
