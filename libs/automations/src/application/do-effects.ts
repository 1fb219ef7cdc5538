import { ConsentingContact, ContactSegments, ContactUpdate, RemoveContact, UpdateContact } from '#audience';
import { SendInTransaction } from '#emails';
import type { AcceptedEmail } from '#emails';
import { Principal } from '#identity';
import { Clock, DomainError, LastStatements, newId, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Effect, StepEmail } from '../domain/decide.js';
import { checkedPayload, Payload } from '../domain/event-definition.js';
import { EventRepository } from './ports/event-repository.port.js';
import { CausedChange, DueRun } from './ports/run-queue.port.js';

/** After a quota has refused an email of a team, its next ones are postponed for this long without asking again. */
const refusedForMs = 30_000;

/** The quota of the team has refused an email a moment ago. Steps are postponed, as with every refusal of the kind `limited`. */
class RefusedLatelyError extends DomainError {
  constructor(reason: string) {
    super('limited', 'rate_limit_exceeded', reason);
  }
}

/** Every effect except `webhook` needs the contact. Webhooks are called outside of the transaction. */
type ContactEffect = Exclude<Effect, { type: 'webhook' }>;

/** What an effect leaves behind in its step. */
export interface EffectDone {
  readonly output?: Payload;
  readonly emailId?: string;
}

/** The effects of one transaction, some of which are written at its end. */
export interface OpenEffects {
  readonly transaction: Transaction;
  readonly emails: AcceptedEmail[];
  readonly changes: CausedChange[];
  readonly updates: GatheredUpdates;
  /** The depth that the events of the transaction have now. */
  depth: number;
}

/**
 * Updates of contacts that wait to be written together: those of runs that follow each other, of one team and one depth.
 * One after the other, each would cost five statements.
 *
 * A run awaits `add`. The slice starts runs one after the other with `untilAdded`, so that each has ended or has an update
 * waiting. Then it calls `write`, which lets them go on.
 */
export class GatheredUpdates {
  private readonly waiting: (ContactUpdate & {
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  })[] = [];
  private teamId = '';
  private added: () => void = () => undefined;

  constructor(
    private readonly updateContact: UpdateContact,
    private readonly transaction: Transaction,
  ) {}

  /** Resolves when a later `write` has written it. */
  async add(teamId: string, update: ContactUpdate): Promise<void> {
    if (teamId !== this.teamId) await this.write();
    this.teamId = teamId;
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ ...update, resolve, reject });
      this.added();
    });
  }

  /**
   * Starts work, and returns when it has ended or has added an update, whichever comes first. One at a time. The promise is
   * wrapped, so that awaiting this call does not await the work.
   */
  async untilAdded<Result>(work: () => Promise<Result>): Promise<{ readonly running: Promise<Result> }> {
    const added = new Promise<void>((resolve) => (this.added = resolve));
    const running = work();
    running.catch(() => undefined);
    await Promise.race([added, running]);
    return { running };
  }

  async write(): Promise<void> {
    const updates = this.waiting.splice(0);
    if (updates.length === 0) return;
    const results = await this.updateContact.updateIn(Principal.ofService(this.teamId), updates, this.transaction);
    for (const [index, { resolve, reject }] of updates.entries()) {
      const result = results[index];
      if (result === undefined || 'error' in result) reject(result?.error);
      else resolve();
    }
  }
}

/** Does what steps change outside of their runs, in the transaction of the slice. */
@Injectable()
export class DoEffects {
  /** Teams whose quota has refused an email lately, with the reason and until when nothing is tried. */
  private readonly refused = new Map<string, { readonly reason: string; readonly until: number }>();

  constructor(
    private readonly sending: SendInTransaction,
    private readonly updateContact: UpdateContact,
    private readonly removeContact: RemoveContact,
    private readonly segments: ContactSegments,
    private readonly events: EventRepository,
    private readonly clock: Clock,
  ) {}

