import { MessageStore } from '#emails';
import { ImageFiles } from '../../application/ports/images.port.js';

/** A directory or a bucket, as for messages, with a folder of its own: no day of it is ever removed. */
export class StoredImageFiles extends ImageFiles {
  constructor(private readonly store: MessageStore) {
    super();
  }

  put(id: string, bytes: Uint8Array): Promise<void> {
    return this.store.put([{ id, bytes }]);
  }

  read(id: string): AsyncGenerator<Uint8Array> {
    return this.store.read(id);
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.store.remove(ids);
  }
}
