import { Page, PageRequest, Transaction } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';
import { InMemoryRows } from './in-memory-rows.js';
import {
  AutomationRepository,
  SizeOfGraphs,
  TriggerCounts,
} from '../../../libs/automations/src/application/ports/automation-repository.port.js';
import {
  EventOccurrence,
  EventRepository,
} from '../../../libs/automations/src/application/ports/event-repository.port.js';
import {
  Aimer,
  Behind,
  ContactEvent,
  EmailOfRunEvent,
  Entry,
  EventName,
  EventQueue,
  HeardEvent,
  Listener,
  ListeningRun,
  MailEvent,
  NewRun,
  TakenEvent,
  Waiter,
} from '../../../libs/automations/src/application/ports/event-queue.port.js';
import {
  AdvancedRun,
  Answer,
  AnswerKey,
  CausedChange,
  DueRun,
  EmailsOfDay,
  keyOfAnswer,
  RunQueue,
} from '../../../libs/automations/src/application/ports/run-queue.port.js';
import {
  RunFilter,
  RunRepository,
  RunWithSteps,
} from '../../../libs/automations/src/application/ports/run-repository.port.js';
import { Automation, AutomationStatus, AutomationWithGraph } from '../../../libs/automations/src/domain/automation.js';
import { AutomationCounts, AutomationTotals } from '../../../libs/automations/src/domain/counts.js';
import { EventDefinition, EventSchema, Payload } from '../../../libs/automations/src/domain/event-definition.js';
import { RunStatus, RunSummary } from '../../../libs/automations/src/domain/run.js';

export class InMemoryEvents extends EventRepository {
  readonly rows = new InMemoryRows<EventDefinition>();
  readonly sent: EventOccurrence[] = [];
  readonly depths: number[] = [];
  /** Ids of contacts that nobody has. */
  readonly strangers = new Set<string>();

  async insert(definition: EventDefinition, max: number): Promise<'added' | 'taken' | 'full'> {
    const ofTeam = this.rows.where(({ teamId }) => teamId === definition.teamId);
    if (ofTeam.some(({ name }) => name === definition.name)) return 'taken';
    if (ofTeam.length >= max) return 'full';
    this.rows.set(definition);
    return 'added';
  }

  async find(teamId: string, idOrName: string): Promise<EventDefinition | undefined> {
    return this.rows.where((row) => row.teamId === teamId && [row.id, row.name].includes(idOrName))[0];
  }

  async schemaOf(teamId: string, name: string): Promise<EventSchema | null | undefined> {
    return this.rows.where((row) => row.teamId === teamId && row.name === name)[0]?.schema;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<EventDefinition>> {
    return this.rows.page(page, (row) => row.teamId === teamId);
  }

  async changeSchema(_teamId: string, id: string, schema: EventSchema | null, now: Date): Promise<boolean> {
    const row = this.rows.get(id);
    if (row !== undefined) this.rows.set({ ...row, schema, updatedAt: now });
    return row !== undefined;
  }

  async remove(_teamId: string, id: string): Promise<boolean> {
    return this.rows.delete(id);
  }

  async send(occurrence: EventOccurrence): Promise<void> {
    this.sent.push(occurrence);
  }

  async sendBatch(occurrences: readonly EventOccurrence[]): Promise<number | undefined> {
    const stranger = occurrences.findIndex(({ contactId }) => contactId !== null && this.strangers.has(contactId));
    if (stranger !== -1) return stranger;
    this.sent.push(...occurrences);
    return undefined;
  }

  async sendIn(occurrences: readonly EventOccurrence[]): Promise<void> {
    this.sent.push(...occurrences);
  }

  async causeAt(depth: number): Promise<void> {
    this.depths.push(depth);
  }
}

export class InMemoryAutomations extends AutomationRepository {
  readonly rows = new InMemoryRows<AutomationWithGraph>();
  /** Ids of templates, broadcasts and routes that are there. */
  readonly known = new Set<string>();
  counts: TriggerCounts = { dates: 0, segments: 0 };
  sizes: SizeOfGraphs = { others: 0, withVersions: 0 };
  readonly stopped: { readonly id: string; readonly isDeleted: boolean }[] = [];

  async lockTeam(): Promise<void> {}

  async insert(automation: AutomationWithGraph, max: number): Promise<boolean> {
    if (this.rows.where(({ teamId }) => teamId === automation.teamId).length >= max) return false;
    this.rows.set(automation);
    return true;
  }

  async find(teamId: string, id: string): Promise<AutomationWithGraph | undefined> {
    const row = this.rows.get(id);
    return row?.teamId === teamId ? row : undefined;
  }

