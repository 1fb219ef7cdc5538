import { Readable } from 'node:stream';
import { contentDisposition, SignedLinks } from '#emails';
import type { LinkSignature } from '#emails';
import { idFromPath, inPieces, ownerOf, releaseOnceSent } from '#http/server';
import { Undocumented } from '#http/openapi';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReceivedInbox } from '../../application/received-inbox.use-case.js';

/** Content of strangers is never executed and never shown in the page of this service. */
const safeHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
};

/** The targets of the links to received content. They need no API key. */
@Controller('shared/received')
@Undocumented()
export class ReceivedLinksController {
  constructor(
    private readonly links: SignedLinks,
    private readonly received: ReceivedInbox,
  ) {}

  @Get(':id/raw')
  async source(
    @Param('id') id: string,
    @Query() query: LinkSignature,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.links.verify(sourcePath(id), query);
    const source = await this.received.downloadSource(idFromPath('id', id), ownerOf(request));
    releaseOnceSent(reply, source);
    await reply
      .headers({
        ...safeHeaders,
        'content-type': 'message/rfc822',
        'content-length': source.size,
        'content-disposition': contentDisposition(`${id}.eml`),
      })
      .send(Readable.from(source.content, { objectMode: false }));
  }

  @Get(':id/attachments/:attachmentId')
  async attachment(
    @Param('id') id: string,
    @Param('attachmentId') attachmentId: string,
    @Query() query: LinkSignature,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.links.verify(attachmentPath(id, attachmentId), query);
    const ids = [idFromPath('id', id), idFromPath('attachmentId', attachmentId)] as const;
    const found = await this.received.downloadAttachment(...ids, ownerOf(request));
    releaseOnceSent(reply, found);
    const { attachment, content } = found;
    await reply
      .headers({
        ...safeHeaders,
        'content-type': mediaType(attachment.contentType),
        'content-length': content.length,
        'content-disposition': contentDisposition(attachment.filename),
      })
      .send(Readable.from(inPieces(content), { objectMode: false }));
  }
}

/** The type that a stranger gave, if it can stand in a header. */
function mediaType(text: string): string {
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(text) ? text : 'application/octet-stream';
}

/** The paths of links that need no API key. */
export function sourcePath(emailId: string): string {
  return `/shared/received/${emailId}/raw`;
}

export function attachmentPath(emailId: string, attachmentId: string): string {
  return `/shared/received/${emailId}/attachments/${attachmentId}`;
}
