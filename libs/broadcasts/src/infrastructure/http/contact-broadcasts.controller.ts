import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, ListResponse } from '#platform/http';
import { DescribedBy, ResponsesList } from '#platform/openapi';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ListContactBroadcasts } from '../../application/list-contact-broadcasts.query.js';
import { contactBroadcast, ContactBroadcastResponse } from './contact-broadcasts.response.js';

/** The broadcasts that a contact got. Our own. */
@Controller('contacts/:idOrEmail')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/contact-broadcasts.description.js'))
export class ContactBroadcastsController {
  constructor(private readonly broadcasts: ListContactBroadcasts) {}

  @Get('broadcasts')
  @Requires('audience:read')
  @ResponsesList(ContactBroadcastResponse)
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<ContactBroadcastResponse>> {
    return listResponse(await this.broadcasts.execute(teamId, idOrEmail, parsePageRequest(query)), contactBroadcast);
  }
}
