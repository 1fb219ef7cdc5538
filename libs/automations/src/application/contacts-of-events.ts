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

interface OfTeam {
  readonly teamId: string;
}

/**
 * The first of each team, then the second of each, and so on: what is expensive of one does not hold up others.
 * @param first the teams that begin, in this order
 */
export function inTurn<One extends OfTeam>(all: readonly One[], first: readonly string[] = []): readonly One[] {
  const known = byTeam(all);
  const order = new Set([...first.filter((teamId) => known.has(teamId)), ...known.keys()]);
  const teams = [...order].map((teamId) => known.get(teamId) ?? []);
  const longest = Math.max(0, ...teams.map(({ length }) => length));
  return Array.from({ length: longest }, (_, no) => teams.flatMap((ofTeam) => ofTeam[no] ?? [])).flat();
}

function byTeam<One extends OfTeam>(all: readonly One[]): ReadonlyMap<string, readonly One[]> {
  const teams = new Map<string, One[]>();
  for (const one of all) {
    const known = teams.get(one.teamId);
    if (known === undefined) teams.set(one.teamId, [one]);
    else known.push(one);
  }
  return teams;
}

function addressesOf(events: readonly EventOccurrence[]): readonly string[] {
  return [...new Set(events.flatMap(({ email }) => email ?? []))];
}
