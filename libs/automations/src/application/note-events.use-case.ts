import { ConsentingContacts } from '#audience';
import { Clock, timeOfId, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { trimmedPayload } from '../domain/event-definition.js';
import { EventOccurrence } from './ports/event-repository.port.js';
import { maxLastPayloads, NotedEvent, NotedPayload, SeenEventRepository } from './ports/seen-event-repository.port.js';

/** Names and payloads that wait to be written, of all teams and of one. What is beyond is left out. */
const maxNames = 1_000;
const maxNamesOfTeam = 100;
const maxPayloads = 200;
const maxPayloadsOfTeam = 50;

interface Noted {
  readonly teamId: string;
  readonly name: string;
  count: number;
  last: EventOccurrence;
  readonly events: EventOccurrence[];
}

/**
 * Keeps which events are sent, and their last payloads, for the people who set up automations. It is written once a
 * second, apart from the events: five thousand events in a second cost a few rows, and no event waits for another. A
 * process that is killed leaves out what it has seen in its last second.
 */
@Injectable()
export class NoteEvents {
  private noted = new Map<string, Noted>();
  private payloads = 0;
  private readonly ofTeam = new Map<string, { names: number; payloads: number }>();

  constructor(
    private readonly seen: SeenEventRepository,
    private readonly contacts: ConsentingContacts,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  note(events: readonly EventOccurrence[]): void {
    for (const event of events) {
      if (!event.name.startsWith('resend:')) this.noteOne(event);
    }
  }

  async flush(): Promise<void> {
    if (this.noted.size === 0) return;
    const noted = [...this.noted.values()];
    this.noted = new Map();
    this.payloads = 0;
    this.ofTeam.clear();
    const addresses = await this.addressesOf(noted.flatMap(({ events }) => events));
    await this.seen.write(
      noted.map((one) => notedEvent(one, addresses)),
      this.clock.now(),
    );
  }

  private noteOne(event: EventOccurrence): void {
    const { teamId, name } = event;
    const share = this.ofTeam.get(teamId) ?? { names: 0, payloads: 0 };
    const key = `${teamId} ${name}`;
    const known = this.noted.get(key);
    if (known === undefined && (this.noted.size >= maxNames || share.names >= maxNamesOfTeam)) return;
    const one = known ?? { teamId, name, count: 0, last: event, events: [] };
    if (known === undefined) {
      this.noted.set(key, one);
      share.names++;
    }
    one.count++;
    one.last = event;
    if (one.events.length === maxLastPayloads) {
      one.events.shift();
      one.events.push(event);
    } else if (this.payloads < maxPayloads && share.payloads < maxPayloadsOfTeam) {
      one.events.push(event);
      this.payloads++;
      share.payloads++;
    }
    this.ofTeam.set(teamId, share);
  }

  /** The addresses of contacts, so that an erasure finds their payloads. */
  private async addressesOf(events: readonly EventOccurrence[]): Promise<ReadonlyMap<string, string>> {
    const byTeam = new Map<string, Set<string>>();
    for (const { teamId, contactId } of events) {
      if (contactId !== null) byTeam.set(teamId, (byTeam.get(teamId) ?? new Set()).add(contactId));
    }
    if (byTeam.size === 0) return new Map();
    const found = await this.work.run((transaction) =>
      Promise.all(
        [...byTeam].map(([teamId, ids]) =>
          this.contacts.read({ teamId, ids: [...ids], topicId: null, properties: [] }, transaction),
        ),
      ),
    );
    return new Map(found.flatMap((contacts) => [...contacts].map(([id, { email }]): [string, string] => [id, email])));
  }
}

/** A contact that was deleted meanwhile leaves no payload. */
function notedEvent({ teamId, name, count, last, events }: Noted, addresses: ReadonlyMap<string, string>): NotedEvent {
  const payloads = events.flatMap(({ id, contactId, email, payload }): NotedPayload[] => {
    const contactEmail = contactId === null ? email : addresses.get(contactId)?.toLowerCase();
    if (contactEmail === null || contactEmail === undefined) return [];
    return [{ id, contactEmail, payload: trimmedPayload(payload), createdAt: timeOfId(id) }];
  });
  return { teamId, name, count, lastSeenAt: timeOfId(last.id), payloads };
}
