import { Audited, CurrentPrincipal, WritesInGroups, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, NotFoundError, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import {
  Body,
  Controller,
  createParamDecorator,
  Delete,
  ExecutionContext,
  Get,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  AddressBeyondPermissionsError,
  ContactOrAddressError,
  EventNameTakenError,
  Events,
  RefusedEventError,
  TooManyEventsError,
} from '../../application/events.use-case.js';
import {
  checkedPayload,
  checkEventCount,
  maxSentEvents,
  parseEventName,
  parseEventSchema,
} from '../../domain/event-definition.js';
import {
  CreateEventRequest,
  decodeNewEvent,
  decodeSchemaChange,
  decodeSentEvent,
  decodeSentEvents,
  SendEventRequest,
  UpdateEventRequest,
} from './event.request.js';
import {
  EventIdResponse,
  EventResponse,
  eventResponse,
  eventSummary,
  EventSummaryResponse,
  RemovedEventResponse,
  SeenEventResponse,
  seenResponse,
  SeenEventSummaryResponse,
  seenSummary,
  SentEventResponse,
  SentEventsResponse,
} from './event.response.js';

const wrongType = (): unknown => parseEventSchema({ total: 'text' });

/**
 * The last segment of the path, decoded as a form: Ruby writes a blank as a plus, and a plus as `%2B`. In the decoded
 * parameter nobody could tell them apart.
 */
const SpacedName = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const [path = ''] = (context.switchToHttp().getRequest<FastifyRequest>().raw.url ?? '').split('?', 1);
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1).replaceAll('+', ' '));
});

/** Custom events, with which automations begin (docs/automations.md). */
@Controller('events')
@Describes(
  'Events',
  'What happens in your product to one of your contacts. Automations begin with an event, or wait for one. An event ' +
    'can be sent without being defined; a definition checks the payloads.',
)
@PathParameter('idOrName', 'Id of the event, or its name.', {}, 'order.paid', 'Event')
@PermissionsOf('automations')
export class EventsController {
  constructor(private readonly events: Events) {}

  @Post()
  @Operation('Create an event', 'Defines an event and the types of its payload.')
  @Takes(CreateEventRequest, 'The event.')
  @Responses(EventIdResponse, 'The event has been created.', { status: 201 })
  @Refuses(() => [
    () => parseEventName('name', 'resend:contact.created'),
    wrongType,
    new EventNameTakenError('order.paid'),
    new TooManyEventsError(),
  ])
  async createEvent(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { name, schema } = decodeNewEvent(body);
    const { id } = await this.events.add(principal, name, schema);
    return toResponse(EventIdResponse, { id });
  }

  @Post('send')
  @Operation(
    'Send an event',
    'Something has happened to a contact. The event is stored, and then each enabled automation that begins with it ' +
      'starts a run, and runs of the contact that wait for it go on.',
  )
  @Takes(SendEventRequest, 'The event.')
  @Responses(SentEventResponse, 'The event is stored.', { status: 202 })
  @Refuses(() => [
    new NotFoundError('Contact'),
    new AddressBeyondPermissionsError(),
    new ContactOrAddressError(),
    () => checkedPayload({ total: 'many' }, { total: 'number' }),
  ])
  @Audited({ notBecause: 'events are many, and their runs tell of them' })
  @WritesInGroups(true)
  async sendEvent(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<SentEventResponse> {
    return { object: 'event', event: await this.events.send(principal, decodeSentEvent(body)) };
  }

  @Post('batch')
  @Operation(
    'Send a batch of events',
    `1 to ${maxSentEvents} events with one request, which counts once against the rate limit. All of them are taken, or ` +
      'none if one is refused. Their payloads may have at most 1 MB in total. An addition of Postrider.',
  )
  @Takes(SendEventRequest, `1 to ${maxSentEvents} events.`, {
    many: true,
    examples: {
      two: {
        summary: 'Two events',
        value: [
          { event: 'order.paid', email: 'ada@customer.example', payload: { total: 49 } },
          { event: 'order.paid', email: 'grace@customer.example', payload: { total: 12 } },
        ],
      },
    },
  })
  @Responses(SentEventsResponse, 'The events are stored.', { status: 202 })
  @Refuses(() => [
    new RefusedEventError(1, new NotFoundError('Contact')),
    new RefusedEventError(1, new MissingFieldError('event')),
    new RefusedEventError(1, new AddressBeyondPermissionsError()),
    new RefusedEventError(1, new ContactOrAddressError()),
    () => checkEventCount(0),
  ])
  @Audited({ notBecause: 'events are many, and their runs tell of them' })
  @WritesInGroups(true)
  async sendEventBatch(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<SentEventsResponse> {
    const names = await this.events.sendBatch(principal, decodeSentEvents(body));
    return { data: names.map((event) => ({ object: 'event', event })) };
  }

  @Get()
  @Operation('List events', 'The events that your team has defined, newest first, in pages.')
  @ResponsesList(EventSummaryResponse, 'A page of events.')
  async listEvents(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.events.list(teamId, parsePageRequest(query)), eventSummary);
  }

  @Get('seen')
  @Operation(
    'List events that are not defined',
    'The names under which events are sent and that your team has not defined, the newest name first, in pages. At most ' +
      'the 1,000 newest names are kept. An addition of Postrider.',
  )
  @ResponsesList(SeenEventSummaryResponse, 'A page of names.')
  async listSeenEvents(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.events.listSeen(teamId, parsePageRequest(query)), seenSummary);
  }

  @Get('seen/:name')
  @PathParameter('name', 'Name of the event.', {}, 'order.paid')
  @Operation(
    'See what is sent under a name',
    'How often events of this name were sent, the last payloads, and who listens. An addition of Postrider.',
  )
  @Responses(SeenEventResponse, 'The name.')
  @Refuses(() => [new NotFoundError('Event')])
  async getSeenEvent(@TeamId() teamId: string, @Param('name') name: string, @SpacedName() spaced: string) {
    return seenResponse(await this.events.findSeen(teamId, name, spaced));
  }

  @Get(':idOrName')
  @Operation('Get an event', 'One event with its schema, who listens to it, and its last payloads.')
  @Responses(EventResponse, 'The event.')
  async getEvent(@TeamId() teamId: string, @Param('idOrName') idOrName: string, @SpacedName() spaced: string) {
    const event = await this.events.find(teamId, idOrName, spaced);
    return eventResponse(event, await this.events.insight(teamId, event.name));
  }

  @Patch(':idOrName')
  @Operation('Change an event', 'Replaces its schema. Payloads that were sent before stay as they are.')
  @Takes(UpdateEventRequest, 'The schema.')
  @Responses(EventIdResponse, 'The schema has been replaced.')
  @Refuses(() => [wrongType])
  async updateEvent(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrName') idOrName: string,
    @SpacedName() spaced: string,
    @Body() body: unknown,
  ) {
    const id = await this.events.changeSchema(principal, idOrName, decodeSchemaChange(body), spaced);
    return toResponse(EventIdResponse, { id });
  }

  @Delete(':idOrName')
  @Operation(
    'Remove an event',
    'Removes its definition. It can still be sent, and automations that begin with it stay.',
  )
  @Responses(RemovedEventResponse, 'The event is removed.')
  async removeEvent(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrName') idOrName: string,
    @SpacedName() spaced: string,
  ) {
    return toResponse(RemovedEventResponse, { id: await this.events.remove(principal, idOrName, spaced) });
  }
}
