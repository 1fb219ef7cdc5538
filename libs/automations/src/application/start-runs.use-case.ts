import { Clock, isDatabaseAway, newId, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { maxRefusedRunsOfOrigin, maxRunsOfOrigin, spentOrigin } from '../domain/budget.js';
import { maxDepth } from '../domain/decide.js';
import { Payload } from '../domain/event-definition.js';
import { maxComparisons, maxMailComparisons } from '../domain/event-rules.js';
import { isMeant, receivedMail } from '../domain/trigger.js';
import { ContactOfEvent, ContactsOfEvents, inTurn } from './contacts-of-events.js';
import { LoopTurn } from './loop-turn.js';
import { MetRuns } from './met-runs.js';
import { NoteEvents } from './note-events.use-case.js';
import {
  Aimer,
  ContactEvent,
  EventQueue,
  Listener,
  MailEvent,
  NewRun,
  TakenEvent,
  Waiter,
} from './ports/event-queue.port.js';

/** Events of one transaction. */
const eventsAtOnce = 200;
/** The same beside other mail, which waits for the slice. */
const eventsAtOnceBesideOthers = 50;
/** Of all runs that one transaction begins, with their payloads. A single event may go beyond it. */
const maxRunBytes = 4_000_000;
/** Of a run without its payload: so a transaction begins at most 5,000 runs. */
const bytesOfRun = 800;
/** How long the filters on the events of one team are looked at in one slice, and then the runs that wait for them. */
const [filteringMs, wakingMs] = [50, 250];
/** The same for what happens to emails, of all teams. */
const followingMs = 1_000;
/** Waiting runs that an event wakes, each with up to 256 KB of events that it has waited for. */
const maxRunsOfEvent = 1_000;
/**
 * The runs that the events of a slice share, and the smallest share. An event for which more runs wait than its share is left,
 * and is the first of a later slice.
 */
const [maxRunsOfSlice, minRunsOfEvent] = [5_000, 25];

/** An event, with the triggers that begin a run for it: at most one of each automation. */
interface Heard {
  readonly event: TakenEvent;
  readonly listeners: readonly Listener[];
}

/**
 * Turns events into runs, and lets the runs go on that have waited for them. One transaction takes a slice of events,
 * writes all that follows from them, and removes them: an event starts each automation once, wherever a process dies.
 */
@Injectable()
export class StartRuns {
  constructor(
    private readonly queue: EventQueue,
    private readonly contacts: ContactsOfEvents,
    private readonly noted: NoteEvents,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The teams whose events were all left by the last slice. They begin the next one. */
  private passedOver: readonly string[] = [];

  /** Returns how many events it has dealt with. */
  async step(isOtherMailComing: boolean): Promise<number> {
    const limit = isOtherMailComing ? eventsAtOnceBesideOthers : eventsAtOnce;
    let taken: readonly TakenEvent[] = [];
    try {
      return await this.deal(async (transaction) => {
        taken = await this.queue.takeEvents(limit, this.clock.now(), transaction);
        return taken;
      });
    } catch (error) {
      if (isDatabaseAway(error) || taken.length === 0) throw error;
      return this.oneByOne(taken);
    }
  }

  /** Nothing of the slice was written. Each event has a transaction of its own now, so that only the culprit is held back. */
  private async oneByOne(events: readonly TakenEvent[]): Promise<number> {
    let count = 0;
    const faults = new Map<string, unknown>();
    for (const { id, teamId } of inTurn(events)) {
      if (faults.has(teamId)) continue;
      try {
        count += await this.deal((transaction) => this.queue.takeEvent(id, this.clock.now(), transaction));
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        await this.queue.holdBack(id, this.clock.now());
        faults.set(teamId, error);
      }
    }
    for (const error of faults.values()) throw error;
    return count;
  }

  private async deal(take: (transaction: Transaction) => Promise<readonly TakenEvent[]>): Promise<number> {
    const { taken, done } = await this.work.run(async (transaction) => {
      const events = await take(transaction);
      return { taken: events, done: events.length === 0 ? [] : await this.follow(events, transaction) };
    });
    this.noted.note(done);
    const left = new Set(taken.map(({ teamId }) => teamId));
    for (const { teamId } of done) left.delete(teamId);
    this.passedOver = [...new Set([...this.passedOver, ...left])].filter((teamId) => left.has(teamId));
    return done.length;
  }

  /** Returns the events with which it is done. The others are left for the next slice: of each team, the last ones. */
  private async follow(taken: readonly TakenEvent[], transaction: Transaction): Promise<readonly TakenEvent[]> {
    const ordered = inTurn(taken, this.passedOver);
    const [listening, awaited] = await Promise.all([
      this.queue.listeners(ordered, transaction),
      this.queue.awaited(ordered, transaction),
    ]);
    const byName = listenersByEvent(listening);
    const awaitedKeys = new Set(awaited.map(keyOf));
    const all = withinBytes(await meant(ordered, byName));
    const heard = all.filter(({ event, listeners }) => listeners.length > 0 || awaitedKeys.has(keyOf(event)));
    const starts = new Set(heard.flatMap(({ event, listeners }) => (listeners.some(mayAdd) ? [event.id] : [])));
    const contacts = await this.contacts.of(
      heard.map(({ event }) => event),
      ({ id, name }) => starts.has(id) && (!name.startsWith('resend:') || name === receivedMail),
      transaction,
    );
    const awaitedEvents = heard.flatMap(({ event: { id, teamId, name, payload, position } }) => {
      const contact = contacts.get(id);
      if (contact === undefined || !awaitedKeys.has(keyOf({ teamId, name }))) return [];
      const ofContact = { contactId: contact.id, contactEmail: contact.email.toLowerCase() };
      return [{ id, teamId, ...ofContact, name, payload, position, maxRuns: maxRunsOfEvent }];
    });
    const behind = await this.queue.behind(awaitedEvents, taken, this.clock.now(), transaction);
    const inOrder = untilLeft(
      awaitedEvents,
      ({ teamId }) => teamId,
      ({ id }) => behind.get(id) === 'due',
    );
    const left = await this.wakeWaiters(inOrder, transaction);
    const done = untilLeft(
      all,
      ({ event }) => event.teamId,
      ({ event }) => behind.get(event.id) === 'due' || left.has(event.payload),
    );
    const isDone = new Set(done);
    await this.begin(
      heard.filter((each) => isDone.has(each)),
      contacts,
      transaction,
    );
    const events = done.map(({ event }) => event);
    const ids = new Set(events.map(({ id }) => id));
    const heardNow = awaitedEvents.filter(({ id }) => ids.has(id));
    const kept = heardNow.map((event) => ({ ...event, beginsLate: behind.get(event.id) === 'held' }));
    await this.queue.keep(kept, this.clock.now(), transaction);
    await this.queue.removeEvents(
      events.map(({ id }) => id),
      transaction,
    );
    return events;
  }

  /**
   * Lets runs go on that wait for what has happened to an email of theirs, ends those that had it as a goal, and begins
   * automations that begin with it. Returns how many of the events it has dealt with, at least one: the rules on them may
   * take long.
   */
  async followEmails(events: readonly MailEvent[], transaction: Transaction): Promise<number> {
    if (events.length === 0) return 0;
    const waiters = byPayload(await this.queue.waitersForEmails(events, transaction));
    const aimers = byPayload(await this.queue.aimersForEmails(events, transaction));
    const met = new MetRuns(maxMailComparisons);
    const endsAt = performance.now() + followingMs;
    let count = 0;
    for (const { payload } of events) {
      const found = [...(waiters.get(payload) ?? []), ...(aimers.get(payload) ?? [])];
      if (count > 0 && (performance.now() >= endsAt || !haveGraphs(found))) break;
      await met.add(waiters.get(payload) ?? [], aimers.get(payload) ?? []);
      count++;
    }
    const followed = events.slice(0, count);
    await this.queue.hearMail(followed, this.clock.now(), transaction);
    await this.goOn(met, transaction);
    // The numbers last: slices of the same automations add to them, too.
    await this.queue.countMail(followed, transaction);
    return count;
  }

  /**
   * Returns the payloads of events that are left for the next slice, because many runs wait for them, or because the rules
   * on others of their team took long.
   */
  private async wakeWaiters(
    [first, ...others]: readonly ContactEvent[],
    transaction: Transaction,
  ): Promise<ReadonlySet<Payload>> {
    const left = new Set<Payload>();
    if (first === undefined) return left;
    const share = Math.max(minRunsOfEvent, Math.floor(maxRunsOfSlice / (1 + others.length)));
    const maxRunsOfOther = Math.min(maxRunsOfEvent, share);
    const events = [first, ...others.map((event) => ({ ...event, maxRuns: maxRunsOfOther }))];
    const listening = byPayload(await this.queue.listeningRuns(events, transaction));
    const clocks = new TeamClocks(wakingMs);
    const met = new MetRuns(maxComparisons);
    const closed = new Set<string>();
    for (const { teamId, payload, maxRuns } of events) {
      const found = listening.get(payload) ?? [];
      const isMuch = found.length > maxRuns || !haveGraphs(found);
      if ((isMuch && payload !== first.payload) || clocks.isOver(teamId)) closed.add(teamId);
      if (closed.has(teamId)) left.add(payload);
      else {
        const looked = found.slice(0, maxRuns);
        const waiting = looked.filter(({ isWaiting }) => isWaiting);
        await clocks.measure(teamId, () => met.add(waiting, looked));
      }
    }
    await this.goOn(met, transaction);
    return left;
  }

  private async goOn({ woken, reached }: MetRuns, transaction: Transaction): Promise<void> {
    if (woken.size > 0) await this.queue.wake([...woken.values()], this.clock.now(), transaction);
    if (reached.size > 0) await this.queue.reach(reached, this.clock.now(), transaction);
  }

  private async begin(
    heard: readonly Heard[],
    contacts: ReadonlyMap<string, ContactOfEvent>,
    transaction: Transaction,
  ): Promise<void> {
    const now = this.clock.now();
    const runs = heard.flatMap(({ event, listeners }): NewRun[] => {
      const { id: eventId, position: eventPosition, payload, depth, isAnswer = false } = event;
      const contact = contacts.get(eventId);
      if (contact === undefined) return [];
      const originId = event.originId ?? (depth === 0 ? eventId : contact.id);
      return listeners.map((listener) => ({
        ...listener,
        id: newId(now.getTime()),
        eventId,
        eventPosition,
        originId,
        contactId: contact.id,
        contactEmail: contact.email.toLowerCase(),
        payload,
        depth,
        isAnswer,
        refusal: depth > maxDepth ? circleRefusal : null,
      }));
    });
    const entered = await this.entered(runs, now, transaction);
    const notEntered = new Map<string, number>();
    for (const run of runs) {
      if (!entered.has(run)) notEntered.set(run.automationId, (notEntered.get(run.automationId) ?? 0) + 1);
    }
    if (runs.length === 0) return;
    await this.queue.begin(await this.withinBudgets([...entered], now, transaction), notEntered, now, transaction);
  }

  /** What automations cause without end ends here: the first runs beyond their budget say why. */
  private async withinBudgets(
    runs: readonly NewRun[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly NewRun[]> {
    const caused = runs.filter(({ depth }) => depth > 0);
    if (caused.length === 0) return runs;
    const counts = new Map(await this.queue.spend(caused, now, transaction));
    return runs.flatMap((run) => {
      if (run.depth === 0) return [run];
      const before = counts.get(run.originId) ?? 0;
      counts.set(run.originId, before + 1);
      if (before < maxRunsOfOrigin) return [run];
      return before < maxRunsOfOrigin + maxRefusedRunsOfOrigin ? [{ ...run, refusal: run.refusal ?? spentOrigin }] : [];
    });
  }

  /** Leaves out runs of contacts that have been in an automation too lately. */
  private async entered(runs: readonly NewRun[], now: Date, transaction: Transaction): Promise<ReadonlySet<NewRun>> {
    const limited = runs.filter(({ keptOutMs }) => keptOutMs > 0);
    if (limited.length === 0) return new Set(runs);
    const places = await this.queue.enter(limited, now, transaction);
    const allowed = new Set(limited.filter((_, place) => places.has(place)));
    return new Set(runs.filter((run) => run.keptOutMs === 0 || allowed.has(run)));
  }
}

/** Who is no contact yet becomes one by an automation whose author may add contacts. */
function mayAdd({ permissions }: Listener): boolean {
  return permissions?.has('audience:write') !== false;
}

const circleRefusal = `Automations have caused ${maxDepth} events one after the other. This looks like a circle, so that it ends here.`;

/** How long the events of each team have taken. The others are not kept waiting for those of a team that takes long. */
class TeamClocks {
  private readonly spentMs = new Map<string, number>();

  constructor(private readonly maxMs: number) {}

  isOver(teamId: string): boolean {
    return (this.spentMs.get(teamId) ?? 0) > this.maxMs;
  }

  async measure(teamId: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work();
    this.spentMs.set(teamId, (this.spentMs.get(teamId) ?? 0) + performance.now() - startedAt);
  }
}

/**
 * The triggers that events meet, the first of each automation. 500 automations with large filters take seconds for one
 * event: other work goes on meanwhile, and the events of the team behind it are left for the next time.
 */
async function meant(
  events: readonly TakenEvent[],
  byName: ReadonlyMap<string, readonly Listener[]>,
): Promise<readonly Heard[]> {
  const clocks = new TeamClocks(filteringMs);
  const turn = new LoopTurn();
  const heard: Heard[] = [];
  const closed = new Set<string>();
  for (const event of events) {
    const listeners = byName.get(keyOf(event)) ?? [];
    if (clocks.isOver(event.teamId) || listeners.some(({ trigger }) => trigger === undefined)) closed.add(event.teamId);
    if (closed.has(event.teamId)) continue;
    const first = new Map<string, Listener>();
    await clocks.measure(event.teamId, async () => {
      for (const listener of listeners) {
        await turn.next();
        const { trigger, automationId, subjectId } = listener;
        const isAbout = trigger !== undefined && subjectId === event.subjectId;
        if (isAbout && !first.has(automationId) && isMeant(trigger, event.payload)) first.set(automationId, listener);
      }
    });
    heard.push({ event, listeners: [...first.values()] });
  }
  return heard;
}

/** Whether nothing was left out because the graphs of the events before it are large. */
function haveGraphs(found: readonly (Waiter | Aimer)[]): boolean {
  return found.every(({ graph }) => graph !== undefined);
}

function byPayload<One extends Waiter | Aimer>(found: readonly One[]): ReadonlyMap<Payload, readonly One[]> {
  const known = new Map<Payload, One[]>();
  for (const one of found) {
    const { payload } = one.event;
    const others = known.get(payload);
    if (others === undefined) known.set(payload, [one]);
    else others.push(one);
  }
  return known;
}

/** Without those of a team from the first one on that is left. */
function untilLeft<One>(
  all: readonly One[],
  teamOf: (one: One) => string,
  isLeft: (one: One) => boolean,
): readonly One[] {
  const closed = new Set<string>();
  return all.filter((one) => {
    if (isLeft(one)) closed.add(teamOf(one));
    return !closed.has(teamOf(one));
  });
}

/** The first events, whose payloads are written for each run that they begin. The others come next. */
function withinBytes(heard: readonly Heard[]): readonly Heard[] {
  let bytes = 0;
  const beyond = heard.findIndex(({ event, listeners }, no) => {
    const runs = listeners.length;
    bytes += runs === 0 ? 0 : runs * (bytesOfRun + JSON.stringify(event.payload).length);
    return no > 0 && bytes > maxRunBytes;
  });
  return beyond === -1 ? heard : heard.slice(0, beyond);
}

function listenersByEvent(listeners: readonly Listener[]): ReadonlyMap<string, readonly Listener[]> {
  const byEvent = new Map<string, Listener[]>();
  for (const listener of listeners) {
    const key = keyOf({ teamId: listener.teamId, name: listener.eventName });
    const known = byEvent.get(key);
    if (known === undefined) byEvent.set(key, [listener]);
    else known.push(listener);
  }
  return byEvent;
}

function keyOf({ teamId, name }: { readonly teamId: string; readonly name: string }): string {
  return `${teamId} ${name}`;
}
