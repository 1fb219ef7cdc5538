import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { decodeBody, found, idFromPath } from '#platform/http';
import { Responses, ApiPropertyOptional, Takes } from '#platform/openapi';
import { Body, Controller, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { ReadEmails } from '../../application/read-emails.query.js';
import { parseExpiresIn } from '../../domain/expires-in.js';
import { SharedEmailResponse } from './responses.js';
import { SignedLinks } from './signed-links.js';

/** Body of `POST /emails/{id}/share`. It is optional. */
export class ShareEmailRequest {
  @ApiPropertyOptional({ type: String, default: '48h', example: '2 hours' })
  @IsOptional()
  @IsString({ message: 'The `expires_in` field must be a string.' })
  expires_in?: string;
}

@Controller('emails/:id/share')
@UseGuards(PrincipalGuard)
export class ShareEmailController {
  constructor(
    private readonly emails: ReadEmails,
    private readonly links: SignedLinks,
  ) {}

  @Post()
  @Requires('emails:write')
  @HttpCode(200)
  @Takes(ShareEmailRequest, false)
  @Responses(SharedEmailResponse)
  async share(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<SharedEmailResponse> {
    const { expires_in } = decodeBody(ShareEmailRequest, body ?? {});
    const lifeMs = parseExpiresIn(expires_in);
    const email = found('Email', await this.emails.findMetadata(teamId, idFromPath('id', id)));
    return { object: 'email', id: email.id, url: this.links.email(request, email.id, lifeMs).url };
  }
}
