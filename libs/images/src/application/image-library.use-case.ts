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
import { ImageEncoder } from './ports/image-encoder.port.js';
import { ImageFiles } from './ports/image-files.port.js';
import { ImageRepository } from './ports/image-repository.port.js';

const firstId = '00000000-0000-0000-0000-000000000000';
const purgedAtOnce = 50;

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

  bytes(id: string): Promise<Uint8Array | undefined> {
    return this.files.get(id);
  }

  /** Removes the bytes of images that were removed before `cutoff` and that nothing names. */
  async purge(cutoff: Date): Promise<void> {
    let after = firstId;
    for (;;) {
      const removed = await this.images.removed(cutoff, after, purgedAtOnce);
      const ids = removed.filter(({ isUsed }) => !isUsed).map(({ id }) => id);
      await this.files.remove(ids);
      await this.images.forget(ids);
      after = removed.at(-1)?.id ?? after;
      if (removed.length < purgedAtOnce) return;
    }
  }
}

function known(image: StoredImage | undefined): StoredImage {
  if (image === undefined) throw new UnknownImageError();
  return image;
}
