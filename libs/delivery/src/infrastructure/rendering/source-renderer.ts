import { SendingDomains } from '#domains';
import type { OutgoingEmail } from '#emails';
import { ParserThreads } from '#platform/parsing';
import { MailTracking } from '#tracking';
import { MailUnsubscribe } from '#unsubscribe';
import { Injectable } from '@nestjs/common';
import type { RenderedContent } from '../../application/ports/message-renderer.port.js';
import { htmlTextParser } from './html-text.parser.js';
import { MimeMessageRenderer } from './mime-message-renderer.js';

/**
 * Renders for those who read a source: the same bytes as for delivery. The text part of a large html is derived in a
 * thread, because a source may be asked for again and again.
 */
@Injectable()
export class SourceRenderer extends MimeMessageRenderer {
  constructor(
    domains: SendingDomains,
    tracking: MailTracking,
    unsubscribe: MailUnsubscribe,
    private readonly threads: ParserThreads,
  ) {
    super(domains, tracking, unsubscribe);
  }

  override async render(outgoing: OutgoingEmail): Promise<RenderedContent> {
    const { body, mime, email } = outgoing;
    if (mime !== undefined || body.html === null || body.text !== null) return super.render(outgoing);
    const bytes = new Uint8Array(Buffer.from(body.html.toString()));
    const text = await this.threads.run(htmlTextParser, { owner: email.teamId, bytes, options: undefined });
    // An empty text would mean: no text part.
    return super.render(text === '' ? outgoing : { ...outgoing, body: { ...body, text } });
  }
}
