import { ImageType } from '../../domain/image.js';

export interface EncodedImage {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/** Decodes what a stranger calls an image, and encodes it again. */
export abstract class ImageEncoder {
  /**
   * The bytes are moved and empty afterwards. Throws NoImageError for what is no image, or is larger than images may be, and takes
   * the turn of the team.
   */
  abstract encode(teamId: string, bytes: Uint8Array): Promise<EncodedImage>;
}
