import { toResponse } from '#http/server';
import { Always, Deleted, Id, Moment, ReferenceTo, Shape, Text, Whole } from '#http/openapi';
import { StoredImage } from '../../domain/image.js';

export const imageId = '0193a1f9-4b7e-7d25-9c48-d1c5f7306b2f';

@Shape('An image of the library.')
export class ImageResponse {
  @Always('image') object!: 'image';
  @Id('Id of the image.', imageId) id!: string;
  @Text(
    'Address at which mail shows it. It stays for as long as people keep the mail.',
    `https://mail.example.com/i/${imageId}.jpg`,
  )
  url!: string;
  @Text('Its name.', 'quay.jpg') name!: string;
  @Text('Describes the image for people who cannot see it; empty if nobody has described it.', 'The quay at night')
  alt!: string;
  @Whole('Pixels.', 1200) width!: number;
  @Whole('Pixels.', 800) height!: number;
  @Whole('Bytes, as it is stored.', 148_213) size!: number;
  @Moment('When it was added.') created_at!: string;
}

@Shape('The image that was removed.')
export class RemovedImageResponse extends Deleted(ReferenceTo('image', 'Id of the image.', imageId)) {}

export const imageResponse = (image: StoredImage, url: string): ImageResponse =>
  toResponse(ImageResponse, image, { url });
