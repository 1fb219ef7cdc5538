import { PassesOn, PermissionsOf, TeamId } from '#identity';
import { decodeBody, found, toResponse } from '#http/server';
import { Describes, Example, Operation, PathId, Refuses, Responses, Shape, Takes, Text } from '#http/openapi';
import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ReadEmails } from '../../application/read-emails.query.js';
import { parseExpiresIn } from '../../domain/email-fields.js';
import { emailId } from './example-ids.js';
import { SharedEmailResponse } from './responses.js';
import { SignedLinks } from './signed-links.js';

/** Body of `POST /emails/{id}/share`. It is optional. */
@Shape('How long the link will be valid.')
@Example('twoHours', 'Two hours', { expires_in: '2 hours' })
export class ShareEmailRequest {
  @Text(
    'A duration such as `10m`, `2 hours` or `1 day`: a number and a unit (seconds, minutes, hours or ' +
      'days, in full or shortened). At most 48 hours.',
    { optional: true, default: '48h', examples: ['2 hours'] },
  )
  expires_in?: string;
}

@Controller('emails/:id/share')
@Describes('Emails')
@PathId('id', 'Id of the email.', emailId, 'Email')
@PermissionsOf('emails')
export class ShareEmailController {
  constructor(
    private readonly emails: ReadEmails,
    private readonly links: SignedLinks,
  ) {}

  @Post()
  @Operation(
    'Share an email',
    'Creates a link with which anyone can read the email, without its blind-copy recipients, until the ' +
      'link expires.',
  )
  @Takes(ShareEmailRequest, 'How long the link is valid. Without a body: 48 hours.', { required: false })
  @Responses(SharedEmailResponse, 'The link.')
  @Refuses(() => [() => parseExpiresIn('soon'), () => parseExpiresIn('3 days')])
  @PassesOn(['emails:read'])
  async shareEmail(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ) {
    const { expires_in } = decodeBody(ShareEmailRequest, body ?? {});
    const lifeMs = parseExpiresIn(expires_in);
    const email = found('Email', await this.emails.findMetadata(teamId, id));
    return toResponse(SharedEmailResponse, { id: email.id, url: this.links.email(request, email.id, lifeMs).url });
  }
}
