import { PermissionsOf, TeamId } from '#identity';
import { found, idFromPath, ownerOf, releaseOnceSent, toResponse } from '#http/server';
import { Describes, Operation, PathId, Responses, Undocumented } from '#http/openapi';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadAttachments } from '../../application/read-attachments.query.js';
import { ReadEmails } from '../../application/read-emails.query.js';
import { emailId } from './example-ids.js';
import { emailPreview, previewHeaders } from './email-preview.js';
import { EmailPreviewResponse } from './responses.js';
import type { LinkSignature } from './signed-links.js';
import { SignedLinks } from './signed-links.js';

@Controller('emails/:id/preview')
@Describes('Emails')
@PathId('id', 'Id of the email.', emailId, 'Email')
@PermissionsOf('emails')
export class EmailPreviewController {
  constructor(
    private readonly emails: ReadEmails,
    private readonly links: SignedLinks,
  ) {}

  @Get()
  @Operation(
    'Get a link for a preview',
    'A link to the HTML of an email, for a frame of the dashboard. It is valid for ten minutes and needs ' +
      'no API key. Nothing in the document runs, and nothing is loaded from the internet unless ' +
      '`&images=remote` is added.',
  )
  @Responses(EmailPreviewResponse, 'The link.')
  async previewEmail(@TeamId() teamId: string, @Param('id') id: string, @Req() request: FastifyRequest) {
    const email = found('Email', await this.emails.findMetadata(teamId, id));
    const { url, expiresAt } = this.links.preview(request, email.id);
    return toResponse(EmailPreviewResponse, { id: email.id, url, expiresAt: expiresAt.toISOString() });
  }
}

interface PreviewQuery extends LinkSignature {
  /** `remote`: images from the internet are loaded. */
  readonly images?: unknown;
}

/** The document in the frame. A frame cannot send the header that names the team, so it is reached by a signed link. */
@Controller('shared/previews')
@Undocumented()
export class SharedPreviewController {
  constructor(
    private readonly emails: ReadEmails,
    private readonly attachments: ReadAttachments,
    private readonly links: SignedLinks,
  ) {}

  @Get(':emailId')
  async show(
    @Param('emailId') emailId: string,
    @Query() query: PreviewQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.links.verify(`/shared/previews/${emailId}`, query);
    const shared = found('Email', await this.emails.findShared(idFromPath('emailId', emailId), ownerOf(request)));
    releaseOnceSent(reply, shared.body);
    const { email } = shared;
    const attachments = await this.attachments.list(email.teamId, email.id);
    const linkOf = ({ id }: { readonly id: string }): string => {
      const { pathname, search } = new URL(this.links.attachment(request, email.id, id).url);
      return `${pathname}${search}`;
    };
    await reply.headers(previewHeaders(query.images === 'remote')).send(emailPreview(shared, attachments, linkOf));
  }
}
