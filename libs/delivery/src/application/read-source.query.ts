import { Email, OutgoingEmail, OutgoingEmails } from '#emails';
import { Injectable } from '@nestjs/common';
import { UndeliverableError } from '../domain/attempt.js';
import { MessageRenderer } from './ports/message-renderer.port.js';

/** The whole message of an email as a recipient gets it, made by the same renderer as for delivery. */
@Injectable()
export class ReadSource {
  constructor(
    private readonly emails: OutgoingEmails,
    private readonly renderer: MessageRenderer,
  ) {}

  /**
   * The caller has found the email for its team, and holds memory for its content. `recipientNo` counts from 0: To,
   * then Cc, then Bcc. Undefined if the content is gone or the domain was deleted, and for mail of the service itself,
   * which has links that set passwords: only its recipient reads it.
   */
  async read({ id, actor }: Pick<Email, 'id' | 'actor'>, recipientNo: number): Promise<Uint8Array | undefined> {
    if (actor.kind === 'service') return undefined;
    const outgoing = (await this.emails.load([id])).get(id);
    return outgoing === undefined ? undefined : this.of(outgoing, recipientNo);
  }

  /** The same of an email that the caller has, for example one that is not sent. */
  async of(outgoing: OutgoingEmail, recipientNo: number): Promise<Uint8Array | undefined> {
    try {
      const content = await this.renderer.render(outgoing);
      return typeof content === 'function' ? await content(recipientNo) : content;
    } catch (error) {
      if (error instanceof UndeliverableError) return undefined;
      throw error;
    }
  }
}
