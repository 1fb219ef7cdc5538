import { Page } from '#kernel';
import {
  DateOfContact,
  DateQueue,
  DueDate,
  WatchedDate,
} from '../../../libs/automations/src/application/ports/date-queue.port.js';
import {
  EventListener,
  LastPayload,
  NotedEvent,
  SeenEvent,
  SeenEventRepository,
} from '../../../libs/automations/src/application/ports/seen-event-repository.port.js';

/** The dates of contacts, for one trigger. */
export class GivenDates extends DateQueue {
  unscannedTriggers: WatchedDate[] = [];
  watched: WatchedDate[] = [];
  changed: ReadonlyMap<string, readonly string[]> = new Map();
  due: DueDate[] = [];
  readonly dates = new Map<string, DateOfContact>();

  async unscanned(): Promise<{ readonly watched: WatchedDate; readonly after: undefined } | undefined> {
    const [watched] = this.unscannedTriggers;
    return watched && { watched, after: undefined };
  }

  async scanned(triggerId: string, after: string | undefined): Promise<void> {
    if (after === undefined) this.unscannedTriggers = this.unscannedTriggers.filter(({ id }) => id !== triggerId);
  }

  async takeChanged(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { changed } = this;
    this.changed = new Map();
    return changed;
  }

  async watchedOf(teamId: string): Promise<readonly WatchedDate[]> {
    return this.watched.filter((each) => each.teamId === teamId);
  }

  async datesOf(_triggerId: string, contactIds: readonly string[]): Promise<readonly DateOfContact[]> {
    return contactIds.flatMap((id) => this.dates.get(id) ?? []);
  }

  async write(_watched: WatchedDate, ids: readonly string[], dates: readonly DateOfContact[]): Promise<void> {
    for (const id of ids) this.dates.delete(id);
    for (const date of dates) this.dates.set(date.contactId, date);
  }

  async takeDue(): Promise<readonly DueDate[]> {
    const { due } = this;
    this.due = [];
    return due;
  }

  async tidy(): Promise<boolean> {
    return false;
  }
}

/** Remembers what is written, and shows what a test has put into it. */
export class GivenSeenEvents extends SeenEventRepository {
  readonly written: NotedEvent[] = [];
  names: SeenEvent[] = [];
  listening: ReadonlyMap<string, readonly EventListener[]> = new Map();

  async write(events: readonly NotedEvent[]): Promise<void> {
    this.written.push(...events);
  }

  async undefined(): Promise<Page<SeenEvent>> {
    return { items: this.names, hasMore: false };
  }

  async find(_teamId: string, name: string): Promise<SeenEvent | undefined> {
    return this.names.find((each) => each.name === name);
  }

  async payloads(): Promise<readonly LastPayload[]> {
    return [];
  }

  async listeners(): Promise<ReadonlyMap<string, readonly EventListener[]>> {
    return this.listening;
  }
}
