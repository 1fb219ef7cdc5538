import { Readable } from 'node:stream';
import { found, idFromPath, inPieces, ownerOf, releaseOnceSent } from '#http/server';
import { Undocumented } from '#http/openapi';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadAttachments } from '../../application/read-attachments.query.js';
import { ReadEmails } from '../../application/read-emails.query.js';
import { sharedEmailPage } from './shared-email-page.js';
import type { LinkSignature } from './signed-links.js';
import { contentDisposition, SignedLinks } from './signed-links.js';

/** Content of customers is never executed: no scripts and no forms, and only images, styles and fonts are loaded. */
const contentPolicy =
  "default-src 'none'; img-src data: https:; style-src 'unsafe-inline'; font-src https:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The targets of signed links. They need no API key. */
@Controller('shared')
@Undocumented()
export class SharedController {
  constructor(
    private readonly links: SignedLinks,
    private readonly attachments: ReadAttachments,
    private readonly emails: ReadEmails,
  ) {}

  @Get('attachments/:emailId/:attachmentId')
  async attachment(
    @Param('emailId') emailId: string,
    @Param('attachmentId') attachmentId: string,
    @Query() query: LinkSignature,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.links.verify(`/shared/attachments/${emailId}/${attachmentId}`, query);
    const ids = [idFromPath('emailId', emailId), idFromPath('attachmentId', attachmentId)] as const;
    const found = await this.attachments.download(...ids, ownerOf(request));
    releaseOnceSent(reply, found);
    const { attachment, content } = found;
    await reply
      .headers({
        'content-type': attachment.contentType,
        'content-length': attachment.size,
        'content-disposition': contentDisposition(attachment.filename),
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      })
      .send(Readable.from(content instanceof Uint8Array ? inPieces(content) : content, { objectMode: false }));
  }

  @Get('emails/:emailId')
  async email(
    @Param('emailId') emailId: string,
    @Query() query: LinkSignature,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.links.verify(`/shared/emails/${emailId}`, query);
    const email = found('Email', await this.emails.findShared(idFromPath('emailId', emailId), ownerOf(request)));
    releaseOnceSent(reply, email.body);
    await reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentPolicy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'cache-control': 'private, no-store',
      })
      .send(sharedEmailPage(email));
  }
}
