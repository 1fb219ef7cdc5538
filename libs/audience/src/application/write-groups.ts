import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { FieldChanges } from '../domain/contact-change.js';
import { TopicChoice } from '../domain/contact-event.js';
import { SegmentMembership, MembershipRepository } from './ports/segment-repository.port.js';
import { ChangedChoice, SubscriptionChoice, SubscriptionRepository } from './ports/topic-repository.port.js';
import { ContactOutcome } from './record-changes.js';

export interface GroupedOutcome {
  readonly outcome: ContactOutcome;
  readonly segmentIds: readonly string[];
  readonly topics: readonly TopicChoice[];
}

/** Writes the memberships and subscriptions that come with changes of contacts, with one statement for each kind. */
@Injectable()
export class WriteGroups {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly subscriptions: SubscriptionRepository,
  ) {}

  /** Returns the outcomes with what changed of their memberships and subscriptions. */
  async write(grouped: readonly GroupedOutcome[], now: Date, transaction: Transaction): Promise<ContactOutcome[]> {
    const members = new Map<string, SegmentMembership>();
    const choices = new Map<string, SubscriptionChoice>();
    for (const { outcome, segmentIds, topics } of grouped) {
      const { id: contactId, teamId } = outcome.contact;
      for (const segmentId of segmentIds) members.set(`${contactId} ${segmentId}`, { teamId, segmentId, contactId });
      for (const choice of topics) choices.set(`${contactId} ${choice.topicId}`, { teamId, contactId, ...choice });
    }
    const [added, changed] = await Promise.all([
      members.size === 0 ? [] : this.memberships.add([...members.values()], now, transaction),
      choices.size === 0 ? [] : this.subscriptions.set([...choices.values()], now, transaction),
    ]);
    const newMembers = new Set(added.map(({ contactId, segmentId }) => `${contactId} ${segmentId}`));
    const changes = new Map(changed.map((choice) => [`${choice.contactId} ${choice.topicId}`, choice]));
    return grouped.map((one) => completed(one, newMembers, changes));
  }
}

/** Takes what it reports out of the maps, so that each change is reported once. */
function completed(
  { outcome, segmentIds, topics }: GroupedOutcome,
  newMembers: Set<string>,
  changed: Map<string, ChangedChoice>,
): ContactOutcome {
  const { id } = outcome.contact;
  const joined = segmentIds.filter((segmentId) => newMembers.delete(`${id} ${segmentId}`));
  const chosen = topics.flatMap(({ topicId, subscription }) => {
    const choice = changed.get(`${id} ${topicId}`);
    return choice?.subscription === subscription && changed.delete(`${id} ${topicId}`) ? [choice] : [];
  });
  return {
    ...outcome,
    changes: {
      ...outcome.changes,
      ...Object.fromEntries(joined.map((segmentId) => [`segments.${segmentId}`, joining])),
    },
    ...(chosen.length === 0 ? {} : { topics: chosen, topicChanges: topicChangesOf(chosen) }),
  };
}

const joining = { from: false, to: true };

export function topicChangesOf(choices: readonly ChangedChoice[]): FieldChanges {
  return Object.fromEntries(
    choices.map(({ topicId, from, subscription }) => [`topics.${topicId}`, { from, to: subscription }]),
  );
}
