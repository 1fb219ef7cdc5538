import { createHash } from 'node:crypto';
import { ConsentingContact, ConsentingContacts, ContactValues } from '#audience';
import { Clock, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { zoneOf, zoneProperties } from '../domain/local-time.js';
import { nextDate } from '../domain/trigger.js';
import { LoopTurn } from './loop-turn.js';
import { DateOfContact, DateQueue, DueDate, WatchedDate } from './ports/date-queue.port.js';
import { EventOccurrence, EventRepository } from './ports/event-repository.port.js';

/** Contacts or dates of one transaction. */
const atOnce = 500;

/**
 * Follows the dates of contacts with which automations begin. Each date is computed before it comes, and begins a run
 * once: an event that has come becomes the event `resend:contact.date`, whose id follows from the date.
 */
@Injectable()
export class FollowDates {
  constructor(
    private readonly queue: DateQueue,
    private readonly events: EventRepository,
    private readonly contacts: ConsentingContacts,
    private readonly values: ContactValues,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Does a portion of what is to be done. Returns whether there was anything. */
  async step(): Promise<boolean> {
    const done = [await this.begin(), await this.recompute(), await this.scan()];
    return done.includes(true);
  }

  tidy(): Promise<boolean> {
    return this.queue.tidy();
  }

  /** Makes events of the dates that have come. */
  private begin(): Promise<boolean> {
    return this.work.run(async (transaction) => {
      const due = await this.queue.takeDue(this.clock.now(), atOnce, transaction);
      if (due.length > 0) await this.events.sendIn(due.map(occurrenceOf), transaction);
      return due.length > 0;
    });
  }

  /** Computes the dates of contacts that have changed. */
  private recompute(): Promise<boolean> {
    return this.work.run(async (transaction) => {
      const changed = await this.queue.takeChanged(atOnce, transaction);
      for (const [teamId, contactIds] of changed) {
        for (const watched of await this.queue.watchedOf(teamId, transaction)) {
          await this.compute(watched, contactIds, transaction);
        }
      }
      return changed.size > 0;
    });
  }

  /** Computes the dates of some contacts for a trigger that is new. */
  private scan(): Promise<boolean> {
    return this.work.run(async (transaction) => {
      const found = await this.queue.unscanned(transaction);
      if (found === undefined) return false;
      const { watched, after } = found;
      const ids = await this.contacts.idsBehind(watched.teamId, after, atOnce, transaction);
      await this.compute(watched, ids, transaction);
      const last = ids.length === atOnce ? ids.at(-1) : undefined;
      await this.queue.scanned(watched.id, last, this.clock.now(), transaction);
      return true;
    });
  }

  /** The trigger is locked, so that what is written last was read last. */
  private async compute(watched: WatchedDate, ids: readonly string[], transaction: Transaction): Promise<void> {
    if (ids.length === 0) return;
    const { teamId, trigger, timeZone } = watched;
    const wanted = [trigger.property, ...zoneProperties];
    const properties = (await this.values.propertiesOf(teamId)).filter(({ key }) => wanted.includes(key));
    const [contacts, known] = await Promise.all([
      this.contacts.read({ teamId, ids, topicId: null, properties }, transaction),
      this.queue.datesOf(watched.id, ids, transaction),
    ]);
    const now = this.clock.now();
    const pending = new Map(known.map((date) => [date.contactId, date]));
    const turn = new LoopTurn();
    const dates: DateOfContact[] = [];
    for (const contact of contacts.values()) {
      await turn.next();
      const { [trigger.property]: value } = own(contact);
      const zone = zoneOf(contact.properties, timeZone);
      const date = nextDate(trigger, value, zone, comesAfter(pending.get(contact.id), now));
      if (date !== undefined) dates.push({ contactId: contact.id, date: date.date, dueAt: date.at });
    }
    await this.queue.write(watched, ids, dates, transaction);
  }
}

/** The fallback of a property is no date of anybody. */
function own({ properties, lacking }: ConsentingContact): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !lacking.has(key)));
}

/** A date that has come and not begun yet is still to come. */
function comesAfter(pending: DateOfContact | undefined, now: Date): Date {
  return pending === undefined || pending.dueAt > now ? now : new Date(pending.dueAt.getTime() - 1);
}

function occurrenceOf({ teamId, contactId, date, dueAt, watched }: DueDate): EventOccurrence {
  const { automationId, trigger, id: subjectId } = watched;
  return {
    id: idOf(dueAt, [automationId, contactId, date, JSON.stringify(trigger)].join(' ')),
    teamId,
    name: 'resend:contact.date',
    contactId,
    email: null,
    depth: 0,
    originId: null,
    subjectId,
    payload: { property: trigger.property, date },
  };
}

/** A UUIDv7 of a moment that is always the same for a text: what has begun once does not begin again. */
function idOf(at: Date, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const digits = `${at.getTime().toString(16).padStart(12, '0').slice(-12)}7${hash.slice(0, 3)}8${hash.slice(3, 18)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
