/**
 * How a run goes through the steps of its automation.
 *
 * One transaction claims a slice of runs that are due, does the next steps of each, and writes what became of them. A
 * run is due at once after it has begun, when a delay or the timeout of a wait is over, and when the event has come that
 * it waited for. From there it goes on:
 *
 * - through `trigger`, `condition` and `split`, which only choose the next step,
 * - until it waits (`delay`, `wait_for_event`),
 * - until a step has changed something outside of it (`send_email`, `contact_update`, `contact_delete`,
 *   `add_to_segment`, `remove_from_segment`): the steps behind it see the contact as it is then, in the next slice,
 * - until nothing follows: it is completed.
 *
 * What a step changes commits together with its outcome. A step that is refused fails, and its run with it. A lack of
 * room or of quota postpones the step.
 */
import {
  ConsentingContact,
  ConsentingContacts,
  ContactSegments,
  ContactValues,
  RemoveContact,
  UpdateContact,
} from '#audience';
import { SendInTransaction } from '#emails';
import type { AcceptedEmail } from '#emails';
import { Principal } from '#identity';
import {
  Clock,
  DomainError,
  isDatabaseTrouble,
  LastStatements,
  Transaction,
  UnitOfWork,
  ValidationError,
} from '#kernel';
import { Injectable } from '@nestjs/common';
import { ConnectionType } from '../domain/graph.js';
import { holds } from '../domain/rule.js';
import { fieldsOf, positionIn, resolved, Run, RunContact, RunStep, RunStepStatus } from '../domain/run.js';
import { SendEmailAction, AutomationStep, ValueOrVariable } from '../domain/step.js';
import { AdvancedRun, DueRun, RunQueue } from './ports/run-queue.port.js';

/** Runs of one transaction: many enough to be efficient, few enough to finish in some tens of milliseconds. */
const runsAtOnce = 100;
/** The same while this process accepts other mail, which waits while this thread works on a slice. */
const runsAtOnceBesideOthers = 25;
/** When a step is tried again that room or quota has kept from being done. */
const postponedMs = 600_000;
/** When a run is tried again after something unexpected. */
const troubledMs = 60_000;
/** Unexpected errors in a row after which a run fails. */
const maxTroubles = 5;
/** How long the emails of a team are postponed without a try after a quota has refused one. */
const refusedForMs = 30_000;
const maxNameLength = 255;

/** What a step has come to. `next` is the connection that leads on; undefined: the run ends or waits here. */
interface Outcome {
  readonly status: Exclude<RunStepStatus, 'pending' | 'running'>;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly emailId?: string;
  readonly next?: ConnectionType;
  /** The step waits until then. */
  readonly until?: Date;
  readonly waitingEvent?: string;
  /** It changed something, which the next step must see. */
  readonly hasEffect?: boolean;
  /** It is not done now, because of this. */
  readonly postponedBecause?: string;
}

/** What the runs of a slice share. */
interface Slice {
  readonly transaction: Transaction;
  readonly contacts: ReadonlyMap<string, ConsentingContact>;
  readonly emails: AcceptedEmail[];
}

/** Does the steps of runs that are due. */
@Injectable()
export class AdvanceRuns {
  /** Teams whose quota has refused an email lately, with the reason and until when nothing is tried. */
  private readonly refused = new Map<string, { readonly reason: string; readonly until: number }>();

