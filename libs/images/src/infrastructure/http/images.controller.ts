import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest, ValidationError } from '#kernel';
import { fileTooLarge, idFromPath, listResponse, ListResponse, TakesMultipart } from '#http/server';
import { Describes, Operation, PathId, QueryParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Config } from '#platform/config';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
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
import { imageId } from './example-ids.js';
import { AddImageRequest, decodeImageTexts, decodeSearch, readImageForm, UpdateImageRequest } from './image.request.js';
import { ImageResponse, imageResponse, RemovedImageResponse } from './image.response.js';

const tooLong = (): string => parseAlt('x'.repeat(imageLimits.maxAltLength + 1));

@Controller('images')
@Describes(
  'Images',
  'Images that emails show, stored by the service. What is stored was decoded and encoded again, without metadata, and is at ' +
    `most ${imageLimits.maxWidth} pixels wide. An addition of Postrider.`,
)
@PathId('id', 'Id of the image.', imageId)
@UseGuards(PrincipalGuard)
export class ImagesController {
  private readonly base: string;

  constructor(
    private readonly images: ImageLibrary,
    { values: { publicUrl, httpHost, httpPort } }: Config,
  ) {
    this.base = publicUrl ?? `http://${httpHost}:${httpPort}`;
  }

  @Post()
  @Operation('addImage', 'Add an image', 'Stores an image. Anybody who has its address can see it.')
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
  @Requires('templates:write')
  @TakesMultipart()
  async add(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<ImageResponse> {
    const { bytes, texts } = await readImageForm(body);
    return this.shown(await this.images.add(principal, bytes, texts));
  }

  @Get()
  @Operation('listImages', 'List images', 'The images of your team, newest first, in pages.')
  @QueryParameter('search', 'Only images with this in their name or alt text.', { maxLength: 100 }, 'quay')
  @ResponsesList(ImageResponse, 'A page of images.')
  @Refuses(() => [() => decodeSearch('x'.repeat(101))])
  @Requires('templates:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<ImageResponse>> {
    const page = await this.images.list(principal, parsePageRequest(query), decodeSearch(query.search));
    return listResponse(page, (image) => this.shown(image));
  }

  @Get(':id')
  @Operation('getImage', 'Get an image', 'What is known of an image. Its bytes are at its `url`.')
  @Responses(ImageResponse, 'The image.')
  @Refuses(() => [new UnknownImageError()])
  @Requires('templates:read')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ImageResponse> {
    return this.shown(await this.images.find(principal, idFromPath('id', id)));
  }

  @Patch(':id')
  @Operation('updateImage', 'Describe an image', 'Changes its name and its alt text in the library.')
  @Takes(UpdateImageRequest, 'The fields to change.')
  @Responses(ImageResponse, 'The image is described.')
  @Refuses(() => [new UnknownImageError(), tooLong, () => decodeImageTexts({ alt: 5 })])
  @Requires('templates:write')
  async describe(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<ImageResponse> {
    return this.shown(await this.images.describe(principal, idFromPath('id', id), decodeImageTexts(body)));
  }

  @Delete(':id')
  @Operation(
    'removeImage',
    'Remove an image',
    'Takes an image out of the library. Mail and documents that show it go on showing it: its bytes are removed once ' +
      'nothing names it, and not before the mail of today is removed.',
  )
  @Responses(RemovedImageResponse, 'The image is removed.')
  @Refuses(() => [new UnknownImageError()])
  @Requires('templates:write')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedImageResponse> {
    const image = idFromPath('id', id);
    await this.images.remove(principal, image);
    return { object: 'image', id: image, deleted: true };
  }

  private shown(image: StoredImage): ImageResponse {
    return imageResponse(image, `${this.base}${imagePath(image)}`);
  }
}
