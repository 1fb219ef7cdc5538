import { Database } from '#postgres/database';
import { ImageFiles } from '../../application/ports/image-files.port.js';

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

  async get(id: string): Promise<Uint8Array | undefined> {
    const [row] = await this.database.query<{ bytes: Uint8Array }>({
      name: 'image-file',
      text: 'SELECT bytes FROM image_files WHERE image_id = $1',
      values: [id],
    });
    return row?.bytes;
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM image_files WHERE image_id = ANY ($1::uuid[])', values: [ids] });
  }
}
