import type { Principal } from '#identity';
import {
  addressField,
  Clock,
  DomainError,
  found,
  isUuid,
  newId,
  NotFoundError,
  Page,
  PageRequest,
  ValidationError,
} from '#kernel';
import { Injectable } from '@nestjs/common';
import {
  checkedPayload,
  checkEventCount,
  EventDefinition,
  EventSchema,
  maxEvents,
  maxSentBytes,
  parseEventName,
} from '../domain/event-definition.js';
import { EventOccurrence, EventRepository } from './ports/event-repository.port.js';
import { EventListener, LastPayload, SeenEvent, SeenEventRepository } from './ports/seen-event-repository.port.js';

export class EventNameTakenError extends DomainError {
  constructor(name: string) {
    super('invalid', 'validation_error', `An event with the name \`${name}\` exists already.`);
  }
}

export class TooManyEventsError extends DomainError {
  constructor() {
    super('invalid', 'validation_error', `A team may have at most ${maxEvents} events.`);
  }
}

/** An address that no contact has becomes one. Whether a contact has it is not told, either. */
export class AddressBeyondPermissionsError extends DomainError {
  constructor() {
    super('forbidden', 'invalid_permission', 'An event by `email` needs `audience:write`. Give a `contact_id`.');
  }
}

export class ContactOrAddressError extends DomainError {
  constructor() {
    super('invalid', 'validation_error', 'Give exactly one of `contact_id` and `email`.');
  }
}

/** Says which event of a batch is refused, and why. */
export class RefusedEventError extends DomainError {
  constructor(index: number, { kind, code, message }: DomainError) {
    super(kind, code, `The event at index ${index}: ${message}`);
  }
}

/** An event as a request sends it. */
export interface SentEvent {
  readonly event?: string;
  readonly contactId?: string;
  readonly email?: string;
  readonly payload?: unknown;
}

export interface EventWithListeners extends EventDefinition {
  readonly listeners: readonly EventListener[];
}

export interface EventInsight {
  readonly listeners: readonly EventListener[];
  /** Newest first. */
  readonly lastPayloads: readonly LastPayload[];
}

/** Steps that are shown of an event, and of each event of a list. */
const maxListeners = 100;
const maxListedListeners = 20;

/** The custom events of a team: defines them, and takes those that are sent. */
@Injectable()
export class Events {
  constructor(
    private readonly events: EventRepository,
    private readonly seen: SeenEventRepository,
    private readonly clock: Clock,
  ) {}

  async add(principal: Principal, name: string, schema: EventSchema | null): Promise<EventDefinition> {
    principal.require('automations:write');
    const now = this.clock.now();
    const { teamId } = principal;
    const definition = { id: newId(now.getTime()), teamId, name, schema, createdAt: now, updatedAt: null };
    const result = await this.events.insert(definition, maxEvents);
    if (result === 'taken') throw new EventNameTakenError(name);
    if (result === 'full') throw new TooManyEventsError();
    return definition;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<EventWithListeners>> {
    const { items, hasMore } = await this.events.list(teamId, page);
    const names = items.map(({ name }) => name);
    const listeners = await this.seen.listeners(teamId, names, maxListedListeners);
    return { hasMore, items: items.map((event) => ({ ...event, listeners: listeners.get(event.name) ?? [] })) };
  }

  /** Names that are sent and not defined. */
  listSeen(teamId: string, page: PageRequest): Promise<Page<SeenEvent>> {
    return this.seen.undefined(teamId, page);
  }

  async findSeen(teamId: string, name: string, spaced = name): Promise<SeenEvent & EventInsight> {
    const exact = await this.seen.find(teamId, name);
    const event = found('Event', exact ?? (spaced === name ? undefined : await this.seen.find(teamId, spaced)));
    return { ...event, ...(await this.insight(teamId, event.name)) };
  }

  /** Who listens to an event, and its last payloads. */
  async insight(teamId: string, name: string): Promise<EventInsight> {
    const [listeners, lastPayloads] = await Promise.all([
      this.seen.listeners(teamId, [name], maxListeners),
      this.seen.payloads(teamId, name),
    ]);
    return { listeners: listeners.get(name) ?? [], lastPayloads };
  }

  /** By id, else by name, else by the name with other blanks. */
  async find(teamId: string, idOrName: string, spaced = idOrName): Promise<EventDefinition> {
    return found('Event', await this.events.find(teamId, idOrName, spaced));
  }

  /** Returns the id of the event. */
  async changeSchema(
    principal: Principal,
    idOrName: string,
    schema: EventSchema | null,
    spaced = idOrName,
  ): Promise<string> {
    principal.require('automations:write');
    const { teamId } = principal;
    const { id } = await this.find(teamId, idOrName, spaced);
    if (!(await this.events.changeSchema(teamId, id, schema, this.clock.now()))) throw new NotFoundError('Event');
    return id;
  }

  /** Returns the id of the event. Automations that begin with it stay, and so do their runs. */
  async remove(principal: Principal, idOrName: string, spaced = idOrName): Promise<string> {
    principal.require('automations:write');
    const { teamId } = principal;
    const { id } = await this.find(teamId, idOrName, spaced);
    if (!(await this.events.remove(teamId, id))) throw new NotFoundError('Event');
    return id;
  }

  /**
   * Takes an event for a contact. Resolves with its name once it is durable; the workers then start the automations that
   * listen. An event that nobody has defined is taken too.
   */
  async send(principal: Principal, event: SentEvent): Promise<string> {
    principal.require('automations:write');
    const occurrence = await this.occurrenceOf(principal, event);
    await this.events.send(occurrence);
    return occurrence.name;
  }

  /** Takes 1 to 100 events: all of them, or none if one is refused. Resolves with their names once they are durable. */
  async sendBatch(principal: Principal, events: readonly SentEvent[]): Promise<readonly string[]> {
    principal.require('automations:write');
    checkEventCount(events.length);
    const occurrences: EventOccurrence[] = [];
    let bytes = 0;
    for (const [index, event] of events.entries()) {
      try {
        const occurrence = await this.occurrenceOf(principal, event);
        occurrences.push(occurrence);
        bytes += Buffer.byteLength(JSON.stringify(occurrence.payload));
      } catch (error) {
        throw error instanceof DomainError ? new RefusedEventError(index, error) : error;
      }
      if (bytes > maxSentBytes) throw new ValidationError('The payloads of a batch may have at most 1 MB in total.');
    }
    const stranger = await this.events.sendBatch(occurrences);
    if (stranger !== undefined) throw new RefusedEventError(stranger, new NotFoundError('Contact'));
    return occurrences.map(({ name }) => name);
  }

  private async occurrenceOf(
    principal: Principal,
    { event, contactId, email, payload }: SentEvent,
  ): Promise<EventOccurrence> {
    const { teamId } = principal;
    const name = parseEventName('event', event);
    if ((contactId === undefined) === (email === undefined)) {
      throw new ContactOrAddressError();
    }
    if (email !== undefined && !principal.may('audience:write')) throw new AddressBeyondPermissionsError();
    const address = email === undefined ? null : addressField('email', email);
    const checked = checkedPayload(payload, (await this.events.schemaOf(teamId, name)) ?? null);
    if (contactId !== undefined && !isUuid(contactId)) throw new NotFoundError('Contact');
    return {
      id: newId(this.clock.now().getTime()),
      teamId,
      name,
      contactId: contactId?.toLowerCase() ?? null,
      email: address,
      payload: checked,
      depth: 0,
      subjectId: null,
      originId: null,
    };
  }
}
