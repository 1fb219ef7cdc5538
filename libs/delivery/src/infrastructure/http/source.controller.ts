import { Readable } from 'node:stream';
import { addressesOf, ReadEmails } from '#emails';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { found, idFromPath, inPieces, ReadBudget, releaseOnceSent } from '#platform/http';
import { ApiQuery, DescribedBy, ResponsesFile } from '#platform/openapi';
import { Controller, Get, Param, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadSource } from '../../application/read-source.query.js';

/** Bytes of memory per byte of a message while it is made: as stored, as composed and as sent. */
const bytesPerByte = 3;

/** An addition of Postrider to the contract: the source of an email. */
@Controller('emails')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/source.description.js'))
export class SourceController {
  constructor(
    private readonly emails: ReadEmails,
    private readonly source: ReadSource,
    private readonly reads: ReadBudget,
  ) {}

  @Get(':id/raw')
  @Requires('emails:read')
  @ApiQuery({ name: 'recipient', required: false, schema: { type: 'string' } })
  @ResponsesFile('message/rfc822')
  async raw(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query('recipient') recipient: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const email = found('Email', await this.emails.findMetadata(teamId, idFromPath('id', id)));
    const recipientNo = typeof recipient === 'string' ? addressesOf(email).indexOf(recipient.trim()) : 0;
    if (recipientNo < 0) throw new NotFoundError('Recipient');
    const share = await this.reads.take(teamId, email.size * bytesPerByte);
    try {
      const bytes = found('Source', await this.source.execute(email, recipientNo));
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
