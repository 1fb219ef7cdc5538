import { PermissionsOf, TeamId } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse } from '#http/server';
import { Describes, Operation, PathParameter, ResponsesList } from '#http/openapi';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ReadBroadcasts } from '../../application/read-broadcasts.query.js';
import { contactBroadcast, ContactBroadcastResponse } from './contact-broadcasts.response.js';

/** The broadcasts that a contact got. Our own. */
@Controller('contacts/:idOrEmail')
@Describes('Contacts')
@PathParameter('idOrEmail', 'Id or address of the contact.', {}, 'ada@example.com', 'Contact')
@PermissionsOf('audience')
export class ContactBroadcastsController {
  constructor(private readonly read: ReadBroadcasts) {}

  @Get('broadcasts')
  @Operation(
    'List the broadcasts of a contact',
    'The broadcasts that a contact got, with what it did, newest first. They are kept when the emails are ' +
      'not any more. An addition of Postrider.',
  )
  @ResponsesList(ContactBroadcastResponse, 'A page of broadcasts.')
  async listContactBroadcasts(
    @TeamId() teamId: string,
    @Param('idOrEmail') idOrEmail: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ) {
    return listResponse(await this.read.ofContact(teamId, idOrEmail, parsePageRequest(query)), contactBroadcast);
  }
}
