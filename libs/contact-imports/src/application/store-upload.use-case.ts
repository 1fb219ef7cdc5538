import { newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { importLimits } from '../domain/import-limits.js';
import { TooManyImportsError } from '../domain/import-errors.js';
import { TextEncoding } from '../domain/text/encoding.js';
import { TextChunks } from '../domain/text/text-chunks.js';
import { ImportFiles } from './ports/import-files.port.js';
import { ImportRepository } from './ports/import-repository.port.js';
import { RoomForImports } from './ports/room-for-imports.port.js';

/** A file that was stored, and belongs to no import yet. */
export interface StoredUpload {
  /** The id that the import gets. */
  readonly id: string;
  readonly size: number;
  readonly encoding: TextEncoding;
}

/** Stores the file of an import while it arrives, before anything of it is read. */
@Injectable()
export class StoreUpload {
  constructor(
    private readonly files: ImportFiles,
    private readonly imports: ImportRepository,
    private readonly room: RoomForImports,
  ) {}

  /** Where the bytes throw, it throws the same error and leaves nothing. */
  async execute(teamId: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredUpload> {
    this.room.check();
    // Checked again when the import is made, where it counts; here it saves an upload in vain.
    if ((await this.imports.countUnfinished(teamId)) >= importLimits.maxUnfinished) throw new TooManyImportsError();
    const id = newId();
    const chunks = new TextChunks();
    const size = await this.files.write(id, chunks.of(bytes));
    return { id, size, encoding: chunks.encoding };
  }

  discard({ id }: StoredUpload): Promise<void> {
    return this.files.remove(id);
  }
}