  /** Whether other mail is accepted beside the runs. Then they leave it time. */
  get isOtherMailComing(): boolean {
    return this.sending.isOtherMailComing;
  }

  begin(transaction: Transaction): OpenEffects {
    const updates = new GatheredUpdates(this.updateContact, transaction);
    return { transaction, emails: [], changes: [], updates, depth: 0 };
  }

  /** Throws DomainError if it is refused. An update of a contact is done by the next `open.updates.write()`. */
  async do(
    effect: ContactEffect,
    { run, actor }: DueRun,
    contact: ConsentingContact,
    open: OpenEffects,
  ): Promise<EffectDone> {
    const { transaction } = open;
    const { teamId } = run;
    const principal = Principal.ofService(teamId);
    // Waiting updates are written before other effects lock anything, so that contacts are always locked in one order.
    if (effect.type !== 'contact_update' && effect.type !== 'send_email') await open.updates.write();
    switch (effect.type) {
      case 'send_email':
        return this.compose(effect.email, { teamId, actor, to: contact.email }, open);
      case 'send_event':
        await this.sendEvent(effect, run, transaction);
        return {};
      case 'contact_update':
        await this.causing(run, open);
        await open.updates.add(teamId, { key: { id: contact.id }, patch: effect.patch });
        return {};
      case 'contact_delete':
        await this.removeContact.removeIn(principal, { id: contact.id }, transaction);
        return {};
      case 'add_to_segment':
        await this.causing(run, open);
        await this.segments.addIn(principal, contact.id, effect.segmentId, transaction);
        return {};
      case 'remove_from_segment':
        await this.causing(run, open);
        await this.segments.removeIn(principal, contact.id, effect.segmentId, transaction);
        return {};
    }
  }

  /** The last statements of the transaction. They throw the errors of an exceeded quota. */
  finish({ emails, transaction }: OpenEffects): Promise<LastStatements<() => void>> {
    return this.sending.accept(emails, transaction);
  }

  /** A quota has refused the emails of a team: its next tries see it before the transaction. */
  refuse(teamId: string, reason: string): void {
    this.refused.set(teamId, { reason, until: this.clock.now().getTime() + refusedForMs });
  }

  private async compose(
    email: StepEmail,
    { teamId, actor, to }: { readonly teamId: string; readonly actor: DueRun['actor']; readonly to: string },
    { emails }: OpenEffects,
  ): Promise<EffectDone> {
    const refusal = this.refused.get(teamId);
    if (refusal !== undefined) {
      if (this.clock.now().getTime() < refusal.until) throw new RefusedLatelyError(refusal.reason);
      this.refused.delete(teamId);
    }
    const composed = await this.sending.compose(teamId, actor, { ...email, to });
    emails.push(composed);
    const { id } = composed.email;
    return { output: { email_id: id }, emailId: id };
  }

  private async sendEvent(
    { name, payload }: Extract<Effect, { type: 'send_event' }>,
    { teamId, contactId, depth, originId }: DueRun['run'],
    transaction: Transaction,
  ): Promise<void> {
    const schema = (await this.events.schemaOf(teamId, name, true)) ?? null;
    const occurrence = {
      id: newId(this.clock.now().getTime()),
      teamId,
      name,
      contactId,
      email: null,
      subjectId: null,
      payload: checkedPayload(payload, schema),
      depth: depth + 1,
      originId,
    };
    await this.events.sendIn([occurrence], transaction);
  }

  /** Changes of contacts and segments are events themselves, which may start other runs. */
  private async causing({ teamId, contactId, depth }: DueRun['run'], open: OpenEffects): Promise<void> {
    open.changes.push({ teamId, contactId, depth: depth + 1 });
    if (open.depth === depth + 1) return;
    await open.updates.write();
    open.depth = depth + 1;
    await this.events.causeAt(open.depth, open.transaction);
  }
}
