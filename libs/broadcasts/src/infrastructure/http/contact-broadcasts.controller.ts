import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathParameter, Refuses, ResponsesList } from '#http/openapi';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ReadBroadcasts } from '../../application/read-broadcasts.query.js';
import { contactBroadcast, ContactBroadcastResponse } from './contact-broadcasts.response.js';

/** The broadcasts that a contact got. Our own. */
@Controller('contacts/:idOrEmail')
@Describes('Contacts')
@PathParameter('idOrEmail', 'Id or address of the contact.', {}, 'ada@example.com')
@UseGuards(PrincipalGuard)
export class ContactBroadcastsController {
  constructor(private readonly read: ReadBroadcasts) {}

  @Get('broadcasts')
  @Operation(
    'listContactBroadcasts',
    'List the broadcasts of a contact',
    'The broadcasts that a contact got, with what it did, newest first. They are kept when the emails are ' +
      'not any more. An addition of Postrider.',
  )
  @ResponsesList(ContactBroadcastResponse, 'A page of broadcasts.')
  @Refuses(() => [new NotFoundError('Contact')])
  @Requires('audience:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<ContactBroadcastResponse>> {
    return listResponse(await this.read.ofContact(teamId, idOrEmail, parsePageRequest(query)), contactBroadcast);
  }
}
