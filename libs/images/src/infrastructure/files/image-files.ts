import { NotFoundError } from '#kernel';
import { Database } from '#postgres/database';
import { MessageStore } from '#emails';
import { ImageFiles } from '../../application/ports/images.port.js';

const pieceBytes = 256 * 1024;

/** A table of its own: the contents of mail are dropped by days. */
export class PostgresImageFiles extends ImageFiles {
  constructor(private readonly database: Database) {
    super();
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    await this.database.execute({
      text: 'INSERT INTO image_files (image_id, bytes) VALUES ($1, $2)',
      values: [id, bytes],
    });
  }

  /** PostgreSQL reads a part of a value by itself, as it stores these in parts and cannot compress them. */
  async *read(id: string): AsyncGenerator<Uint8Array> {
    for (let from = 1; ; from += pieceBytes) {
      const [row] = await this.database.query<{ piece: Uint8Array }>({
        name: 'image-file-piece',
        text: 'SELECT substring(bytes FROM $2::int FOR $3::int) AS piece FROM image_files WHERE image_id = $1',
        values: [id, from, pieceBytes],
      });
      if (row === undefined && from > 1) throw new NotFoundError('The rest of the image');
      if (row === undefined || row.piece.length === 0) return;
      yield row.piece;
      if (row.piece.length < pieceBytes) return;
    }
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM image_files WHERE image_id = ANY ($1::uuid[])', values: [ids] });
  }
}

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
