import { idsOfDay } from '#kernel';
import { MessageStore, StoredMessage } from './ports/message-store.port.js';
import { Attachment } from '../domain/email.js';
import { SharedContent, StoredContent } from '../domain/shared-content.js';
import { encodeBody } from './stored-content.js';

/** Number of contents that this process remembers as stored. For others it asks the store. */
const maxKnown = 1_000;

/** SHA-256, as Node makes it. */
export interface ContentHash {
  update(part: string | Uint8Array): ContentHash;
  digest(encoding: 'hex'): string;
}

/**
 * Stores content that many emails share, under ids that are derived from the day, the team and the content. So all
 * processes that store the same content on the same day write the same bytes.
 */
export class SharedContents {
  private readonly hashes = new WeakMap<SharedContent, string>();
  private readonly stored = new Map<string, Promise<StoredContent>>();

  constructor(
    private readonly messages: MessageStore,
    private readonly newHash: () => ContentHash,
  ) {}

  /**
   * Stores the content once per day (UTC), under an id of that day, for any number of calls and processes. It is
   * durable when the call resolves.
   *
   * Retention removes content with its day. So content is stored again on each day on which emails use it, and an email
   * names only content of its own day. Both are kept for the same time, even if the email is scheduled for later.
   */
  store(teamId: string, content: SharedContent, day: Date): Promise<StoredContent> {
    const hash = this.hashOf(content);
    const id = this.idOf(day, teamId, hash);
    const known = this.stored.get(id);
    if (known !== undefined) return known;
    if (this.stored.size >= maxKnown) this.stored.clear();
    const stored = this.write(id, content, day);
    this.stored.set(id, stored);
    stored.catch(() => this.stored.delete(id));
    return stored;
  }

  private async write(id: string, { html, text, attachments = [] }: SharedContent, day: Date): Promise<StoredContent> {
    const described = attachments.map(({ filename, contentType, contentId, content }, index) => ({
      id: this.idOf(day, id, String(index)),
      filename: filename ?? null,
      contentType,
      contentId: contentId ?? null,
      size: content.length,
    })) satisfies Attachment[];
    const wanted = [
      { id, bytes: encodeBody({ html: html ?? null, text: text ?? null }) },
      ...attachments.map(({ content }, index) => ({ id: (described[index] as Attachment).id, bytes: content })),
    ];
    await this.writeMissing(wanted);
    return { id, attachments: described.length === 0 ? null : described };
  }

  private async writeMissing(messages: readonly StoredMessage[]): Promise<void> {
    const missing = await this.missing(messages);
    if (missing.length === 0) return;
    try {
      await this.messages.put(missing);
    } catch (error) {
      // Another process may have stored the same content between the check and the write.
      if ((await this.missing(messages)).length > 0) throw error;
    }
  }

  private async missing(messages: readonly StoredMessage[]): Promise<StoredMessage[]> {
    const found = await this.messages.get(messages.map(({ id }) => id));
    return messages.filter(({ id }) => !found.has(id));
  }

  private hashOf(content: SharedContent): string {
    const known = this.hashes.get(content);
    if (known !== undefined) return known;
    const hash = this.newHash();
    const add = (part: string | Uint8Array | undefined): void => {
      hash.update(part === undefined ? '-' : `${Buffer.byteLength(part)}:`).update(part ?? '');
    };
    add(content.html);
    add(content.text);
    for (const attachment of content.attachments ?? []) {
      add(attachment.filename);
      add(attachment.contentType);
      add(attachment.contentId);
      add(attachment.content);
    }
    const digest = hash.digest('hex');
    this.hashes.set(content, digest);
    return digest;
  }

  /** A UUIDv7 of the day's first millisecond, with random bits derived from the parts. */
  private idOf(day: Date, ...parts: readonly string[]): string {
    const [first] = idsOfDay(day);
    const bits = this.newHash().update(parts.join('/')).digest('hex');
    return `${first.slice(0, 13)}-7${bits.slice(0, 3)}-8${bits.slice(3, 6)}-${bits.slice(6, 18)}`;
  }
}
