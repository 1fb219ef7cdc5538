import { ConsentingContacts, ContactValues, UpsertContact } from '#audience';
import { Principal } from '#identity';
import { Clock, newId, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { holds } from '../domain/rule.js';
import { fieldsOf } from '../domain/run.js';
import { EventOccurrence } from './ports/event-repository.port.js';
import { ContactEvent, EmailOfRunEvent, Listener, NewRun, RunQueue, Waiter } from './ports/run-queue.port.js';

/** Events of one transaction. */
const eventsAtOnce = 200;
/** Of all runs that one transaction begins, with their payloads. A single event may go beyond it. */
const maxRunBytes = 4_000_000;
/** Of a run without its payload: so a transaction begins at most 5,000 runs. */
const bytesOfRun = 800;

type ContactOfEvent = { readonly id: string; readonly email: string };

/**
 * Turns events into runs, and lets the runs go on that have waited for them. One transaction takes a slice of events,
 * writes all that follows from them, and removes them: an event starts each trigger once, wherever a process dies.
 */
@Injectable()
export class StartRuns {
  constructor(
    private readonly queue: RunQueue,
    private readonly contacts: ContactValues,
    private readonly identified: ConsentingContacts,
    private readonly upserts: UpsertContact,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns how many events it took. */
  step(): Promise<number> {
    return this.work.run(async (transaction) => {
      const taken = await this.queue.takeEvents(eventsAtOnce, transaction);
      if (taken.length === 0) return 0;
      const [listening, awaited] = await Promise.all([
        this.queue.listeners(taken, transaction),
        this.queue.awaited(taken, transaction),
      ]);
      const listeners = listenersByEvent(listening);
      const awaitedKeys = new Set(awaited.map(keyOf));
      const events = withinBytes(inTurn(taken), listeners);
      const heard = events.filter((event) => listeners.has(keyOf(event)) || awaitedKeys.has(keyOf(event)));
      const contacts = await this.contactsOf(heard, listeners, transaction);
      await this.begin(heard, listeners, contacts, transaction);
      await this.wakeWaiters(
        heard.flatMap(({ id, teamId, name, payload }) => {
          const contact = contacts.get(id);
          const isAwaited = contact !== undefined && awaitedKeys.has(keyOf({ teamId, name }));
          return isAwaited ? [{ teamId, contactId: contact.id, name, payload }] : [];
        }),
        transaction,
      );
      await this.queue.removeEvents(
        events.map(({ id }) => id),
        transaction,
      );
      return events.length;
    });
  }

  /** Lets runs go on that wait for what has happened to an email of theirs. */
  async wakeByEmails(events: readonly EmailOfRunEvent[], transaction: Transaction): Promise<void> {
    if (events.length === 0) return;
    await this.wake(await this.queue.waitersForEmails(events, transaction), transaction);
  }

  private async wakeWaiters(events: readonly ContactEvent[], transaction: Transaction): Promise<void> {
    if (events.length === 0) return;
    await this.wake(await this.queue.waiters(events, transaction), transaction);
  }

  /** Lets runs go on whose filter the event passes. */
  private async wake(waiters: readonly Waiter[], transaction: Transaction): Promise<void> {
    const woken = new Map<string, Waiter>();
    for (const waiter of waiters) {
      if (!woken.has(waiter.run.id) && passesFilter(waiter)) woken.set(waiter.run.id, waiter);
    }
    if (woken.size > 0) await this.queue.wake([...woken.values()], this.clock.now(), transaction);
  }

  private async begin(
    events: readonly EventOccurrence[],
    listeners: ReadonlyMap<string, readonly Listener[]>,
    contacts: ReadonlyMap<string, ContactOfEvent>,
    transaction: Transaction,
  ): Promise<void> {
    const now = this.clock.now();
    const runs = events.flatMap(({ id: eventId, payload, ...event }): NewRun[] => {
      const contact = contacts.get(eventId);
      if (contact === undefined) return [];
      return (listeners.get(keyOf(event)) ?? []).map((listener) => ({
        ...listener,
        id: newId(now.getTime()),
        eventId,
        contactId: contact.id,
        contactEmail: contact.email.toLowerCase(),
        payload,
      }));
    });
    if (runs.length > 0) await this.queue.begin(runs, now, transaction);
  }

  /**
   * The contacts of events, by the id of the event. An address that is no contact yet becomes one if an automation
   * begins. A contact that was deleted meanwhile is absent.
   */
  private async contactsOf(
    events: readonly EventOccurrence[],
    listeners: ReadonlyMap<string, readonly Listener[]>,
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
      const strangers = addressesOf(ofTeam.filter((event) => listeners.has(keyOf(event)))).filter(
        (email) => !found.has(email),
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

/** The first events, whose payloads are written for each run that they begin. The others come next. */
function withinBytes(
  events: readonly EventOccurrence[],
  listeners: ReadonlyMap<string, readonly Listener[]>,
): readonly EventOccurrence[] {
  let bytes = 0;
  const beyond = events.findIndex((event, no) => {
    const runs = listeners.get(keyOf(event))?.length ?? 0;
    bytes += runs === 0 ? 0 : runs * (bytesOfRun + JSON.stringify(event.payload).length);
    return no > 0 && bytes > maxRunBytes;
  });
  return beyond === -1 ? events : events.slice(0, beyond);
}

/** The first event of each team, then the second of each, and so on: the expensive events of one do not hold up others. */
function inTurn(events: readonly EventOccurrence[]): readonly EventOccurrence[] {
  const teams = [...byTeam(events).values()];
  const longest = Math.max(0, ...teams.map(({ length }) => length));
  return Array.from({ length: longest }, (_, no) => teams.flatMap((ofTeam) => ofTeam[no] ?? [])).flat();
}

function listenersByEvent(listeners: readonly Listener[]): ReadonlyMap<string, readonly Listener[]> {
  const byEvent = new Map<string, Listener[]>();
  for (const listener of listeners) {
    const key = keyOf({ teamId: listener.teamId, name: listener.eventName });
    byEvent.set(key, [...(byEvent.get(key) ?? []), listener]);
  }
  return byEvent;
}

function passesFilter({ run, graph, event }: Waiter): boolean {
  const action = run.stepKey === null ? undefined : graph.step(run.stepKey)?.action;
  if (action?.type !== 'wait_for_event') return false;
  return action.rule === null || holds(action.rule, fieldsOf({ payload: event.payload, waitEvents: {} }, undefined));
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

function keyOf({ teamId, name }: { readonly teamId: string; readonly name: string }): string {
  return `${teamId} ${name}`;
}
