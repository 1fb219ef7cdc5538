import { Readable } from 'node:stream';
import { ReadBudget, inPieces, releaseOnceSent, streamedBytes } from '#http/server';
import { Undocumented } from '#http/openapi';
import { isUuid } from '#kernel';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ImageLibrary } from '../../application/image-library.use-case.js';
import { imagePath, UnknownImageError } from '../../domain/image.js';

/** An image never changes, so a client that has fetched it need not ask again. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Web mail with cross-origin isolation loads pictures from other origins only with this header.
  'cross-origin-resource-policy': 'cross-origin',
};

/** Images in mail. They need no key: everybody who has the mail may see them. */
@Controller('i')
@Undocumented()
export class ShownImagesController {
  constructor(
    private readonly images: ImageLibrary,
    private readonly reads: ReadBudget,
  ) {}

  @Get(':name')
  async show(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const id = name.slice(0, 36);
    const image = isUuid(id) ? await this.images.shown(id) : undefined;
    if (image === undefined || imagePath(image) !== `/i/${name}`) throw new UnknownImageError();
    const share = await this.reads.take(image.teamId, streamedBytes(image.size));
    try {
      const bytes = await this.images.bytes(id);
      if (bytes === undefined) throw new UnknownImageError();
      releaseOnceSent(reply, share);
      await reply
        .headers({ ...headers, 'content-type': `image/${image.type}`, 'content-length': bytes.length })
        .send(Readable.from(inPieces(bytes), { objectMode: false }));
    } catch (error) {
      share.release();
      throw error;
    }
  }
}
