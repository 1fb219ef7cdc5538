import { CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { Describes, HeaderParameter, Operation, Refuses, ResponsesFile } from '#http/openapi';
import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { NoRoomForStreamsError, TooManyStreamsError } from '../../domain/live-event.js';
import { maxStreamsPerTeam } from '../../application/live-feed.js';
import { LiveStreams } from './live-streams.js';

@Controller('live')
@Describes('Live updates', 'What changes, while it changes, as server-sent events.')
@PermissionsOf('emails')
export class LiveController {
  constructor(private readonly streams: LiveStreams) {}

  @Get()
  @Operation(
    'Stream what changes',
    'Server-sent events for a page that stays open. `ready`: from here on every change is told, so read ' +
      'what you show again. `emails`: emails that are new or have changed, as in `GET /emails`. `changed`: ' +
      'so many changed that they are not named; read the list again. `events`: types of events that belong ' +
      'to no email, such as `domain.updated`. `reload`: changes were missed; read everything again. A ' +
      'comment comes every 15 seconds. A stream ends after ten minutes and whenever the service stops: ' +
      'connect again with `Last-Event-ID`. Within 20 seconds nothing is missed; later, the first event is ' +
      '`reload`. For programs that must not miss anything there are webhooks.',
  )
  @HeaderParameter(
    'last-event-id',
    'Id of the last event of an earlier stream. Browsers send it by themselves.',
    { maxLength: 2_000 },
    '1795959600400.4713:4713:.q0Zk1bV8Yt7mJ2cXw5rNf3sLh6dPa9uEoGiTyKvB4Mw',
  )
  @ResponsesFile(
    'text/event-stream',
    'The stream.',
    'retry: 2000\n' +
      '\n' +
      'event: ready\n' +
      'id: 1795959600000.4711:4711:.XkV2mT9bQe4rWf7sNz1cLh5yJd8aPuGo0iKtBvEw3Mx\n' +
      'data: {}\n' +
      '\n' +
      'event: emails\n' +
      'id: 1795959600400.4713:4713:.q0Zk1bV8Yt7mJ2cXw5rNf3sLh6dPa9uEoGiTyKvB4Mw\n' +
      'data: {"emails":[{"id":"0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57","from":"Acme ' +
      '<hello@acme.example>","to":["ann@example.org"],"subject":"Your order","last_event":"delivered"}]}\n' +
      '\n' +
      ': here\n',
  )
  @Refuses(() => [new TooManyStreamsError(maxStreamsPerTeam), new NoRoomForStreamsError()])
  streamLiveUpdates(
    @CurrentPrincipal() principal: Principal,
    @Res() reply: FastifyReply,
    @Headers('last-event-id') lastEventId?: string,
  ): void {
    this.streams.open(principal, lastEventId, reply);
  }
}
