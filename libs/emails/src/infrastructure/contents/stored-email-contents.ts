import { Injectable } from '@nestjs/common';
import { MergeValues, NotFoundError } from '#kernel';
import { begun, inPieces, ReadBudget, streamedBytes } from '#http/server';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import {
  ContentReader,
  EmailContents,
  ReadableAttachment,
  ReadableBody,
  ReadableText,
  Released,
} from '../../application/ports/email-contents.port.js';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { decodeBody, storedMime } from '../../application/stored-content.js';
import { Attachment, contentIdOf, Email } from '../../domain/email.js';
import { maxSharedBodyBytes, PersonalBody } from '../../domain/shared-content.js';
import { keptUnsubscribeTags } from '../../domain/unsubscribe-tags.js';
import { mimeParser, MimeQuestion, ParsedMime } from '../mime/mime.parser.js';
import { bodyInPieces } from '../persistence/body-in-pieces.js';

/** Emails up to this size are read whole, without a share of the memory. Most emails are a tenth of it. */
const maxWholeBytes = 256 * 1024;
/** Bytes of memory per byte of a finished message while it is read: as stored, as parsed and as sent. */
const bytesPerParsedByte = 3;

/** Memory for personal content while it is read: as stored, as rendered and as sent. */
const personalBytes = 3 * maxSharedBodyBytes;

const nothing: ReadableBody = { html: null, text: null, release: () => undefined };

/** Reads contents from the message store: finished MIME messages with a parser, composed emails in pieces. */
@Injectable()
export class StoredEmailContents extends EmailContents {
  constructor(
    private readonly store: MessageStore,
    private readonly parsers: ParserThreads,
    private readonly budget: ReadBudget,
  ) {
    super();
  }

  /**
   * Mail of the service itself is sent through one of the teams, and has links that set passwords and make members:
   * only its recipient reads it. Mail that the service forwards is the team's own: it was received for the team.
   */
  async bodyOf(email: Email, reader: ContentReader): Promise<ReadableBody> {
    if (email.actor.kind === 'service' && (email.forwardedFrom ?? null) === null) return nothing;
    if (email.mergeValues !== null) return this.personalBodyOf(email, email.mergeValues, reader);
    const { size } = email;
    const id = contentIdOf(email);
    if (size <= maxWholeBytes) {
      const stored = (await this.store.get([id])).get(id);
      if (stored === undefined) return nothing;
      const mime = storedMime(stored);
      if (mime === undefined) return { ...nothing, ...decodeBody(stored) };
      return readable(await this.parse(email, mime, 'body', reader), nothing);
    }
    if (await this.isMime(email)) {
      return this.charged(reader, size * bytesPerParsedByte, async (share) =>
        readable(await this.parseWhole(email, 'body', reader), share),
      );
    }
    return this.charged(reader, streamedBytes(size), async (share) => {
      const stored = await begun(this.store.read(id));
      if (stored === undefined) return { ...nothing, release: () => share.release() };
      const release = (): void => {
        share.release();
        void stored.return(undefined);
      };
      return { ...(await bodyInPieces(stored)), release };
    });
  }

  private async personalBodyOf(email: Email, values: MergeValues, reader: ContentReader): Promise<ReadableBody> {
    const id = contentIdOf(email);
    const read = async (share: Released): Promise<ReadableBody> => {
      const stored = (await this.store.get([id])).get(id);
      const release = (): void => share.release();
      if (stored === undefined) return { ...nothing, release };
      const { html, text } = new PersonalBody(decodeBody(stored)).render({ ...values, ...keptUnsubscribeTags });
      return { html: readableText(html), text: readableText(text), release };
    };
    return email.size <= maxWholeBytes ? read(nothing) : this.charged(reader, personalBytes, read);
  }

  async attachmentsOf(email: Email, reader: ContentReader): Promise<readonly Attachment[]> {
    if (email.attachments !== null) return email.attachments;
    return (await this.inMime(email, 'attachments', reader))?.parsed.attachments ?? [];
  }

