import type { ApiDescription } from '#platform/api-description';
import { NoRoomForStreamsError, TooManyStreamsError } from '../../../domain/live-errors.js';
import { maxStreamsPerTeam } from '../../../application/live-feed.js';

const emailExample = {
  id: '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57',
  from: 'Acme <hello@acme.example>',
  to: ['ann@example.org'],
  subject: 'Your order',
  last_event: 'delivered',
};

const positionExample = '1795959600400.4713:4713:.q0Zk1bV8Yt7mJ2cXw5rNf3sLh6dPa9uEoGiTyKvB4Mw';

const example = [
  'retry: 2000\n',
  'event: ready\nid: 1795959600000.4711:4711:.XkV2mT9bQe4rWf7sNz1cLh5yJd8aPuGo0iKtBvEw3Mx\ndata: {}\n',
  `event: emails\nid: ${positionExample}\ndata: ${JSON.stringify({ emails: [emailExample] })}\n`,
  ': here\n',
].join('\n');

export const apiDescription: ApiDescription = {
  tag: 'Live updates',
  tagDescription: 'What changes, while it changes, as server-sent events.',
  operations: {
    'GET /live': {
      operationId: 'streamLiveUpdates',
      summary: 'Stream what changes',
      description:
        'Server-sent events for a page that stays open. `ready`: from here on every change is told, so read what you show ' +
        'again. `emails`: emails that are new or have changed, as in `GET /emails`. `changed`: so many changed that they are ' +
        'not named; read the list again. `events`: types of events that belong to no email, such as `domain.updated`. ' +
        '`reload`: changes were missed; read everything again. A comment comes every 15 seconds. A stream ends after ten ' +
        'minutes and whenever the service stops: connect again with `Last-Event-ID`. Within 20 seconds nothing is missed; ' +
        'later, the first event is `reload`. For programs that must not miss anything there are webhooks.',
      parameters: {
        'last-event-id': {
          description: 'Id of the last event of an earlier stream. Browsers send it by themselves.',
          schema: { maxLength: 2_000 },
          example: positionExample,
        },
      },
      responses: { 200: { description: 'The stream.', contentType: 'text/event-stream', example } },
      errors: [new TooManyStreamsError(maxStreamsPerTeam), new NoRoomForStreamsError()],
    },
  },
};
