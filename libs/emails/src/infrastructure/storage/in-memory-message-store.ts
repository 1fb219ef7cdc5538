import { idsOfDay } from '#kernel';
import { MessageStore, StoredMessage } from '../../application/ports/message-store.port.js';

/** Stores messages in memory, for tests. */
export class InMemoryMessageStore extends MessageStore {
  readonly joinsTransaction = false;
  private readonly messages = new Map<string, Uint8Array>();

  async put(messages: readonly StoredMessage[]): Promise<void> {
    for (const { id, bytes } of messages) this.messages.set(id, Uint8Array.from(bytes));
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const id of ids) {
      const bytes = this.messages.get(id);
      if (bytes !== undefined) found.set(id, bytes);
    }
    return found;
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.messages.delete(id);
  }

  async removeDay(moment: Date): Promise<void> {
    const [first, end] = idsOfDay(moment);
    for (const id of this.messages.keys()) if (id >= first && id < end) this.messages.delete(id);
  }
}
