import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parseWholeListRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#platform/http';
import { Responses, ResponsesList, DescribedBy } from '#platform/openapi';
import { Controller, Get, Param, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ReadAttachments } from '../../application/read-attachments.query.js';
import { Attachment } from '../../domain/email.js';
import { AttachmentResponse, AttachmentSummaryResponse } from './responses.js';
import { pageOfAttachments } from './attachment-page.js';
import { SignedLinks } from './signed-links.js';

@Controller('emails/:id/attachments')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/attachments.description.js'))
export class EmailAttachmentsController {
  constructor(
    private readonly attachments: ReadAttachments,
    private readonly links: SignedLinks,
  ) {}

  @Get()
  @Requires('emails:read')
  @ResponsesList(AttachmentSummaryResponse)
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
  @Requires('emails:read')
  @Responses(AttachmentResponse)
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
      filename: attachment.filename ?? undefined,
      size: attachment.size,
      content_type: attachment.contentType,
      content_disposition: attachment.contentId === null ? 'attachment' : 'inline',
      content_id: attachment.contentId ?? undefined,
      download_url: url,
      expires_at: expiresAt.toISOString(),
    };
  }
}
