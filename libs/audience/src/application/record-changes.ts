import type { Actor } from '#identity';
import { TeamEvent, TeamEvents } from '#events';
import { newId, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact } from '../domain/contact.js';
import { ChangeSource, ContactChange, FieldChanges, Unsubscribe } from '../domain/contact-change.js';
import { contactEvent, contactTopicsEvent } from '../domain/contact-event.js';
import { ContactHistory } from './ports/contact-repository.port.js';
import { ChangedChoice } from './ports/topic-repository.port.js';
import { MembershipRepository } from './ports/segment-repository.port.js';

/** What one request did to one contact. */
export interface ContactOutcome {
  /** As it is afterwards. */
  readonly contact: Contact;
  readonly kind: 'created' | 'updated' | 'deleted';
  readonly changes: FieldChanges;
  /** The subscriptions that changed. Their old values are in `topicChanges`. */
  readonly topics?: readonly ChangedChoice[];
  readonly topicChanges?: FieldChanges;
  readonly actor: Actor;
  readonly source: ChangeSource;
  /** The email whose link the contact followed. */
  readonly emailId?: string | undefined;
}

/** Writes the history and the events of changes, in their transaction. An outcome without changes leaves no trace. */
@Injectable()
export class RecordChanges {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly history: ContactHistory,
    private readonly events: TeamEvents,
  ) {}

  async record(outcomes: readonly ContactOutcome[], now: Date, transaction: Transaction): Promise<void> {
    const shown = outcomes.filter(({ kind, changes }) => kind !== 'updated' || Object.keys(changes).length > 0);
    const segmentIds = await this.segmentIdsOf(shown, transaction);
    const events: TeamEvent[] = [];
    const history: ContactChange[] = [];
    for (const outcome of outcomes) {
      const { contact, kind, changes, topics = [], topicChanges = {} } = outcome;
      if (kind !== 'updated' || Object.keys(changes).length > 0) {
        events.push(contactEvent(`contact.${kind}`, contact, segmentIds.get(contact.id) ?? [], changes, now));
        history.push(entry(outcome, kind, changes, now));
      }
      if (topics.length > 0) {
        events.push(contactTopicsEvent(contact, topics, topicChanges, now));
        history.push(entry(outcome, 'topics_updated', topicChanges, now));
      }
    }
    await Promise.all([
      this.history.append(history, transaction),
      this.history.appendUnsubscribes(
        outcomes.flatMap((outcome) => unsubscribesOf(outcome, now)),
        transaction,
      ),
      this.events.append(events, transaction),
    ]);
  }

  /** A contact without memberships costs no read: nearly all new ones. */
  private async segmentIdsOf(
    outcomes: readonly ContactOutcome[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const ids = outcomes
      .filter(
        ({ kind, changes }) => kind !== 'created' || Object.keys(changes).some((name) => name.startsWith('segments.')),
      )
      .map(({ contact }) => contact.id);
    return ids.length === 0 ? new Map() : this.memberships.segmentIdsOf(ids, transaction);
  }
}

/**
 * Counted once per request, however many topics it refuses. A team that adds somebody who never wanted its mail, a file
 * and a complaint do not count: nobody unsubscribed by them.
 */
function unsubscribesOf(
  { contact, kind, changes, topics = [], source, emailId }: ContactOutcome,
  now: Date,
): Unsubscribe[] {
  if (kind === 'deleted' || source === 'import' || source === 'feedback') return [];
  if (kind === 'created' && source === 'api') return [];
  const isFromAll = changes.unsubscribed?.to === true;
  const refused = topics.filter(({ before, subscription }) => before === 'opt_in' && subscription === 'opt_out');
  if (!isFromAll && refused.length === 0) return [];
  const { id: contactId, teamId } = contact;
  return [
    {
      id: newId(now.getTime()),
      teamId,
      contactId,
      emailId: emailId ?? null,
      source,
      createdAt: now,
      topicIds: isFromAll ? [] : refused.map(({ topicId }) => topicId),
    },
  ];
}

function entry(
  { contact, actor, source }: ContactOutcome,
  type: ContactChange['type'],
  changes: FieldChanges,
  now: Date,
): ContactChange {
  const { id: contactId, teamId } = contact;
  return { id: newId(now.getTime()), contactId, teamId, type, source, actor, changes, createdAt: now };
}