  async attachment(email: Email, attachmentId: string, reader: ContentReader): Promise<ReadableAttachment | undefined> {
    if (email.attachments !== null) return this.storedAttachment(email.attachments, attachmentId, reader);
    const found = await this.inMime(email, { attachmentId }, reader, 'held');
    const [attachment] = found?.parsed.attachments ?? [];
    const content = found?.parsed.content ?? undefined;
    if (found !== undefined && attachment !== undefined && content !== undefined) {
      return { attachment, content, release: () => found.share.release() };
    }
    found?.share.release();
    return undefined;
  }

  private async storedAttachment(
    attachments: readonly Attachment[],
    id: string,
    reader: ContentReader,
  ): Promise<ReadableAttachment | undefined> {
    const attachment = attachments.find((candidate) => candidate.id === id);
    if (attachment === undefined) return undefined;
    return this.charged(reader, streamedBytes(attachment.size), async (share) => {
      const content = await begun(this.store.read(id));
      if (content === undefined && attachment.size > 0) throw new NotFoundError('Attachment');
      return { attachment, content: content ?? new Uint8Array(), release: () => share.release() };
    });
  }

  /** Undefined if the email is not a finished MIME message. Releases the share at once unless it should be `held`. */
  private async inMime(
    email: Email,
    wanted: MimeQuestion['wanted'],
    reader: ContentReader,
    held?: 'held',
  ): Promise<{ readonly parsed: ParsedMime; readonly share: Released } | undefined> {
    if (!(await this.isMime(email))) return undefined;
    return this.charged(reader, email.size * bytesPerParsedByte, async (share) => {
      const parsed = await this.parseWhole(email, wanted, reader);
      if (held === undefined) share.release();
      return { parsed, share };
    });
  }

  private async isMime(email: Email): Promise<boolean> {
    for await (const piece of this.store.read(contentIdOf(email))) return storedMime(piece) !== undefined;
    return false;
  }

  private async parseWhole(email: Email, wanted: MimeQuestion['wanted'], reader: ContentReader): Promise<ParsedMime> {
    const stored = await loadWhole(this.store.read(email.id), email.size + 1);
    return this.parse(email, stored.subarray(1), wanted, reader);
  }

  private async parse(
    { id }: Email,
    bytes: Uint8Array,
    wanted: MimeQuestion['wanted'],
    reader: ContentReader,
  ): Promise<ParsedMime> {
    try {
      return await this.parsers.run(mimeParser, { owner: ownersOf(reader), bytes, options: { emailId: id, wanted } });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      const unreadable = `The message could not be read: it ${error.reason}`;
      return { html: null, text: null, attachments: [], content: null, unreadable };
    }
  }

  /** Runs `read` with a share of the memory for reads, and releases the share where `read` fails. */
  private async charged<T>(reader: ContentReader, bytes: number, read: (share: Released) => Promise<T>): Promise<T> {
    const share = await this.budget.take(reader, bytes);
    try {
      return await read(share);
    } catch (error) {
      share.release();
      throw error;
    }
  }
}

function readable({ html, text, unreadable }: ParsedMime, share: Released): ReadableBody {
  const release = (): void => share.release();
  return { html: textOf(html), text: textOf(text), unreadable: unreadable ?? undefined, release };
}

function readableText(text: string | null): ReadableText | null {
  return text === null || text.length <= maxWholeBytes ? text : inPieces(Buffer.from(text));
}

function ownersOf(reader: ContentReader): string | readonly string[] {
  return typeof reader === 'string' ? reader : [reader.address, reader.links];
}

function textOf(bytes: Uint8Array | null): ReadableText | null {
  if (bytes === null) return null;
  return bytes.length > maxWholeBytes ? inPieces(bytes) : new TextDecoder().decode(bytes);
}

/** Reads all pieces into one separate buffer. Content of the expected size is copied only once. */
async function loadWhole(pieces: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<Buffer> {
  let whole = Buffer.allocUnsafeSlow(expectedBytes);
  let length = 0;
  for await (const piece of pieces) {
    if (length + piece.length > whole.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length + piece.length, 2 * whole.length));
      whole.copy(larger, 0, 0, length);
      whole = larger;
    }
    whole.set(piece, length);
    length += piece.length;
  }
  return whole.subarray(0, length);
}
