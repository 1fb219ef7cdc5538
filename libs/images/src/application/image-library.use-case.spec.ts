import { beforeEach, describe, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId, Page } from '#kernel';
import { TestClock } from '../../../../test/support/fakes/test-clock.js';
import { ImageQuotaError, ImageTexts, StoredImage, UnknownImageError } from '../domain/image.js';
import { ImageLibrary } from './image-library.use-case.js';
import { EncodedImage, ImageEncoder, ImageFiles, ImageRepository, RemovedImages } from './ports/images.port.js';

type Row = StoredImage & { removedAt: Date | null; checkedAt: Date | null };

class Images extends ImageRepository {
  readonly rows = new Map<string, Row>();
  readonly used = new Set<string>();
  /** The teams whose contents were read. */
  readonly scanned: string[] = [];
  scanMs = 0;
  unreadable: string | undefined;
  hasRoom = true;

  async add(image: StoredImage): Promise<boolean> {
    if (this.hasRoom) this.rows.set(image.id, { ...image, removedAt: image.createdAt, checkedAt: null });
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
  async removed(cutoff: Date, checkedBefore: Date, limit: number): Promise<RemovedImages | undefined> {
    const due = [...this.rows.values()]
      .filter(
        ({ removedAt, checkedAt }) =>
          removedAt !== null && removedAt < cutoff && !(checkedAt !== null && checkedAt >= checkedBefore),
      )
      .sort((one, other) => Number(one.checkedAt) - Number(other.checkedAt) || (one.id < other.id ? -1 : 1));
    const [first] = due;
    if (first === undefined) return undefined;
    const ids = due.filter(({ teamId }) => teamId === first.teamId).map(({ id }) => id);
    return { teamId: first.teamId, ids: ids.slice(0, limit) };
  }
  async markChecked(ids: readonly string[], at: Date): Promise<void> {
    for (const id of ids) (this.rows.get(id) as Row).checkedAt = at;
  }
  async unused({ teamId, ids }: RemovedImages): Promise<readonly string[]> {
    this.scanned.push(teamId);
    clock.advance(this.scanMs);
    if (teamId === this.unreadable) throw new Error('The scan took too long');
    return ids.filter((id) => !this.used.has(id));
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
  async *read(id: string): AsyncGenerator<Uint8Array> {
    const bytes = this.stored.get(id);
    if (bytes !== undefined) yield bytes;
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

describe('of images that were removed', () => {
  const teams = Array.from({ length: 4 }, () => newId());
  const cutoff = (): Date => later();

  beforeEach(async () => {
    for (const teamId of teams) {
      const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
      for (let no = 0; no < 2; no++) {
        await library.remove(owner, (await library.add(owner, new Uint8Array(1), {})).id);
      }
    }
  });

  it('those that something names are looked at once a day', async () => {
    for (const id of images.rows.keys()) images.used.add(id);
    for (let run = 0; run < 3; run++) await library.purge(cutoff());
    expect(images.scanned).toEqual(teams);
    images.used.clear();
    clock.advance(24 * 3_600_000 + 1);
    await library.purge(cutoff());
    expect([images.rows.size, files.stored.size]).toEqual([0, 0]);
  });

  it('a team whose contents cannot be read stops nobody, and is not the first one of the next run', async () => {
    [images.unreadable] = teams;
    expect(await library.purge(cutoff())).toMatchObject([
      { teamId: teams[0], error: new Error('The scan took too long') },
    ]);
    expect(new Set([...images.rows.values()].map(({ teamId }) => teamId))).toEqual(new Set([teams[0]]));
    expect(await library.purge(cutoff())).toEqual([]);
  });

  it('a run ends after its time, and the next one goes on', async () => {
    images.scanMs = 16_000;
    await library.purge(cutoff());
    expect(images.scanned).toEqual(teams.slice(0, 2));
    await library.purge(cutoff());
    expect(images.scanned).toEqual(teams);
  });
});

it('a purge that is cut off between the bytes and the row shows nothing, and is finished the day after', async () => {
  const { id } = await add();
  await library.remove(principal, id);
  const forget = images.forget.bind(images);
  images.forget = async () => {
    throw new Error('killed');
  };
  expect(await library.purge(later())).toHaveLength(1);
  expect((await library.bytes(id).next()).done).toBe(true);
  await expect(library.find(principal, id)).rejects.toThrow(UnknownImageError);
  images.forget = forget;
  clock.advance(24 * 3_600_000 + 1);
  expect(await library.purge(later())).toEqual([]);
  expect([images.rows.size, files.stored.size]).toEqual([0, 0]);
});
