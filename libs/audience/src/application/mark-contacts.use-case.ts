import type { Actor } from '#identity';
import { Clock, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact, contactKey } from '../domain/contact.js';
import { FieldChange } from '../domain/contact-change.js';
import { ContactRepository } from './ports/contact-repository.port.js';
import { ContactOutcome, RecordChanges } from './record-changes.js';

/** A bounce of an address that does not exist, or a report as spam. */
export interface ContactMark {
  readonly teamId: string;
  readonly address: string;
  readonly kind: 'bounce' | 'complaint';
  readonly at: Date;
}

const service: Actor = { kind: 'service' };

/**
 * Marks the contacts whose address bounced permanently or who complained. Who complains wants no broadcasts either, so a
 * complaint also unsubscribes. Later marks replace earlier ones, so that handling an event twice changes nothing.
 */
@Injectable()
export class MarkContacts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly recorder: RecordChanges,
    private readonly clock: Clock,
  ) {}

  async mark(marks: readonly ContactMark[], transaction: Transaction): Promise<void> {
    const outcomes: ContactOutcome[] = [];
    for (const [teamId, ofTeam] of [...byTeam(marks)].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const emails = [...new Set(ofTeam.map(({ address }) => contactKey(address)))];
      const locked = await this.contacts.lock(
        teamId,
        emails.map((email) => ({ email })),
        transaction,
      );
      const now = this.clock.now();
      for (const contact of locked) {
        if (contact === undefined) continue;
        const outcome = marked(
          contact,
          ofTeam.filter(({ address }) => contactKey(address) === contact.email),
          now,
        );
        if (Object.keys(outcome.changes).length > 0) outcomes.push(outcome);
      }
    }
    if (outcomes.length === 0) return;
    await this.contacts.update(
      outcomes.map(({ contact }) => contact),
      transaction,
    );
    await this.recorder.record(outcomes, this.clock.now(), transaction);
  }
}

function byTeam(marks: readonly ContactMark[]): Map<string, ContactMark[]> {
  const teams = new Map<string, ContactMark[]>();
  for (const mark of marks) teams.set(mark.teamId, [...(teams.get(mark.teamId) ?? []), mark]);
  return teams;
}

function marked(contact: Contact, marks: readonly ContactMark[], now: Date): ContactOutcome {
  const changes: Record<string, FieldChange> = {};
  let next = contact;
  for (const { kind, at } of marks) {
    const [field, name] =
      kind === 'bounce' ? (['bouncedAt', 'bounced_at'] as const) : (['complainedAt', 'complained_at'] as const);
    const known = next[field];
    if (known !== null && known >= at) continue;
    changes[name] = { from: contact[field]?.toISOString() ?? null, to: at.toISOString() };
    next = { ...next, [field]: at, updatedAt: now };
    if (kind === 'bounce' || next.unsubscribed) continue;
    changes.unsubscribed = { from: false, to: true };
    next = { ...next, unsubscribed: true, unsubscribedAt: now };
  }
  return { contact: next, kind: 'updated', changes, actor: service, source: 'feedback' };
}
