import { ConsentingContacts, ContactValues, UpsertContact } from '#audience';
import { Principal } from '#identity';
import { parseEmailAddress, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { EventOccurrence } from './ports/event-repository.port.js';

export interface ContactOfEvent {
  readonly id: string;
  readonly email: string;
}

/** Finds the contacts to whom events have happened, and adds those who are none yet. */
@Injectable()
export class ContactsOfEvents {
  constructor(
    private readonly contacts: ContactValues,
    private readonly identified: ConsentingContacts,
    private readonly upserts: UpsertContact,
  ) {}

  /**
   * By the id of the event. An address that is no contact yet becomes one if `adds` says so. A contact that was deleted
   * meanwhile is absent.
   */
  async of(
    events: readonly EventOccurrence[],
    adds: (event: EventOccurrence) => boolean,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, ContactOfEvent>> {
    const contacts = new Map<string, ContactOfEvent>();
    for (const [teamId, ofTeam] of byTeam(events)) {
      const ids = [...new Set(ofTeam.flatMap(({ contactId }) => contactId ?? []))];
      const [known, identified] = await Promise.all([
        this.contacts.of(teamId, addressesOf(ofTeam), transaction),
        this.identified.read({ teamId, ids, topicId: null, properties: [] }, transaction),
      ]);
      const found = new Map<string, ContactOfEvent>([...known].map(([email, { id }]) => [email, { id, email }]));
      const strangers = addressesOf(ofTeam.filter(adds)).filter(
        // Anybody may write to the service, also in the name of what is no address.
        (email) => !found.has(email) && parseEmailAddress(email) !== undefined,
      );
      const added = await this.added(teamId, strangers, transaction);
      for (const { id, contactId, email } of ofTeam) {
        const contact =
          contactId !== null ? identified.get(contactId) : (found.get(email ?? '') ?? added.get(email ?? ''));
        if (contact !== undefined) contacts.set(id, contact);
      }
    }
    return contacts;
  }

  private async added(
    teamId: string,
    emails: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, ContactOfEvent>> {
    if (emails.length === 0) return new Map();
    const ids = await this.upserts.addIn(Principal.ofService(teamId), emails, transaction);
    return new Map(
      emails.flatMap((email, no): [string, ContactOfEvent][] => {
        const id = ids[no];
        return id === undefined ? [] : [[email, { id, email }]];
      }),
    );
  }
}

/**
 * The first event of each team, then the second of each, and so on: the expensive events of one do not hold up others.
 * @param first the teams that begin, in this order
 */
export function inTurn(events: readonly EventOccurrence[], first: readonly string[] = []): readonly EventOccurrence[] {
  const known = byTeam(events);
  const order = new Set([...first.filter((teamId) => known.has(teamId)), ...known.keys()]);
  const teams = [...order].map((teamId) => known.get(teamId) ?? []);
  const longest = Math.max(0, ...teams.map(({ length }) => length));
  return Array.from({ length: longest }, (_, no) => teams.flatMap((ofTeam) => ofTeam[no] ?? [])).flat();
}

function byTeam(events: readonly EventOccurrence[]): ReadonlyMap<string, readonly EventOccurrence[]> {
  const teams = new Map<string, EventOccurrence[]>();
  for (const event of events) {
    const known = teams.get(event.teamId);
    if (known === undefined) teams.set(event.teamId, [event]);
    else known.push(event);
  }
  return teams;
}

function addressesOf(events: readonly EventOccurrence[]): readonly string[] {
  return [...new Set(events.flatMap(({ email }) => email ?? []))];
}
