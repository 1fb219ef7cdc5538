import type { ReceivedEmail } from '#inbound';
import { DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Ended, Later, Task } from '../domain/route-task.js';
import { ForwardReceived } from './forward-received.js';
import { HandOvers } from './hand-overs.js';
import { maxHandOverMs } from './ports/hand-over.port.js';
import { LoadedMessage } from './ports/message-sources.port.js';

/** The two ways in which a message leaves. */
@Injectable()
export class RouteActors {
  constructor(
    private readonly forwardReceived: ForwardReceived,
    private readonly handOvers: HandOvers,
  ) {}

  async forward({ recipient, target }: Task, email: ReceivedEmail, message: LoadedMessage): Promise<Ended | Later> {
    try {
      return { outcome: 'done', emailId: await this.forwardReceived.execute({ email, message, recipient, target }) };
    } catch (error) {
      if (error instanceof DomainError) return { later: `Not forwarded to ${target}: ${error.message}` };
      throw error;
    }
  }

  /** Holds the message until the delivery has ended, which may take longer than the run; then it calls `record`. */
  async handOver(
    { key, action, host, recipient }: Task,
    email: ReceivedEmail,
    message: LoadedMessage,
    record: (end: Ended) => Promise<void>,
  ): Promise<Ended | Later> {
    if (host === undefined || action === 'forward' || action === 'webhook') return { outcome: 'not_possible' };
    message.hold();
    const content = (async function* () {
      yield new TextEncoder().encode(`Delivered-To: ${recipient}\r\n`);
      yield message.trace;
      yield message.content;
    })();
    const request = { protocol: action, ...host, mailFrom: email.mailFrom, recipient, content };
    const state = await this.handOvers.deliver(email, `${email.id} ${key}`, request, {
      ended: () => message.release(),
      settledLate: ({ kind, detail }) => record({ outcome: kind === 'delivered' ? 'done' : 'refused', detail }),
    });
    switch (state.kind) {
      case 'delivered':
        return { outcome: 'done', detail: state.detail };
      case 'refused':
        return { outcome: 'refused', detail: state.detail };
      case 'failed':
        return { later: `${host.host}: ${state.detail}` };
      case 'under_way':
        return { later: `${host.host}: the delivery is under way`, afterMs: maxHandOverMs };
      case 'busy':
        return { later: `${host.host}: the delivery is waiting` };
    }
  }
}
