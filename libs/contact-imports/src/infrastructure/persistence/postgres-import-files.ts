import { DomainError } from '#kernel';
import { BytesInPieces, Database } from '#postgres/database';
import { DiskGuard } from '#observability/disk';
import { Injectable } from '@nestjs/common';
import { ImportFiles } from '../../application/ports/import-repository.port.js';

class NoRoomForImportsError extends DomainError {
  constructor() {
    super(
      'unavailable',
      'service_unavailable',
      'The service has no disk space for files at the moment. Please try again later.',
    );
  }
}

/** Each chunk is a row that is committed as it arrives, so that no transaction is open while a client sends. */
@Injectable()
export class PostgresImportFiles extends ImportFiles {
  constructor(
    private readonly database: Database,
    private readonly disk: DiskGuard,
  ) {
    super();
  }

  requireRoom(): void {
    if (this.disk.isLow) throw new NoRoomForImportsError();
  }

  async write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    let size = 0;
    let no = 0;
    try {
      for await (const chunk of chunks) {
        await this.insert(id, no, chunk);
        no += 1;
        size += chunk.length;
      }
    } catch (error) {
      // If this fails as well, the purge removes them.
      if (no > 0) await this.remove(id).catch(() => undefined);
      throw error;
    }
    return size;
  }

  async read(id: string, chunk: number): Promise<Uint8Array | undefined> {
    const [row] = await this.database.query<{ bytes: Buffer }>({
      text: 'SELECT bytes FROM contact_import_chunks WHERE import_id = $1 AND no = $2',
      values: [id, chunk],
    });
    return row?.bytes;
  }

  async remove(id: string): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM contact_import_chunks WHERE import_id = $1', values: [id] });
  }

  private async insert(id: string, no: number, chunk: Uint8Array): Promise<void> {
    await this.database.execute({
      text: 'INSERT INTO contact_import_chunks (import_id, no, bytes) VALUES ($1, $2, $3)',
      values: [id, no, new BytesInPieces([chunk])],
    });
  }
}
