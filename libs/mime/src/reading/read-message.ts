import { htmlToText } from '../html-to-text.js';
import { EntityField, MimeTooComplexError, readable } from './entity-header.js';
import { defaultLimits, isReadableMessage, MimeEntity, readStructure } from './mime-structure.js';
import { contentOf, textOf } from './part-content.js';
import { readableParameter } from './structured-value.js';

/** A file in a message. */
export interface MessageFile {
  readonly filename: string | null;
  /** In lower case, without parameters. */
  readonly contentType: string;
  /** Without angle brackets. Null if the part has no Content-ID. */
  readonly contentId: string | null;
  /** `inline`, `attachment` or another word, in lower case. Empty if the part has no Content-Disposition. */
  readonly contentDisposition: string;
  /** Decodes the content when it is called. Not a copy if the part is not encoded. */
  readonly content: () => Buffer;
}

/** A message as a mail client shows it. */
export interface ReadableMessage {
  /** UTF-8, decoded when it is called. Null if the message has no such part, or only empty ones. */
  readonly html: () => Buffer | null;
  readonly text: () => Buffer | null;
  readonly files: readonly MessageFile[];
  /** Header fields of the message itself. Values are unfolded and not decoded. */
  readonly fields: readonly EntityField[];
}

/** Header fields that are shown for a message inside the message. */
const shownFields = ['From', 'Subject', 'Date', 'To', 'Cc'];

const lineFeed = Buffer.from('\n');

/**
 * Reads html, text and files of any message, also of an invalid one. Takes linear time and memory: a text of 40 MB
 * takes 0.2 s and, besides the message, twice its size in memory. Throws MimeTooComplexError if the message has more
 * parts, levels or header bytes than `limits`, and throws nothing else.
 */
export function readMessage(bytes: Uint8Array, limits = defaultLimits): ReadableMessage {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const root = readStructure(source, limits);
  const found = new FoundParts(source, isReport(root));
  found.visit(root, undefined);
  return {
    html: () => found.body('html'),
    text: () => found.body('plain'),
    files: [...found.files, ...found.namedTexts],
    fields: root.header.fields,
  };
}

export { MimeTooComplexError };

type Subtype = 'plain' | 'html';

/** The texts of one `multipart/alternative`, or of one part outside of any. */
interface TextGroup {
  readonly plain: (() => Buffer)[];
  readonly html: (() => Buffer)[];
}

class FoundParts {
  readonly files: MessageFile[] = [];
  /** Files, too. They come behind the others, because the ids of attachments that are stored count the others. */
  readonly namedTexts: MessageFile[] = [];
  private readonly groups = new Map<MimeEntity, TextGroup>();

  constructor(
    private readonly bytes: Buffer,
    /** In a report, the message inside is the reported message and is returned as a file. */
    private readonly isReport: boolean,
  ) {}

  visit(entity: MimeEntity, alternative: MimeEntity | undefined): void {
    const { value } = entity.type;
    if (value.startsWith('multipart/')) {
      const inner = value === 'multipart/alternative' ? entity : alternative;
      for (const [index, child] of entity.children.entries()) {
        if (index > 0 && inner !== entity && isNamedText(child)) this.namedTexts.push(fileOf(this.bytes, child));
        else this.visit(child, inner);
      }
    } else if (isReadableMessage(entity) && !this.isReport) {
      this.addText(entity, alternative, 'plain', () => Buffer.from(headingOf(entity)));
      for (const child of entity.children) this.visit(child, undefined);
    } else if (isShownText(entity)) {
      this.addText(entity, alternative, value === 'text/html' ? 'html' : 'plain', () => textOf(this.bytes, entity));
    } else {
      this.files.push(fileOf(this.bytes, entity));
    }
  }

  /** All texts of one kind, joined. A group that has only the other kind is converted, so that nothing is missing. */
  body(subtype: Subtype): Buffer | null {
    const other = subtype === 'html' ? 'plain' : 'html';
    const groups = [...this.groups.values()];
    if (!groups.some((group) => group[subtype].length > 0)) return null;
    const pieces = groups.flatMap((group) => {
      if (group[subtype].length > 0) return group[subtype].map((text) => text());
      return group[other].map((text) => converted(text(), subtype));
    });
    const joined = pieces.flatMap((piece, index) => (index === 0 ? [piece] : [lineFeed, piece]));
    const whole = joined.length === 1 ? (joined[0] as Buffer) : Buffer.concat(joined);
    return whole.length === 0 ? null : withoutLastBreak(whole);
  }

  private addText(entity: MimeEntity, alternative: MimeEntity | undefined, subtype: Subtype, text: () => Buffer): void {
    const key = alternative ?? entity;
    const group = this.groups.get(key) ?? { plain: [], html: [] };
    this.groups.set(key, group);
    group[subtype].push(text);
  }
}

function isShownText({ type, disposition }: MimeEntity): boolean {
  return disposition.value !== 'attachment' && (type.value === 'text/plain' || type.value === 'text/html');
}

/** Behind the first part, a text with a name is a file, also if it says `inline` (RFC 8621 section 4.1.4). */
function isNamedText(entity: MimeEntity): boolean {
  return isShownText(entity) && nameOf(entity) !== null;
}

function isReport({ type, children }: MimeEntity): boolean {
  return ['message/delivery-status', 'message/feedback-report'].includes(type.value) || children.some(isReport);
}

function fileOf(bytes: Buffer, entity: MimeEntity): MessageFile {
  const { header, type, disposition } = entity;
  return {
    filename: nameOf(entity),
    contentType: type.value,
    contentId: header.raw('content-id')?.replace(/^<|>$/g, '') ?? null,
    contentDisposition: disposition.value,
    content: () => contentOf(bytes, entity),
  };
}

function nameOf({ type, disposition }: MimeEntity): string | null {
  return readableParameter(disposition, 'filename') ?? readableParameter(type, 'name') ?? null;
}

function headingOf({ children: [message] }: MimeEntity): string {
  const rows = shownFields.flatMap((name) => {
    const value = message?.header.raw(name.toLowerCase());
    return value === undefined ? [] : [`${name}: ${readable(value)}`];
  });
  return `\n${rows.join('\n')}\n`;
}

function converted(text: Buffer, subtype: Subtype): Buffer {
  const from = text.toString('utf8');
  return Buffer.from(subtype === 'plain' ? htmlToText(from) : htmlOf(from));
}

function htmlOf(text: string): string {
  const escaped = text.trim().replace(/[<>"'?&]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);
  return `<div>${escaped.replaceAll('\n', '<br />')}</div>`;
}

function withoutLastBreak(text: Buffer): Buffer {
  if (text.at(-1) !== 0x0a) return text;
  return text.subarray(0, text.length - (text.at(-2) === 0x0d ? 2 : 1));
}
