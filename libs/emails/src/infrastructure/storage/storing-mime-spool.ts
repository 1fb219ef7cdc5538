import { Injectable } from '@nestjs/common';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { MimeSpool } from '../../application/ports/mime-spool.port.js';
import { SpooledMime } from '../../domain/accepted-email.js';
import { mimePrefix } from '../persistence/stored-body.js';

/**
 * Smaller messages stay in memory and share the commits of other mail, which makes them fast. Most messages are
 * smaller.
 */
const maxMessageBytesInMemory = 256 * 1024;
/** Memory of all messages together, in bytes. Above it even small messages are stored as they arrive. */
const maxHeldBytes = 64 * 1024 * 1024;

@Injectable()
export class StoringMimeSpool extends MimeSpool {
  private held = 0;

  constructor(private readonly store: MessageStore) {
    super();
  }

  async take(emailId: string, content: AsyncIterable<Uint8Array>): Promise<SpooledMime> {
    const chunks = content[Symbol.asyncIterator]();
    const head: Uint8Array[] = [];
    let size = 0;
    try {
      while (size <= maxMessageBytesInMemory && this.held <= maxHeldBytes) {
        const next = await chunks.next();
        if (next.done === true) return { size, bytes: Buffer.concat(head, size) };
        head.push(next.value);
        size += next.value.length;
        this.held += next.value.length;
      }
    } catch (error) {
      this.held -= size;
      throw error;
    }
    this.held -= size;
    return this.storeAll(emailId, head, chunks);
  }

  release({ size, bytes }: SpooledMime): void {
    if (bytes !== undefined) this.held -= size;
  }

  private async storeAll(emailId: string, head: Uint8Array[], rest: AsyncIterator<Uint8Array>): Promise<SpooledMime> {
    let size = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      yield mimePrefix;
      for (const chunk of head.splice(0)) {
        size += chunk.length;
        yield chunk;
      }
      for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
        size += next.value.length;
        yield next.value;
      }
    };
    await this.store.write(emailId, counted());
    return { size, bytes: undefined };
  }
}
