import { Logger } from '#observability/logging';
import { Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';
import { ImageLibrary } from '../../application/image-library.use-case.js';

@Injectable()
export class ImagesPurge extends Purge {
  constructor(
    purges: Purges,
    private readonly images: ImageLibrary,
    private readonly logger: Logger,
  ) {
    super(purges);
  }

  /** What fails for one team stops neither the others nor the rest of retention. */
  override async removeOld({ cutoff }: PurgeMoment): Promise<void> {
    for (const { teamId, error } of await this.images.purge(cutoff)) {
      this.logger.error({ teamId, error }, 'removed images of a team could not be purged');
    }
  }
}