  // eslint-disable-next-line max-params -- One story: what the steps of an automation change.
  constructor(
    private readonly queue: RunQueue,
    private readonly sending: SendInTransaction,
    private readonly contacts: ConsentingContacts,
    private readonly values: ContactValues,
    private readonly updateContact: UpdateContact,
    private readonly removeContact: RemoveContact,
    private readonly segments: ContactSegments,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Whether other mail is accepted beside the runs. Then they leave it time. */
  get isOtherMailComing(): boolean {
    return this.sending.isOtherMailComing;
  }

  /** Does the next steps of a slice of runs. Returns how many runs there were. */
  async step(): Promise<number> {
    let claimed: readonly DueRun[] = [];
    const limit = this.isOtherMailComing ? runsAtOnceBesideOthers : runsAtOnce;
    try {
      await this.advance(async (now, transaction) => (claimed = await this.queue.claim(now, limit, transaction)));
    } catch (error) {
      if (isDatabaseTrouble(error) || claimed.length === 0) throw error;
      await this.oneByOne(claimed);
    }
    return claimed.length;
  }

  /** Nothing of the slice was written. Each run has a transaction of its own now, so that only the culprit is kept back. */
  private async oneByOne(runs: readonly DueRun[]): Promise<void> {
    for (const { run } of runs) {
      try {
        await this.advance((now, transaction) => this.queue.claim(now, 1, transaction, run.id));
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error;
        await this.keepBack(run, error);
      }
    }
  }

  private async keepBack(run: Run, error: unknown): Promise<void> {
    const now = this.clock.now().getTime();
    if (error instanceof DomainError) {
      // The quota of the team: its next tries see it before the transaction.
      this.refused.set(run.teamId, { reason: error.message, until: now + refusedForMs });
      return;
    }
    const troubles = await this.queue.trouble(run.id, new Date(now + troubledMs));
    if (troubles < maxTroubles) throw error;
    await this.work.run(async (transaction) => {
      const [due] = await this.queue.claim(new Date(now + troubledMs), 1, transaction, run.id);
      if (due === undefined) return;
      const failed = {
        status: 'failed',
        error: 'Something unexpected happened. The log of the service has the details.',
      } as const;
      const steps = due.run.stepKey === null ? [] : [stepOf(due, due.run.stepKey, failed, this.clock.now())];
      await this.queue.record([{ run: due.run, steps, next: { status: 'failed' } }], this.clock.now(), transaction);
    });
    throw error;
  }

  private async advance(claim: (now: Date, transaction: Transaction) => Promise<readonly DueRun[]>): Promise<void> {
    const announce = await this.work.runPipelined(async (transaction): Promise<LastStatements<() => void>> => {
      const due = await claim(this.clock.now(), transaction);
      if (due.length === 0) return { send: async () => () => undefined };
      const slice = { transaction, contacts: await this.contactsOf(due, transaction), emails: [] };
      const advanced: AdvancedRun[] = [];
      // In the order of their contacts, which are locked: two slices never wait for each other.
      for (const one of [...due].sort((a, b) => (a.run.contactId < b.run.contactId ? -1 : 1))) {
        advanced.push(await this.advanceRun(one, slice));
      }
      const last = await this.sending.accept(slice.emails, transaction);
      const send = async (): Promise<() => void> => {
        const recorded = this.queue.record(advanced, this.clock.now(), transaction);
        const [announceEmails] = await Promise.all([last.send(), recorded]);
        return announceEmails;
      };
      return { mayRefuse: last.mayRefuse, send };
    });
    announce();
  }

  private async contactsOf(
    due: readonly DueRun[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, ConsentingContact>> {
    const byTeam = new Map<string, Set<string>>();
    for (const { run } of due) byTeam.set(run.teamId, (byTeam.get(run.teamId) ?? new Set()).add(run.contactId));
    const portions = await Promise.all(
      [...byTeam].map(async ([teamId, ids]) => {
        const properties = await this.values.propertiesOf(teamId);
        return this.contacts.read({ teamId, ids: [...ids], topicId: null, properties }, transaction);
      }),
    );
    return new Map(portions.flatMap((portion) => [...portion]));
  }

  private async advanceRun(due: DueRun, slice: Slice): Promise<AdvancedRun> {
    const { run, graph, isStopped } = due;
    if (isStopped) return { run, steps: [], next: { status: 'cancelled' } };
    const steps: AdvancedRun['steps'][number][] = [];
    let key = run.stepKey ?? undefined;
    let isWaiting = run.isWaiting;
    while (key !== undefined) {
      const step = graph.step(key);
      if (step === undefined) return { run, steps, next: { status: 'failed' } };
      const now = this.clock.now();
      const outcome = isWaiting ? waited(run, step) : await this.do(step, due, slice);
      if (outcome.postponedBecause === undefined) steps.push(stepOf(due, key, outcome, now));
      if (outcome.status === 'failed') return { run, steps, next: { status: 'failed' } };
      if (outcome.until !== undefined) return { run, steps, next: rest(key, outcome, outcome.until) };
      key = graph.next(key, outcome.next);
      isWaiting = false;
      if (key !== undefined && outcome.hasEffect === true) return { run, steps, next: rest(key, {}, now) };
    }
    return { run, steps, next: { status: 'completed' } };
  }

  private async do(step: AutomationStep, due: DueRun, slice: Slice): Promise<Outcome> {
    try {
      return await this.attempt(step, due, slice);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.kind !== 'unavailable' && error.kind !== 'limited') return { status: 'failed', error: error.message };
      return this.postponed(error.message);
    }
  }

  private async attempt({ action, stored }: AutomationStep, { run, actor }: DueRun, slice: Slice): Promise<Outcome> {
    const contact = slice.contacts.get(run.contactId);
    const read = fieldsOf(run, contact === undefined ? undefined : asRunContact(contact));
    switch (action.type) {
      case 'trigger':
        return { status: 'completed', next: 'default' };
      case 'condition': {
        const result = holds(action.rule, read);
        return { status: 'completed', output: { result }, next: result ? 'condition_met' : 'condition_not_met' };
      }
      case 'split': {
        const result = positionIn(stored.key, run.contactId) < action.percent;
        return { status: 'completed', output: { result }, next: result ? 'condition_met' : 'condition_not_met' };
      }
      case 'delay':
        return { status: 'waiting', until: this.after(action.ms) };
      case 'wait_for_event':
        return this.wait(action, run, slice);
      default:
        break;
    }
    if (contact === undefined) return skipped('The contact was deleted.');
    const principal = Principal.ofService(run.teamId);
    switch (action.type) {
      case 'send_email':
        if (contact.unsubscribed) return skipped('The contact has unsubscribed.');
        return this.send(action, { run, actor }, contact, read, slice);
      case 'contact_update':
        await this.updateContact.updateIn(
          principal,
          { id: contact.id },
          patchOf(action.fields, read),
          slice.transaction,
        );
        return done;
      case 'contact_delete':
        await this.removeContact.removeIn(principal, { id: contact.id }, slice.transaction);
        return done;
      case 'add_to_segment':
        await this.segments.addIn(principal, contact.id, action.segmentId, slice.transaction);
        return done;
      case 'remove_from_segment':
        await this.segments.removeIn(principal, contact.id, action.segmentId, slice.transaction);
        return done;
    }
  }

  /** What happened to an email before the run came to the step counts, too. */
  private async wait(
    { eventName, ms }: Extract<AutomationStep['action'], { type: 'wait_for_event' }>,
    run: Run,
    { transaction }: Slice,
  ): Promise<Outcome> {
    if (eventName.startsWith('resend:') && (await this.queue.happened(run.id, eventName, transaction))) {
      return { status: 'completed', output: { event: eventName }, next: 'event_received' };
    }
    return { status: 'waiting', until: this.after(ms), waitingEvent: eventName };
  }

  private async send(
    { templateId, variables, from, replyTo, subject, topicId }: SendEmailAction,
    { run: { teamId }, actor }: Pick<DueRun, 'run' | 'actor'>,
    { email: to }: ConsentingContact,
    read: ReturnType<typeof fieldsOf>,
    { emails }: Slice,
  ): Promise<Outcome> {
    const refusal = this.refused.get(teamId);
    if (refusal !== undefined) {
      if (this.clock.now().getTime() < refusal.until) return this.postponed(refusal.reason);
      this.refused.delete(teamId);
    }
    // A variable that resolves to nothing is absent: the fallback of the template stands in for it.
    const values = [...variables].map(([name, value]) => [name, resolved(value, read)] as const);
    const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
    const request = { to, from, replyTo, subject, topicId, template: { id: templateId, variables: given } };
    const email = await this.sending.compose(teamId, actor, request);
    emails.push(email);
    const { id } = email.email;
    return { status: 'completed', output: { email_id: id }, emailId: id, next: 'default', hasEffect: true };
  }

  private postponed(reason: string): Outcome {
    return { status: 'waiting', until: this.after(postponedMs), postponedBecause: reason };
  }

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}

const done: Outcome = { status: 'completed', next: 'default', hasEffect: true };

function skipped(reason: string): Outcome {
  return { status: 'skipped', output: { reason }, next: 'default' };
}

/** A step that has waited: its time has come, or its event. */
function waited({ hasEvent, waitEvents }: Run, { action }: AutomationStep): Outcome {
  if (action.type !== 'wait_for_event') return { status: 'completed', next: 'default' };
  if (!hasEvent) return { status: 'completed', output: { timed_out: true }, next: 'timeout' };
  const output = { event: action.eventName, payload: waitEvents[action.eventName] ?? {} };
  return { status: 'completed', output, next: 'event_received' };
}

function rest(
  stepKey: string,
  { waitingEvent = null, postponedBecause = null, until }: Partial<Nullable<Outcome>>,
  dueAt: Date,
): AdvancedRun['next'] {
  const isWaiting = until !== undefined && postponedBecause === null;
  return { status: 'running', stepKey, isWaiting, waitingEvent, dueAt, postponedBecause };
}

type Nullable<Fields> = { [Name in keyof Fields]: Fields[Name] | null };

function stepOf(
  { graph }: DueRun,
  key: string,
  { status, output = undefined, error = undefined, emailId }: Outcome,
  now: Date,
): RunStep & { readonly emailId?: string } {
  const type = graph.step(key)?.stored.type ?? 'trigger';
  const completedAt = status === 'waiting' ? null : now;
  return { key, type, status, output: output ?? null, error: error ?? null, startedAt: now, completedAt, emailId };
}

function asRunContact({ id, email, firstName, lastName, unsubscribed, properties }: ConsentingContact): RunContact {
  return { id, email, firstName, lastName, unsubscribed, properties };
}

/** A variable that resolves to nothing leaves its field as it is. */
function patchOf(
  fields: ReadonlyMap<string, ValueOrVariable>,
  read: ReturnType<typeof fieldsOf>,
): Parameters<UpdateContact['updateIn']>[2] {
  const patch: { firstName?: string | null; lastName?: string | null; unsubscribed?: boolean } = {};
  const properties: Record<string, unknown> = {};
  for (const [name, value] of fields) {
    const found = resolved(value, read);
    if (found === undefined) continue;
    if (name === 'first_name') patch.firstName = nameOf(name, found);
    else if (name === 'last_name') patch.lastName = nameOf(name, found);
    else if (name === 'unsubscribed') patch.unsubscribed = flagOf(found);
    else properties[name.slice('properties.'.length)] = found;
  }
  return Object.keys(properties).length === 0 ? patch : { ...patch, properties };
}

function nameOf(field: string, value: unknown): string | null {
  if (value === null) return null;
  const name = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  if (name === undefined || name.length > maxNameLength) {
    throw new ValidationError(`The \`${field}\` must be a text of at most ${maxNameLength} characters.`);
  }
  return name;
}

function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new ValidationError('The value for `unsubscribed` must be true or false.');
  return value;
}
