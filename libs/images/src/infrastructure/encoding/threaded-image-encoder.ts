import { FairBudget } from '#kernel';
import { ParserThreads, ParsingBusyError, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { EncodedImage, ImageEncoder } from '../../application/ports/images.port.js';
import { imageLimits, NoImageError } from '../../domain/image.js';
import { imageParser } from './image.parser.js';

const maxWaitMs = 30_000;

/**
 * Each image is decoded in a parser thread, in the turn of its team. The heap limit of the threads does not count what
 * the decoder takes, so one image at a time is decoded in a process, within `maxDecodingBytes`. What waits for its turn holds
 * no more than the body of its request, and so does what comes out.
 */
@Injectable()
export class ThreadedImageEncoder extends ImageEncoder {
  private readonly turns = new FairBudget({ total: 1, maxPerOwner: 1 });

  constructor(private readonly parsers: ParserThreads) {
    super();
  }

  async encode(teamId: string, bytes: Uint8Array): Promise<EncodedImage> {
    const turn = await this.turns.hold([teamId], 1, { maxWaitMs, refusal: () => new ParsingBusyError() });
    try {
      const image = await this.parsers.run(imageParser, { owner: teamId, bytes, options: imageLimits });
      if ('refused' in image) throw new NoImageError(image.refused);
      return image;
    } catch (error) {
      if (error instanceof UnreadableError) throw new NoImageError('takes too long to decode');
      throw error;
    } finally {
      turn.release();
    }
  }
}
