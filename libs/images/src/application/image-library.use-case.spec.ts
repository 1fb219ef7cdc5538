import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId, Page } from '#kernel';
import { TestClock } from '../../../../test/support/fakes/test-clock.js';
import { ImageQuotaError, ImageTexts, StoredImage, UnknownImageError } from '../domain/image.js';
import { ImageLibrary } from './image-library.use-case.js';
import { EncodedImage, ImageEncoder } from './ports/image-encoder.port.js';
import { ImageFiles } from './ports/image-files.port.js';
import { ImageRepository } from './ports/image-repository.port.js';

type Row = StoredImage & { removedAt: Date | null };

class Images extends ImageRepository {
  readonly rows = new Map<string, Row>();
  readonly used = new Set<string>();
  hasRoom = true;

  async add(image: StoredImage): Promise<boolean> {
    if (this.hasRoom) this.rows.set(image.id, { ...image, removedAt: image.createdAt });
    return this.hasRoom;
  }
  async publish(id: string): Promise<void> {
    (this.rows.get(id) as Row).removedAt = null;
  }
  async list(teamId: string): Promise<Page<StoredImage>> {
    return { items: [...this.rows.values()].filter((row) => row.teamId === teamId), hasMore: false };
  }
  async find(teamId: string, id: string): Promise<StoredImage | undefined> {
    const row = this.rows.get(id);
    return row?.teamId === teamId && row.removedAt === null ? row : undefined;
  }
  async findShown(id: string): Promise<StoredImage | undefined> {
    return this.rows.get(id);
  }
  async describe(teamId: string, id: string, texts: ImageTexts): Promise<StoredImage | undefined> {
    const row = await this.find(teamId, id);
    return row === undefined ? undefined : { ...row, ...texts };
  }
  async remove(teamId: string, id: string, at: Date): Promise<boolean> {
    const row = (await this.find(teamId, id)) as Row | undefined;
    if (row !== undefined) row.removedAt = at;
    return row !== undefined;
  }
  async removed(cutoff: Date, after: string, limit: number): Promise<readonly { id: string; isUsed: boolean }[]> {
    const old = [...this.rows.values()].filter(
      ({ id, removedAt }) => id > after && removedAt !== null && removedAt < cutoff,
    );
    return old
      .map(({ id }) => ({ id, isUsed: this.used.has(id) }))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit);
  }
  async forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.rows.delete(id);
  }
}

class Files extends ImageFiles {
  readonly stored = new Map<string, Uint8Array>();
  isBroken = false;

  async put(id: string, bytes: Uint8Array): Promise<void> {
    if (this.isBroken) throw new Error('The disk is gone');
    this.stored.set(id, bytes);
  }
  async get(id: string): Promise<Uint8Array | undefined> {
    return this.stored.get(id);
  }
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.stored.delete(id);
  }
}

class Encoder extends ImageEncoder {
  async encode(): Promise<EncodedImage> {
    return { bytes: new Uint8Array(7), type: 'png', width: 3, height: 2 };
  }
}

const clock = new TestClock();
const principal = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
const later = (): Date => new Date(clock.now().getTime() + 1_000);
let images: Images;
let files: Files;
let library: ImageLibrary;
const add = (texts: ImageTexts = {}): Promise<StoredImage> => library.add(principal, new Uint8Array(1), texts);

beforeEach(() => {
  [images, files] = [new Images(), new Files()];
  library = new ImageLibrary(images, files, new Encoder(), clock);
});

it('an image has the size of what is stored, and a name without its path', async () => {
  const image = await add({ name: 'C:\\pictures\\quay\0.png', alt: ' The quay ' });
  expect(image).toMatchObject({ name: 'quay .png', alt: 'The quay', size: 7, width: 3, height: 2, type: 'png' });
  expect(files.stored.get(image.id)).toHaveLength(7);
  expect(await library.find(principal, image.id)).toMatchObject({ id: image.id });
  expect((await add({ name: '/' })).name).toBe('Image');
  await expect(add({ alt: 'x'.repeat(501) })).rejects.toThrow('at most 500 characters');
});

it('an image whose bytes could not be stored is in no list, and purged', async () => {
  files.isBroken = true;
  await expect(add()).rejects.toThrow('The disk is gone');
  const [id = ''] = images.rows.keys();
  await expect(library.find(principal, id)).rejects.toThrow(UnknownImageError);
  await library.purge(later());
  expect(images.rows.size).toBe(0);
});

it('a team with no room stores nothing', async () => {
  images.hasRoom = false;
  await expect(add()).rejects.toThrow(ImageQuotaError);
  expect(files.stored.size).toBe(0);
});

it('what was removed is purged once it is old and nothing names it, however much is kept', async () => {
  const all: StoredImage[] = [];
  for (let no = 0; no < 130; no++) all.push(await add());
  for (const { id } of all.slice(0, 120)) await library.remove(principal, id);
  for (const { id } of all.slice(0, 60)) images.used.add(id);
  await library.purge(clock.now());
  expect(files.stored.size).toBe(130);
  await library.purge(later());
  expect([...files.stored.keys()].sort()).toEqual([...all.slice(0, 60), ...all.slice(120)].map(({ id }) => id).sort());
  await expect(library.remove(principal, all[0]?.id ?? '')).rejects.toThrow(UnknownImageError);
});
