import { Clock, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ManageWebhooks } from './manage-webhooks.use-case.js';
import { LaneSignal } from './ports/lane-signal.port.js';
import { TestMessages } from './ports/test-messages.port.js';

export class DisabledWebhookError extends ValidationError {
  constructor() {
    super('The webhook is disabled. Enable it first.');
  }
}

/** Sends a test event to an endpoint: signed, logged and tried again like every other message. */
@Injectable()
export class TestWebhook {
  constructor(
    private readonly webhooks: ManageWebhooks,
    private readonly messages: TestMessages,
    private readonly signal: LaneSignal,
    private readonly clock: Clock,
  ) {}

  /** Resolves to the id of the message. */
  async execute(teamId: string, webhookId: string): Promise<string> {
    const { status } = await this.webhooks.find(teamId, webhookId);
    if (status === 'disabled') throw new DisabledWebhookError();
    const id = await this.messages.add(teamId, webhookId, this.clock.now());
    await this.signal.wake(webhookId);
    return id;
  }
}
