import { PrincipalGuard, Requires } from '#identity';
import { isUuid, NotFoundError, parsePageRequest, ValidationError } from '#kernel';
import { idFromPath, listResponse } from '#platform/http';
import type { ListResponse } from '#platform/http';
import { Responses, ResponsesList, DescribedBy } from '#platform/openapi';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { AttachmentResponse, AttachmentSummaryResponse } from './responses.js';
import { ReceivedEmailResponse, ReceivedEmailSummaryResponse } from './received-email.response.js';

/**
 * Received emails (docs/wire-contract.md section 8). This service does not receive mail yet, and responds like an
 * account that has received none. Must be registered before `/emails/:id`.
 */
@Controller('emails/receiving')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/received-emails.description.js'))
export class ReceivedEmailsController {
  @Get()
  @Requires('emails:read')
  @ResponsesList(ReceivedEmailSummaryResponse)
  list(@Query() query: object): ListResponse<ReceivedEmailSummaryResponse> {
    const { after, before } = parsePageRequest(query);
    const cursor = after ?? before;
    if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of an email.');
    return listResponse({ items: [], hasMore: false }, (item: ReceivedEmailSummaryResponse) => item);
  }

  @Get(':id')
  @Requires('emails:read')
  @Responses(ReceivedEmailResponse)
  get(@Param('id') id: string): never {
    throw this.unknown(id);
  }

  @Get(':id/attachments')
  @Requires('emails:read')
  @ResponsesList(AttachmentSummaryResponse)
  attachments(@Param('id') id: string): never {
    throw this.unknown(id);
  }

  @Get(':id/attachments/:attachmentId')
  @Requires('emails:read')
  @Responses(AttachmentResponse)
  attachment(@Param('id') id: string, @Param('attachmentId') attachmentId: string): never {
    idFromPath('attachmentId', attachmentId);
    throw this.unknown(id);
  }

  private unknown(id: string): NotFoundError {
    idFromPath('id', id);
    return new NotFoundError('Email');
  }
}
