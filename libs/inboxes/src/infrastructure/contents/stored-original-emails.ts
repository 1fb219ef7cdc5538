import { ReadAttachments, ReadEmails } from '#emails';
import type { RequestedAttachment } from '#emails';
import { ReceivedContents, ReceivedEmails } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { found } from '#kernel';
import { readHeaderFields } from '#mime';
import { Injectable } from '@nestjs/common';
import { OriginalContents, OriginalEmails } from '../../application/ports/draft-repository.port.js';
import { messageIdsOf } from '../../domain/answer.js';
import { UnreadableEmailError } from '../../domain/draft-errors.js';
import { Body } from '../../domain/forwarded-body.js';
import { InboxEmail } from '../../domain/thread.js';

type Described = Pick<ReceivedEmail['attachments'][number], 'filename' | 'contentType' | 'contentId'>;
type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/** Bytes of a message in which its header is looked for. */
const maxHeaderBytes = 256 * 1024;
const contentTypeForm = /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}$/;
const contentIdForm = /^[\x21-\x3b\x3d\x3f-\x7e]{1,127}$/;
const maxFileName = 255;

/** Reads received emails through #inbound, and sent ones through #emails. */
@Injectable()
export class StoredOriginalEmails extends OriginalEmails {
  constructor(
    private readonly received: ReceivedEmails,
    private readonly receivedContents: ReceivedContents,
    private readonly sent: ReadEmails,
    private readonly sentAttachments: ReadAttachments,
  ) {
    super();
  }

  async references(teamId: string, { id, direction }: InboxEmail): Promise<readonly string[]> {
    if (direction === 'outbound') {
      const headers = Object.entries((await this.sent.findMetadata(teamId, id))?.headers ?? {});
      return messageIdsOf(headers.find(([name]) => name.toLowerCase() === 'references')?.[1] ?? '');
    }
    const email = await this.received.find(teamId, id);
    return email === undefined ? [] : this.receivedReferences(email);
  }

  async sizeOf(teamId: string, { id, direction }: InboxEmail): Promise<number | undefined> {
    if (direction === 'outbound') return (await this.sent.findMetadata(teamId, id))?.size;
    return (await this.received.find(teamId, id))?.size;
  }

  contents(teamId: string, email: InboxEmail): Promise<OriginalContents> {
    return email.direction === 'outbound' ? this.ofSent(teamId, email.id) : this.ofReceived(teamId, email.id);
  }

  private async receivedReferences(email: ReceivedEmail): Promise<readonly string[]> {
    const source = await this.receivedContents.source(email, email.teamId).catch(() => undefined);
    if (source === undefined) return [];
    try {
      const fields = readHeaderFields(await beginningOf(source.content));
      const valueOf = (name: string): string => {
        const raw = fields.find(({ lowerName }) => lowerName === name)?.raw ?? '';
        return raw.slice(raw.indexOf(':') + 1);
      };
      const references = messageIdsOf(valueOf('references'));
      return references.length > 0 ? references : messageIdsOf(valueOf('in-reply-to')).slice(0, 1);
    } finally {
      source.release();
    }
  }

  private async ofReceived(teamId: string, id: string): Promise<OriginalContents> {
    const email = found('The content of the email', await this.received.find(teamId, id));
    const body = await this.receivedContents.body(email, 'cid', teamId);
    const read = { html: decoded(body.html), text: decoded(body.text) };
    body.release();
    if (body.unreadable !== undefined) throw new UnreadableEmailError();
    const attachments: RequestedAttachment[] = [];
    for (const { id: attachmentId } of email.attachments) {
      const file = await this.receivedContents.attachment(email, attachmentId, teamId);
      attachments.push(attachmentOf(file.attachment, await copied(file)));
    }
    return { body: read, attachments };
  }

  private async ofSent(teamId: string, id: string): Promise<OriginalContents> {
    const { email, body } = found('The content of the email', await this.sent.find(teamId, id));
    const read: Body = await bodyOf(body).finally(() => body.release());
    if (body.unreadable !== undefined) throw new UnreadableEmailError();
    const attachments: RequestedAttachment[] = [];
    for (const { id: attachmentId } of await this.sentAttachments.list(teamId, email.id)) {
      const file = await this.sentAttachments.read(teamId, email.id, attachmentId);
      attachments.push(attachmentOf(file.attachment, await copied(file)));
    }
    return { body: read, attachments };
  }
}

/** All of the html is read before the text. */
async function bodyOf({
  html,
  text,
}: {
  readonly html: string | AsyncIterable<Uint8Array> | null;
  readonly text: string | AsyncIterable<Uint8Array> | null;
}): Promise<Body> {
  const readHtml = await stringOf(html);
  return { html: readHtml, text: await stringOf(text) };
}

async function stringOf(text: string | AsyncIterable<Uint8Array> | null): Promise<string | null> {
  return text === null || typeof text === 'string' ? usable(text) : decoded(await wholeOf(text));
}

function decoded(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : usable(new TextDecoder().decode(bytes));
}

function usable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '');
}

/** The bytes of a file, which no longer belong to its share of the memory. */
async function copied({
  content,
  release,
}: {
  readonly content: Bytes;
  readonly release: () => void;
}): Promise<Uint8Array> {
  try {
    return content instanceof Uint8Array ? content : await wholeOf(content);
  } finally {
    release();
  }
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** What comes before the body, in one character per byte. */
async function beginningOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) {
    text += Buffer.from(piece).toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    if (end >= 0) return text.slice(0, end + 2);
    if (text.length > maxHeaderBytes) return text.slice(0, maxHeaderBytes);
  }
  return text;
}

/** The file as a new email may have it, whatever its sender said of it. */
function attachmentOf({ filename, contentType, contentId }: Described, content: Uint8Array): RequestedAttachment {
  const name = (filename ?? '').replace(/[\u0000-\u001f\u007f]/g, '').slice(-maxFileName);
  return {
    filename: name === '' ? undefined : name.toWellFormed(),
    contentType: contentTypeForm.test(contentType) ? contentType : 'application/octet-stream',
    contentId: contentId !== null && contentIdForm.test(contentId) ? contentId : undefined,
    content,
  };
}
