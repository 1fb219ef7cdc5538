import type { Principal } from '#identity';
import { Clock, newId, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import {
  ImageQuotaError,
  ImageTexts,
  parseAlt,
  parseImageName,
  StoredImage,
  UnknownImageError,
} from '../domain/image.js';
import { ImageEncoder, ImageFiles, ImageRepository, RemovedImages } from './ports/images.port.js';

/** Images of a team whose contents are read once for all of them, and whose bytes are removed together. */
const checkedAtOnce = 500;
const purgedAtOnce = 50;
/** An image that something names still is looked at again after this time. */
const checkedAgainMs = 86_400_000;
/** Other things are purged as well: what is left waits for the next run. */
const maxRunMs = 30_000;

export interface FailedPurge {
  readonly teamId: string;
  readonly error: unknown;
}

/** The images of a team, which emails show for as long as people keep them. */
@Injectable()
export class ImageLibrary {
  constructor(
    private readonly images: ImageRepository,
    private readonly files: ImageFiles,
    private readonly encoder: ImageEncoder,
    private readonly clock: Clock,
  ) {}

  /** Nothing of the given bytes is stored: what is stored was decoded and encoded again. */
  async add({ teamId }: Principal, given: Uint8Array, { name = '', alt = '' }: ImageTexts): Promise<StoredImage> {
    const texts = { name: parseImageName(name), alt: parseAlt(alt) };
    const { bytes, ...encoded } = await this.encoder.encode(teamId, given);
    const createdAt = this.clock.now();
    const id = newId(createdAt.getTime());
    const image: StoredImage = { id, teamId, ...texts, ...encoded, size: bytes.length, createdAt };
    if (!(await this.images.add(image))) throw new ImageQuotaError();
    await this.files.put(id, bytes);
    await this.images.publish(id);
    return image;
  }

  list({ teamId }: Principal, page: PageRequest, search: string | undefined): Promise<Page<StoredImage>> {
    return this.images.list(teamId, page, search);
  }

  async find({ teamId }: Principal, id: string): Promise<StoredImage> {
    return known(await this.images.find(teamId, id));
  }

  async describe({ teamId }: Principal, id: string, { name, alt }: ImageTexts): Promise<StoredImage> {
    const texts = {
      ...(name === undefined ? {} : { name: parseImageName(name) }),
      ...(alt === undefined ? {} : { alt: parseAlt(alt) }),
    };
    return known(await this.images.describe(teamId, id, texts));
  }

  /** Emails and documents that show it go on showing it, until nothing names it and the mail is as old as mail gets. */
  async remove({ teamId }: Principal, id: string): Promise<void> {
    if (!(await this.images.remove(teamId, id, this.clock.now()))) throw new UnknownImageError();
  }

  /** For everybody who has its address. Undefined if there is no such image. */
  shown(id: string): Promise<StoredImage | undefined> {
    return this.images.findShown(id);
  }

  bytes(id: string): AsyncGenerator<Uint8Array> {
    return this.files.read(id);
  }

  /**
   * Removes the bytes of images that were removed before `cutoff` and that nothing names, for as long as a run takes.
   * Returns the teams whose images could not be looked at: their turn comes again after a day, as for all others.
   */
  async purge(cutoff: Date): Promise<readonly FailedPurge[]> {
    const startedAt = this.clock.now().getTime();
    const checkedBefore = new Date(startedAt - checkedAgainMs);
    const failed: FailedPurge[] = [];
    while (this.clock.now().getTime() - startedAt < maxRunMs) {
      const removed = await this.images.removed(cutoff, checkedBefore, checkedAtOnce);
      if (removed === undefined) break;
      // First, so that a team whose contents cannot be read is not the first one of each run.
      await this.images.markChecked(removed.ids, this.clock.now());
      try {
        await this.purgeUnused(removed);
      } catch (error) {
        failed.push({ teamId: removed.teamId, error });
      }
    }
    return failed;
  }

  private async purgeUnused(removed: RemovedImages): Promise<void> {
    const unused = await this.images.unused(removed);
    for (let at = 0; at < unused.length; at += purgedAtOnce) {
      const ids = unused.slice(at, at + purgedAtOnce);
      await this.files.remove(ids);
      await this.images.forget(ids);
    }
  }
}

function known(image: StoredImage | undefined): StoredImage {
  if (image === undefined) throw new UnknownImageError();
  return image;
}
