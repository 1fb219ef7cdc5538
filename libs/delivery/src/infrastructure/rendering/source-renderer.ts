import { SendingDomains } from '#domains';
import type { OutgoingEmail } from '#emails';
import { ParserThreads } from '#platform/parsing';
import { MailTracking } from '#tracking';
import { MailUnsubscribe } from '#unsubscribe';
import { Injectable } from '@nestjs/common';
import type { RenderedContent } from '../../application/ports/message-renderer.port.js';
import { htmlTextParser } from './html-text.parser.js';
import { composingParser } from './composing.parser.js';
import { type Composed, messageOf, MimeMessageRenderer } from './mime-message-renderer.js';

/**
 * Renders for those who read a source: the same bytes as for delivery. A large message is written in a thread, and so is
 * the text part of a large html, because a source may be asked for again and again.
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

  protected override async compose(outgoing: OutgoingEmail, headRoom: number): Promise<Composed> {
    const { html, text, attachments = [], ...message } = messageOf(outgoing);
    const [htmlBytes, textBytes] = [html, text].map((part) => (part === undefined ? undefined : Buffer.from(part)));
    const files = attachments.map(({ content, ...file }) => ({ ...file, length: content.length }));
    const contents = [htmlBytes, textBytes, ...attachments.map(({ content }) => content)];
    const composed = await this.threads.run(composingParser, {
      owner: outgoing.email.teamId,
      bytes: new Uint8Array(Buffer.concat(contents.filter((content) => content !== undefined))),
      options: { message, headRoom, html: htmlBytes?.length, text: textBytes?.length, attachments: files },
    });
    return { ...composed, headRoom };
  }
}
