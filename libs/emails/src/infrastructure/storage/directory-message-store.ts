import { timeOfId } from '#kernel';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { dayOf, MessageStore, StoredMessage } from '../../application/ports/message-store.port.js';

/** Files that are written at the same time. Each needs its own fsync, and concurrent ones share flushes of the disk. */
const concurrency = 8;
const pieceBytes = 256 * 1024;

/**
 * Stores messages as files: `<root>/<yyyy-mm-dd>/<two hex digits>/<id>`.
 *
 * A file is written under a temporary name, flushed and renamed, and its directory is flushed. So a file with its final
 * name is complete and survives a power cut.
 */
@Injectable()
export class DirectoryMessageStore extends MessageStore {
  readonly joinsTransaction = false;
  private readonly knownDirectories = new Set<string>();

  constructor(private readonly root: string) {
    super();
  }

  async put(messages: readonly StoredMessage[]): Promise<void> {
    for (let at = 0; at < messages.length; at += concurrency) {
      await Promise.all(
        messages.slice(at, at + concurrency).map(({ id, bytes }) => this.writeFile(id, bytes, partOf(id))),
      );
    }
    const directories = new Set(messages.map(({ id }) => this.directoryOf(id)));
    await Promise.all([...directories].map(flushDirectory));
  }

  override async write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    // Several processes may overwrite the head of a message at the same time.
    await this.writeFile(id, chunks, partOf(`${id}.${process.pid}`));
    await flushDirectory(this.directoryOf(id));
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    await Promise.all(
      ids.map(async (id) => {
        const bytes = await readFile(join(this.directoryOf(id), id)).catch(absentIsUndefined);
        if (bytes !== undefined) found.set(id, bytes);
      }),
    );
    return found;
  }

  override async *read(id: string): AsyncGenerator<Uint8Array> {
    const file = await open(join(this.directoryOf(id), id), 'r').catch(absentIsUndefined);
    if (file === undefined) return;
    try {
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(pieceBytes), 0, pieceBytes);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      for (const name of [id, partOf(id)]) await rm(join(this.directoryOf(id), name), { force: true });
    }
  }

  async removeDay(moment: Date): Promise<void> {
    await rm(join(this.root, dayOf(moment)), { recursive: true, force: true });
    this.knownDirectories.clear();
  }

  private async writeFile(
    id: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    partName: string,
  ): Promise<void> {
    const directory = this.directoryOf(id);
    await this.makeDirectory(directory);
    const temporary = join(directory, partName);
    try {
      const file = await open(temporary, 'w', 0o600);
      try {
        if (content instanceof Uint8Array) await file.writeFile(content);
        else for await (const chunk of content) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, join(directory, id));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  private async makeDirectory(directory: string): Promise<void> {
    if (this.knownDirectories.has(directory)) return;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await flushDirectory(join(directory, '..'));
    await flushDirectory(this.root);
    this.knownDirectories.add(directory);
  }

  private directoryOf(id: string): string {
    return join(this.root, dayOf(timeOfId(id)), id.slice(-2));
  }
}

/**
 * The temporary name of a file. What is put has one that `remove` knows: a process that is killed leaves the file, and the
 * folder of images has no day that is removed.
 */
function partOf(name: string): string {
  return `.${name}.part`;
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function absentIsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
