import { CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest, ValidationError } from '#kernel';
import { fileTooLarge, listResponse, TakesMultipart, toResponse } from '#http/server';
import { Describes, Operation, PathId, QueryParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Config } from '#platform/config';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ImageLibrary } from '../../application/image-library.use-case.js';
import {
  imageLimits,
  imagePath,
  ImageQuotaError,
  NoImageError,
  parseAlt,
  StoredImage,
  UnknownImageError,
} from '../../domain/image.js';
import { AddImageRequest, decodeImageTexts, decodeSearch, readImageForm, UpdateImageRequest } from './image.request.js';
import { imageId, ImageResponse, imageResponse, RemovedImageResponse } from './image.response.js';

const tooLong = (): string => parseAlt('x'.repeat(imageLimits.maxAltLength + 1));

@Controller('images')
@Describes(
  'Images',
  'Images that emails show, stored by the service. What is stored was decoded and encoded again, without metadata, and is at ' +
    `most ${imageLimits.maxWidth} pixels wide. An addition of Postrider.`,
)
@PathId('id', 'Id of the image.', imageId)
@PermissionsOf('templates')
export class ImagesController {
  private readonly base: string;

  constructor(
    private readonly images: ImageLibrary,
    { values: { publicUrl, httpHost, httpPort } }: Config,
  ) {
    this.base = publicUrl ?? `http://${httpHost}:${httpPort}`;
  }

  @Post()
  @Operation('Add an image', 'Stores an image. Anybody who has its address can see it.')
  @Takes(AddImageRequest, 'The image, and what it shows.', { mediaType: 'multipart/form-data' })
  @Responses(ImageResponse, 'The image is stored.', { status: 201 })
  @Refuses(() => [
    new NoImageError('is SVG or HTML, which may run programs'),
    new NoImageError('is damaged'),
    new ValidationError('The request body must be `multipart/form-data` with a `file`.'),
    fileTooLarge(imageLimits.maxUploadBytes),
    new ImageQuotaError(),
    tooLong,
  ])
  @TakesMultipart()
  async addImage(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { bytes, texts } = await readImageForm(body);
    return this.shown(await this.images.add(principal, bytes, texts));
  }

  @Get()
  @Operation('List images', 'The images of your team, newest first, in pages.')
  @QueryParameter('search', 'Only images with this in their name or alt text.', { maxLength: 100 }, 'quay')
  @ResponsesList(ImageResponse, 'A page of images.')
  @Refuses(() => [() => decodeSearch('x'.repeat(101))])
  async listImages(@CurrentPrincipal() principal: Principal, @Query() query: Readonly<Record<string, unknown>>) {
    const page = await this.images.list(principal, parsePageRequest(query), decodeSearch(query.search));
    return listResponse(page, (image) => this.shown(image));
  }

  @Get(':id')
  @Operation('Get an image', 'What is known of an image. Its bytes are at its `url`.')
  @Responses(ImageResponse, 'The image.')
  @Refuses(() => [new UnknownImageError()])
  async getImage(@CurrentPrincipal() principal: Principal, @Param('id') id: string) {
    return this.shown(await this.images.find(principal, id));
  }

  @Patch(':id')
  @Operation('Describe an image', 'Changes its name and its alt text in the library.')
  @Takes(UpdateImageRequest, 'The fields to change.')
  @Responses(ImageResponse, 'The image is described.')
  @Refuses(() => [new UnknownImageError(), tooLong, () => decodeImageTexts({ alt: 5 })])
  async updateImage(@CurrentPrincipal() principal: Principal, @Param('id') id: string, @Body() body: unknown) {
    return this.shown(await this.images.describe(principal, id, decodeImageTexts(body)));
  }

  @Delete(':id')
  @Operation(
    'Remove an image',
    'Takes an image out of the library. Mail and documents that show it go on showing it: its bytes are removed once ' +
      'nothing names it, and not before the mail of today is removed.',
  )
  @Responses(RemovedImageResponse, 'The image is removed.')
  @Refuses(() => [new UnknownImageError()])
  async removeImage(@CurrentPrincipal() principal: Principal, @Param('id') image: string) {
    await this.images.remove(principal, image);
    return toResponse(RemovedImageResponse, { id: image });
  }

  private shown(image: StoredImage): ImageResponse {
    return imageResponse(image, `${this.base}${imagePath(image)}`);
  }
}
