import { PermissionsOf, TeamId } from '#identity';
import { parseWholeListRequest, ValidationError } from '#kernel';
import { listResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesWholeList } from '#http/openapi';
import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ReadAttachments } from '../../application/read-attachments.query.js';
import { Attachment } from '../../domain/email.js';
import { attachmentId, emailId } from './example-ids.js';
import { AttachmentResponse, AttachmentSummaryResponse } from './responses.js';
import { pageOfAttachments } from './attachment-page.js';
import { SignedLinks } from './signed-links.js';

@Controller('emails/:id/attachments')
@Describes('Emails')
@PathId('id', 'Id of the email.', emailId, 'Email')
@PathId('attachmentId', 'Id of the attachment.', attachmentId, 'Attachment')
@PermissionsOf('emails')
export class EmailAttachmentsController {
  constructor(
    private readonly attachments: ReadAttachments,
    private readonly links: SignedLinks,
  ) {}

  @Get()
  @Operation(
    'List the attachments of an email',
    'The attachments of an email in the order in which they were sent, with links to their content.',
  )
  @ResponsesWholeList(AttachmentSummaryResponse, 'The attachments.')
  @Refuses(() => [new ValidationError('The cursor must be the id of an item of the list.')])
  async listEmailAttachments(
    @TeamId() teamId: string,
    @Param('id') emailId: string,
    @Query() query: object,
    @Req() request: FastifyRequest,
  ) {
    const page = pageOfAttachments(parseWholeListRequest(query), await this.attachments.list(teamId, emailId));
    return listResponse(page, (attachment) => this.summaryOf(request, emailId, attachment));
  }

  @Get(':attachmentId')
  @Operation(
    'Get an attachment of an email',
    'One attachment with a link to its content. Each call creates a new link, which is valid for an hour.',
  )
  @Responses(AttachmentResponse, 'The attachment.')
  async getEmailAttachment(
    @TeamId() teamId: string,
    @Param('id') emailId: string,
    @Param('attachmentId') attachmentId: string,
    @Req() request: FastifyRequest,
  ): Promise<AttachmentResponse> {
    const attachment = await this.attachments.find(teamId, emailId, attachmentId);
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
