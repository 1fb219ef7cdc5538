import { Readable } from 'node:stream';
import { begun, ownerOf, releaseOnceSent, watchPace } from '#http/server';
import { Undocumented } from '#http/openapi';
import { BudgetShare, DomainError, FairBudget, isUuid } from '#kernel';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageLibrary } from '../../application/image-library.use-case.js';
import { maxHeldBytes } from '../../application/ports/images.port.js';
import { imagePath, StoredImage, UnknownImageError } from '../../domain/image.js';

const mebibyte = 1024 * 1024;
/** What all people who look at images may hold, and those of one address or of one image. */
const room = { total: 128 * mebibyte, maxPerOwner: 64 * mebibyte };
/** How long one waits for its turn. Images are sent in moments, except to those who read slowly. */
const maxWaitMs = 20_000;

class ImagesBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many images are being sent. Please try again later.');
  }
}

/** An image never changes, so a client that has fetched it need not ask again. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Web mail with cross-origin isolation loads pictures from other origins only with this header.
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Images in mail. They need no key: everybody who has the mail may see them. So the public has memory of its own, and
 * takes none from what teams read and upload. An image is read from where it is stored as fast as its reader takes it.
 */
@Controller('i')
@Undocumented()
export class ShownImagesController {
  private readonly room = new FairBudget(room);

  constructor(private readonly images: ImageLibrary) {}

  @Get(':name')
  async show(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const id = name.slice(0, 36);
    const image = isUuid(id) ? await this.images.shown(id) : undefined;
    if (image === undefined || imagePath(image) !== `/i/${name}`) throw new UnknownImageError();
    const share = await this.take(ownerOf(request), image);
    try {
      const bytes = await begun(this.images.bytes(id));
      if (bytes === undefined) throw new UnknownImageError();
      releaseOnceSent(reply, share);
      watchPace(reply, () => share.isInDemand);
      await reply
        .headers({ ...headers, 'content-type': `image/${image.type}`, 'content-length': image.size })
        .send(Readable.from(bytes, { objectMode: false }));
    } catch (error) {
      share.release();
      throw error;
    }
  }

  private take(address: string, { id, size }: StoredImage): Promise<BudgetShare> {
    const owners = [address, `image ${id}`];
    return this.room.hold(owners, Math.min(size, maxHeldBytes), { maxWaitMs, refusal: () => new ImagesBusyError() });
  }
}
