import { Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';
import { ImageLibrary } from '../../application/image-library.use-case.js';

@Injectable()
export class ImagesPurge extends Purge {
  constructor(
    purges: Purges,
    private readonly images: ImageLibrary,
  ) {
    super(purges);
  }

  override removeOld({ cutoff }: PurgeMoment): Promise<void> {
    return this.images.purge(cutoff);
  }
}
