import { Undocumented } from '#http/openapi';
import { NotFoundError } from '#kernel';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MailPictures } from '../../application/ports/mail-pictures.port.js';

const headers = {
  'content-type': 'image/png',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Web mail with cross-origin isolation loads pictures from other origins only with this header.
  'cross-origin-resource-policy': 'cross-origin',
};

/** They need no key: everybody who has the mail may see them. */
@Controller('editor')
@Undocumented()
export class PicturesController {
  constructor(private readonly pictures: MailPictures) {}

  @Get('icons/:name')
  async icon(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const icon = name.endsWith('.png') ? await this.pictures.icon(name.slice(0, -4)) : undefined;
    if (icon === undefined) throw new NotFoundError('Icon');
    await reply.headers({ ...headers, 'cache-control': 'public, max-age=31536000' }).send(icon);
  }

  /** Of documents to begin with. */
  @Get('pictures/:name')
  async illustration(
    @Param('name') name: string,
    @Req() { ip }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const picture = name.endsWith('.png') ? await this.pictures.illustration(name.slice(0, -4), ip) : undefined;
    if (picture === undefined) throw new NotFoundError('Picture');
    await reply.headers({ ...headers, 'cache-control': 'public, max-age=31536000' }).send(picture);
  }

  /** Each time that the mail is opened shows the time that is left then. */
  @Get('countdown/:name')
  async countdown(
    @Param('name') name: string,
    @Req() { ip }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const picture = await this.pictures.countdown(name, ip);
    if (picture === undefined) throw new NotFoundError('Countdown');
    await reply.headers({ ...headers, 'cache-control': 'no-store, max-age=0' }).send(picture);
  }
}
