import { Readable } from 'node:stream';
import { addressesOf, ReadEmails } from '#emails';
import { PermissionsOf, TeamId } from '#identity';
import { NotFoundError } from '#kernel';
import { found, inPieces, ReadBudget, releaseOnceSent } from '#http/server';
import { Describes, Operation, PathId, QueryParameter, ResponsesFile } from '#http/openapi';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadSource } from '../../application/read-source.query.js';
import { emailId } from './example-ids.js';

/**
 * Bytes of memory per byte of a message while it is made: as stored, as given to a thread, as composed there, as sent, and
 * what is not collected yet.
 */
const bytesPerByte = 6;

/** An addition of Postrider to the contract: the source of an email. */
@Controller('emails')
@Describes('Emails')
@PathId('id', 'Id of the email.', emailId, 'Email')
@PermissionsOf('emails')
export class SourceController {
  constructor(
    private readonly emails: ReadEmails,
    private readonly source: ReadSource,
    private readonly reads: ReadBudget,
  ) {}

  @Get(':id/raw')
  @Operation(
    'Get the source of an email',
    'The whole message as a recipient gets it: header fields, MIME parts, links that are tracked, and ' +
      'signatures with the present keys of the domain. It is made for the request, as it is made for ' +
      'delivery. An addition of Postrider.',
  )
  @QueryParameter('recipient', 'Address of the recipient. Default: the first one.', {}, 'ada@customer.example')
  @ResponsesFile(
    'message/rfc822',
    'The message.',
    'DKIM-Signature: v=1; a=rsa-sha256; d=acme.example; s=postrider; …\r\n' +
      'From: Acme <hello@acme.example>\r\n' +
      'To: ada@customer.example\r\n' +
      'Subject: Your order is on its way\r\n' +
      '\r\n' +
      'It arrives on Friday.\r\n',
  )
  async getEmailSource(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @Query('recipient') recipient: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const email = found('Email', await this.emails.findMetadata(teamId, id));
    const recipientNo = typeof recipient === 'string' ? addressesOf(email).indexOf(recipient.trim()) : 0;
    if (recipientNo < 0) throw new NotFoundError('Recipient');
    const share = await this.reads.take(teamId, email.size * bytesPerByte);
    try {
      const bytes = found('Source', await this.source.read(email, recipientNo));
      releaseOnceSent(reply, share);
      await reply
        .headers({
          'content-type': 'message/rfc822',
          'content-disposition': `attachment; filename="${email.id}.eml"`,
          'content-length': bytes.length,
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-store',
        })
        .send(Readable.from(inPieces(bytes), { objectMode: false }));
    } catch (error) {
      share.release();
      throw error;
    }
  }
}