  async list(teamId: string, page: PageRequest, status?: AutomationStatus): Promise<Page<Automation>> {
    return this.rows.page(page, (row) => row.teamId === teamId && (status ?? row.status) === row.status);
  }

  async countTriggers(): Promise<TriggerCounts> {
    return this.counts;
  }

  async has(_teamId: string, _kind: string, id: string): Promise<boolean> {
    return this.known.has(id);
  }

  async charactersOfGraphs(): Promise<SizeOfGraphs> {
    return this.sizes;
  }

  lock(teamId: string, id: string): Promise<AutomationWithGraph | undefined> {
    return this.find(teamId, id);
  }

  async update(automation: AutomationWithGraph, transaction: Transaction): Promise<void> {
    this.rows.set(automation, transaction);
  }

  async stop({ id }: Automation, _now: Date, isDeleted: boolean): Promise<void> {
    this.stopped.push({ id, isDeleted });
    if (isDeleted) this.rows.delete(id);
  }
}

export class GivenRuns extends RunRepository {
  readonly runs = new Map<string, RunWithSteps>();
  numbers: AutomationCounts = {
    runs: { started: 0, completed: 0, failed: 0, cancelled: 0, notEntered: 0, goals: 0 },
    steps: new Map(),
  };

  async list(_automationId: string, { statuses = [] }: RunFilter): Promise<Page<RunSummary>> {
    const items = [...this.runs.values()].filter(({ status }) => statuses.length === 0 || statuses.includes(status));
    return { items, hasMore: false };
  }

  async totals(): Promise<ReadonlyMap<string, AutomationTotals>> {
    return new Map();
  }

  async counts(): Promise<AutomationCounts> {
    return this.numbers;
  }

  async find(_automationId: string, id: string): Promise<RunWithSteps | undefined> {
    return this.runs.get(id);
  }

  async cancel(_automationId: string, id: string): Promise<RunStatus | undefined> {
    return this.runs.get(id)?.status;
  }
}

/** Gives out what a test has put into it, and remembers what is written. */
export class GivenEventQueue extends EventQueue {
  events: TakenEvent[] = [];
  listening: Listener[] = [];
  waiting: (Waiter & Aimer)[] = [];
  /** Runs that each origin had before. */
  spentBefore = 0;
  behindOthers: ReadonlyMap<string, Behind> = new Map();
  readonly kept: ContactEvent[] = [];
  /** Whether the runs that wait have been read, and not written yet. */
  isWaking = false;
  readonly heldBack: string[] = [];
  /** The name of events for which nothing can begin. */
  refused = '';
  /** Contacts that are kept out. */
  readonly keptOut = new Set<string>();
  readonly begun: NewRun[] = [];
  readonly notEntered = new Map<string, number>();
  readonly woken: string[] = [];
  readonly mail: MailEvent[] = [];
  readonly reached = new Map<string, string>();

  async takeEvents(limit: number): Promise<readonly TakenEvent[]> {
    return this.events.filter(({ id }) => !this.heldBack.includes(id)).slice(0, limit);
  }

  async takeEvent(id: string): Promise<readonly TakenEvent[]> {
    return this.events.filter((event) => event.id === id);
  }

  async holdBack(id: string): Promise<void> {
    this.heldBack.push(id);
  }

  async removeEvents(ids: readonly string[]): Promise<void> {
    this.events = this.events.filter(({ id }) => !ids.includes(id));
  }

  async listeners(): Promise<readonly Listener[]> {
    return this.listening;
  }

  async awaited(events: readonly EventName[]): Promise<readonly EventName[]> {
    return events.filter(({ name }) => this.waiting.some(({ event }) => event.name === name));
  }

  async enter(entries: readonly Entry[]): Promise<ReadonlySet<number>> {
    return new Set(entries.flatMap(({ contactId }, no) => (this.keptOut.has(contactId) ? [] : [no])));
  }

  async spend(caused: readonly NewRun[]): Promise<ReadonlyMap<string, number>> {
    return new Map(caused.map(({ originId }) => [originId, this.spentBefore]));
  }

  async begin(runs: readonly NewRun[], notEntered: ReadonlyMap<string, number>): Promise<void> {
    if (runs.some(({ eventName }) => eventName === this.refused)) throw new Error(this.refused);
    this.begun.push(...runs);
    for (const [id, contacts] of notEntered) this.notEntered.set(id, (this.notEntered.get(id) ?? 0) + contacts);
  }

  async behind(): Promise<ReadonlyMap<string, Behind>> {
    return this.behindOthers;
  }

  async keep(events: readonly ContactEvent[]): Promise<void> {
    this.kept.push(...events);
  }

