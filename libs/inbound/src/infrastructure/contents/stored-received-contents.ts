import { MessageStore } from '#emails';
import { found, NotFoundError } from '#kernel';
import { readHeaderFields } from '#mime';
import { begun, ReadBudget, streamedBytes } from '#http/server';
import { ParserThreads, ParsingBusyError, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import {
  ReceivedContentReader,
  HtmlFormat,
  ReadableReceived,
  ReadableReceivedAttachment,
  ReadableSource,
  ReceivedContents,
  ReleasedAfterUse,
} from '../../application/ports/received-contents.port.js';
import { ReceivedEmail } from '../../domain/received-email.js';
import { BodyQuestion, nothing, ParsedBody, receivedBodyParser } from '../mime/received-body.parser.js';
import { replyTextParser } from '../mime/reply-text.parser.js';

/** Messages up to this size are read without a share of the memory. Most messages are a tenth of it. */
const maxWholeBytes = 256 * 1024;
/** Bytes of memory per byte of a message while it is read: as stored, as parsed with its images, and as sent. */
const bytesPerParsedByte = 4;
/** Longer texts are no replies that a person wrote. */
const maxReplyBytes = 64 * 1024;

const free: ReleasedAfterUse = { release: () => undefined };

@Injectable()
export class StoredReceivedContents extends ReceivedContents {
  constructor(
    private readonly store: MessageStore,
    private readonly parsers: ParserThreads,
    private readonly budget: ReadBudget,
  ) {
    super();
  }

  body(email: ReceivedEmail, format: HtmlFormat, reader: ReceivedContentReader): Promise<ReadableReceived> {
    return this.charged(email, reader, async (share) => {
      const parsed = await this.parse(email, { wanted: 'body', format }, reader);
      const { html, text, textOfHtml, textOfReply, fields, unreadable } = parsed;
      return {
        html,
        text,
        plain: text ?? textOfHtml,
        replyText: await this.replyIn(text ?? textOfReply, reader),
        headers: headersOf([...traceFields(email), ...fields]),
        ...(unreadable === null ? {} : { unreadable }),
        release: () => share.release(),
      };
    });
  }

  attachment(email: ReceivedEmail, id: string, reader: ReceivedContentReader): Promise<ReadableReceivedAttachment> {
    const attachment = found(
      'Attachment',
      email.attachments.find((candidate) => candidate.id === id),
    );
    return this.charged(email, reader, async (share) => {
      const question = { wanted: 'attachment', contentId: email.contentId, attachmentId: id } as const;
      const { content } = await this.parse(email, question, reader);
      if (content === null) throw new NotFoundError('Attachment');
      return { attachment, content, release: () => share.release() };
    });
  }

  async textOf(content: Uint8Array, reader: string): Promise<string> {
    try {
      const options = { wanted: 'body', format: 'cid' } as const;
      const { text, textOfHtml } = await this.parsers.run(receivedBodyParser, {
        owner: reader,
        bytes: content,
        options,
      });
      return text === null ? (textOfHtml ?? '') : Buffer.from(text).toString('utf8');
    } catch (error) {
      if (error instanceof UnreadableError) return '';
      throw error;
    }
  }

  async source(email: ReceivedEmail, reader: ReceivedContentReader): Promise<ReadableSource> {
    const trace = Buffer.from(email.trace);
    const share = await this.budget.take(reader, streamedBytes(email.size));
    try {
      const content = await begun(this.store.read(email.contentId));
      if (content === undefined) throw new NotFoundError('The content of the email');
      const whole = async function* (): AsyncGenerator<Uint8Array> {
        yield trace;
        yield* content;
      };
      return { size: trace.length + email.size, content: whole(), release: () => share.release() };
    } catch (error) {
      share.release();
      throw error;
    }
  }

  private async parse(email: ReceivedEmail, options: BodyQuestion, reader: ReceivedContentReader): Promise<ParsedBody> {
    const bytes = await this.wholeOf(email);
    try {
      return await this.parsers.run(receivedBodyParser, { owner: ownersOf(reader), bytes, options });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      const unreadable = `The message could not be read: it ${error.reason}`;
      return { ...nothing, unreadable };
    }
  }

  private async wholeOf({ contentId, size }: ReceivedEmail): Promise<Uint8Array> {
    const whole = new Uint8Array(size);
    let at = 0;
    for await (const piece of this.store.read(contentId)) {
      whole.set(piece.subarray(0, size - at), at);
      at += piece.length;
    }
    if (at === 0 && size > 0) throw new NotFoundError('The content of the email');
    return whole;
  }

  /** A reply that takes too long to find is left out, and never fails a read. */
  private async replyIn(text: Uint8Array | string | null, reader: ReceivedContentReader): Promise<string | null> {
    if (text === null || text.length === 0 || text.length > maxReplyBytes) return null;
    try {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      return await this.parsers.run(replyTextParser, {
        owner: ownersOf(reader),
        bytes: Uint8Array.from(bytes),
        options: null,
      });
    } catch (error) {
      if (error instanceof UnreadableError || error instanceof ParsingBusyError) return null;
      throw error;
    }
  }

  /** Runs `read` with a share of the memory for reads, and releases the share if `read` fails. */
  private async charged<T>(
    email: ReceivedEmail,
    reader: ReceivedContentReader,
    read: (share: ReleasedAfterUse) => Promise<T>,
  ): Promise<T> {
    const { size } = email;
    const share = size <= maxWholeBytes ? free : await this.budget.take(reader, size * bytesPerParsedByte);
    try {
      return await read(share);
    } catch (error) {
      share.release();
      throw error;
    }
  }
}

function traceFields({ trace }: ReceivedEmail): (readonly [string, string])[] {
  return readHeaderFields(trace).map(({ raw }) => {
    const colon = raw.indexOf(':');
    return [
      raw.slice(0, colon),
      raw
        .slice(colon + 1)
        .replace(/\r\n[ \t]+/g, ' ')
        .trim(),
    ];
  });
}

function headersOf(fields: readonly (readonly [string, string])[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const known = headers.get(key);
    headers.set(key, known === undefined ? value : `${known}\n${value}`);
  }
  return Object.fromEntries(headers);
}

function ownersOf(reader: ReceivedContentReader): string | readonly string[] {
  return typeof reader === 'string' ? reader : [reader.address, reader.links];
}
