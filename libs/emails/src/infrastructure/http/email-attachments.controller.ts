import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parseWholeListRequest, ValidationError } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesWholeList } from '#http/openapi';
import { Controller, Get, Param, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ReadAttachments } from '../../application/read-attachments.query.js';
import { Attachment } from '../../domain/email.js';
import { attachmentId, emailId } from './example-ids.js';
import { AttachmentResponse, AttachmentSummaryResponse } from './responses.js';
import { pageOfAttachments } from './attachment-page.js';
import { SignedLinks } from './signed-links.js';

@Controller('emails/:id/attachments')
@Describes('Emails')
@PathId('id', 'Id of the email.', emailId)
@PathId('attachmentId', 'Id of the attachment.', attachmentId)
@UseGuards(PrincipalGuard)
export class EmailAttachmentsController {
  constructor(
    private readonly attachments: ReadAttachments,
    private readonly links: SignedLinks,
  ) {}

  @Get()
  @Operation(
    'listEmailAttachments',
    'List the attachments of an email',
    'The attachments of an email in the order in which they were sent, with links to their content.',
  )
  @ResponsesWholeList(AttachmentSummaryResponse, 'The attachments.')
  @Refuses(() => [new NotFoundError('Email'), new ValidationError('The cursor must be the id of an item of the list.')])
  @Requires('emails:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: object,
    @Req() request: FastifyRequest,
  ): Promise<ListResponse<AttachmentSummaryResponse>> {
    const emailId = idFromPath('id', id);
    const page = pageOfAttachments(parseWholeListRequest(query), await this.attachments.list(teamId, emailId));
    return listResponse(page, (attachment) => this.summaryOf(request, emailId, attachment));
  }

  @Get(':attachmentId')
  @Operation(
    'getEmailAttachment',
    'Get an attachment of an email',
    'One attachment with a link to its content. Each call creates a new link, which is valid for an hour.',
  )
  @Responses(AttachmentResponse, 'The attachment.')
  @Refuses(() => [new NotFoundError('Email'), new NotFoundError('Attachment')])
  @Requires('emails:read')
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Param('attachmentId') attachmentId: string,
    @Req() request: FastifyRequest,
  ): Promise<AttachmentResponse> {
    const emailId = idFromPath('id', id);
    const attachment = await this.attachments.find(teamId, emailId, idFromPath('attachmentId', attachmentId));
    return { object: 'attachment', ...this.summaryOf(request, emailId, attachment) };
  }

  private summaryOf(request: FastifyRequest, emailId: string, attachment: Attachment): AttachmentSummaryResponse {
    const { url, expiresAt } = this.links.attachment(request, emailId, attachment.id);
    return {
      id: attachment.id,
      filename: attachment.filename,
      size: attachment.size,
      content_type: attachment.contentType,
      content_disposition: attachment.contentId === null ? 'attachment' : 'inline',
      content_id: attachment.contentId,
      download_url: url,
      expires_at: expiresAt.toISOString(),
    };
  }
}
