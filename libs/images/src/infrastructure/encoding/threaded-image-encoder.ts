import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { EncodedImage, ImageEncoder } from '../../application/ports/image-encoder.port.js';
import { imageLimits, NoImageError } from '../../domain/image.js';
import { imageParser } from './image.parser.js';

/** Each image is decoded in a parser thread, in the turn of its team. */
@Injectable()
export class ThreadedImageEncoder extends ImageEncoder {
  constructor(private readonly parsers: ParserThreads) {
    super();
  }

  async encode(teamId: string, bytes: Uint8Array): Promise<EncodedImage> {
    try {
      const image = await this.parsers.run(imageParser, { owner: teamId, bytes, options: imageLimits });
      if ('refused' in image) throw new NoImageError(image.refused);
      return image;
    } catch (error) {
      if (error instanceof UnreadableError) throw new NoImageError('takes too long to decode');
      throw error;
    }
  }
}