  async listeningRuns(events: readonly ContactEvent[]): Promise<readonly ListeningRun[]> {
    const found = await this.found(events);
    return found.map((each) => ({ ...each, isWaiting: true }));
  }

  async waitersForEmails(events: readonly EmailOfRunEvent[]): Promise<readonly Waiter[]> {
    return this.aimersForEmails(events);
  }

  async hearMail(events: readonly MailEvent[]): Promise<void> {
    this.mail.push(...events);
  }

  async countMail(): Promise<void> {}

  private async found(
    events: readonly Pick<ContactEvent, 'name' | 'payload' | 'maxRuns'>[],
  ): Promise<readonly (Waiter & Aimer)[]> {
    this.isWaking = true;
    return events.flatMap(({ name, payload, maxRuns }) =>
      this.waiting
        .filter(({ event }) => event.name === name)
        .slice(0, maxRuns + 1)
        .map((waiter) => ({ ...waiter, event: { name, payload } })),
    );
  }

  async aimersForEmails(events: readonly EmailOfRunEvent[]): Promise<readonly (Waiter & Aimer)[]> {
    return this.found(events.map((event) => ({ ...event, maxRuns: Infinity })));
  }

  async reach(goals: ReadonlyMap<string, string>): Promise<void> {
    for (const [id, key] of goals) this.reached.set(id, key);
  }

  async wake(waiters: readonly Waiter[]): Promise<void> {
    this.isWaking = false;
    this.woken.push(...waiters.map(({ run }) => run.id));
  }
}

/** The same for runs that are due. */
export class GivenRunQueue extends RunQueue {
  due: DueRun[] = [];
  /** Events of all contacts that came before their runs have come to a step that waits for them. */
  keptEvents: HeardEvent[] = [];
  spentBudgets: ReadonlySet<string> = new Set();
  /** What happened to the emails of all runs. */
  happenings: { readonly name: string; readonly payload: Payload }[] = [];
  readonly emailsOfDays = new Map<string, number>();
  readonly answers = new Map<string, Answer>();
  readonly changes: CausedChange[] = [];
  readonly recorded: AdvancedRun[] = [];
  readonly troubles = new Map<string, number>();

  async happened(_runId: string, name: string): Promise<readonly Payload[]> {
    return this.happenings.flatMap((each) => (each.name === name ? [each.payload] : []));
  }

  async keptNames(): Promise<ReadonlyMap<string, readonly string[]>> {
    return new Map(this.due.map(({ run }) => [run.contactId, this.keptEvents.map(({ name }) => name)]));
  }

  async spent(): Promise<ReadonlySet<string>> {
    return this.spentBudgets;
  }

  async kept(_runId: string, name: string): Promise<readonly HeardEvent[]> {
    return this.keptEvents.filter((event) => event.name === name);
  }

  async claim(_now: Date, limit: number, _transaction: Transaction, onlyId?: string): Promise<readonly DueRun[]> {
    return this.due.filter(({ run }) => onlyId === undefined || run.id === onlyId).slice(0, limit);
  }

  async lockEmailCounts(days: readonly Omit<EmailsOfDay, 'emails'>[]): Promise<readonly EmailsOfDay[]> {
    return days.map((day) => ({ ...day, emails: this.emailsOfDays.get(`${day.contactId} ${day.day}`) ?? 0 }));
  }

  async writeEmailCounts(days: readonly EmailsOfDay[]): Promise<void> {
    for (const { contactId, day, emails } of days) this.emailsOfDays.set(`${contactId} ${day}`, emails);
  }

  async lockAnswers(asked: readonly AnswerKey[], now: Date): Promise<readonly Answer[]> {
    return asked.map((key) => this.answers.get(keyOfAnswer(key)) ?? { ...key, runId: null, answeredAt: now });
  }

  async writeAnswers(answers: readonly Answer[]): Promise<void> {
    for (const answer of answers) this.answers.set(keyOfAnswer(answer), answer);
  }

  async noteChanges(changes: readonly CausedChange[]): Promise<void> {
    this.changes.push(...changes);
  }

  async record(advanced: readonly AdvancedRun[], _now: Date, transaction: Transaction): Promise<void> {
    const { length } = this.recorded;
    const { due } = this;
    inMemory(transaction).onRollback(() => {
      this.recorded.length = length;
      this.due = due;
    });
    this.recorded.push(...advanced);
    const ids = advanced.map(({ run }) => run.id);
    this.due = this.due.filter(({ run }) => !ids.includes(run.id));
  }

  async trouble(runId: string): Promise<number> {
    const count = (this.troubles.get(runId) ?? 0) + 1;
    this.troubles.set(runId, count);
    return count;
  }

  async tidy(): Promise<boolean> {
    return false;
  }
}
