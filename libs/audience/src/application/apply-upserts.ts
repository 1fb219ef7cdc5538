import { Clock, newId, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact } from '../domain/contact.js';
import { FieldChanges } from '../domain/contact-change.js';
import { contactOf, ContactPatch, merged, patched } from '../domain/contact-patch.js';
import { checkSize } from '../domain/property.js';
import { CheckReferences } from './check-references.js';
import { ContactRepository } from './ports/contact-repository.port.js';
import { UpsertedContact, UpsertRequest } from './ports/contact-upserts.port.js';
import { ContactOutcome, RecordChanges } from './record-changes.js';
import { WriteGroups } from './write-groups.js';

export type SettledUpsert = { readonly value: UpsertedContact } | { readonly error: unknown };

/** A request whose references are known. */
interface Checked {
  readonly request: UpsertRequest;
  readonly patch: ContactPatch;
  readonly position: number;
}

interface Step {
  readonly checked: Checked;
  readonly outcome: ContactOutcome;
}

/**
 * Decides and writes the upserts of a batch in one transaction: a few statements for all of them. Requests for one address
 * follow each other in their order, and each has its own event.
 */
@Injectable()
export class ApplyUpserts {
  constructor(
    private readonly references: CheckReferences,
    private readonly contacts: ContactRepository,
    private readonly groups: WriteGroups,
    private readonly recorder: RecordChanges,
    private readonly clock: Clock,
  ) {}

  /** Returns one result per request, in order. */
  async apply(requests: readonly UpsertRequest[], transaction: Transaction): Promise<readonly SettledUpsert[]> {
    const results: SettledUpsert[] = [];
    const checked = await this.check(requests, results, transaction);
    const states = await this.stored(checked, this.clock.now(), transaction);
    // While the contacts are locked, so that their history is in order.
    const now = this.clock.now();
    const steps = checked.flatMap((one) => stepOf(one, states, results, now));
    const changed = [...states.values()].filter(({ isChanged }) => isChanged).map(({ contact }) => contact);
    if (changed.length > 0) await this.contacts.update(changed, transaction);
    const outcomes = await this.groups.write(
      steps.map(({ checked: { request }, outcome }) => ({ ...request, outcome })),
      now,
      transaction,
    );
    await this.recorder.record(outcomes, now, transaction);
    return results;
  }

  private async check(
    requests: readonly UpsertRequest[],
    results: SettledUpsert[],
    transaction: Transaction,
  ): Promise<readonly Checked[]> {
    const references = await this.references.of(requests, transaction);
    return requests.flatMap((request, position) => {
      try {
        const patch = references.checkPatch(request);
        if (patch.properties !== undefined) checkSize(merged({}, patch.properties));
        return [{ request, patch, position }];
      } catch (error) {
        results[position] = { error };
        return [];
      }
    });
  }

  /** The contact of each address, added with the values of its first request if it is new. */
  private async stored(checked: readonly Checked[], now: Date, transaction: Transaction): Promise<Map<string, State>> {
    const firsts = new Map<string, Contact>();
    for (const { request, patch } of checked) {
      const { teamId, email } = request;
      const key = keyOf(request);
      if (!firsts.has(key)) firsts.set(key, contactOf({ id: newId(now.getTime()), teamId, email }, patch, now));
    }
    const contacts = firsts.size === 0 ? [] : await this.contacts.put([...firsts.values()], transaction);
    return new Map(
      [...firsts].map(([key, { id }], index) => {
        const contact = contacts[index] as Contact;
        return [key, { contact, isNew: contact.id === id, isChanged: false }];
      }),
    );
  }
}

/** The state of an address between the requests of a batch. */
interface State {
  contact: Contact;
  /** Until the request that added it has its outcome. */
  isNew: boolean;
  isChanged: boolean;
}

function stepOf(checked: Checked, states: Map<string, State>, results: SettledUpsert[], now: Date): Step[] {
  const { request, patch, position } = checked;
  const state = states.get(keyOf(request)) as State;
  const { actor, source, emailId } = request;
  const by = { actor, source, emailId };
  if (state.isNew) {
    state.isNew = false;
    results[position] = { value: { id: state.contact.id, isNew: true } };
    return [{ checked, outcome: { contact: state.contact, kind: 'created', changes: initial(patch), ...by } }];
  }
  const { contact, changes } = patched(state.contact, patch, now);
  try {
    checkSize(contact.properties, state.contact.properties);
  } catch (error) {
    results[position] = { error };
    return [];
  }
  state.isChanged ||= Object.keys(changes).length > 0;
  state.contact = contact;
  results[position] = { value: { id: contact.id, isNew: false } };
  return [{ checked, outcome: { contact, kind: 'updated', changes, ...by } }];
}

const never = new Date(0);
const blank = contactOf({ id: '', teamId: '', email: '' }, {}, never);

/** The values with which a contact began, as changes. */
function initial(patch: ContactPatch): FieldChanges {
  return patched(blank, patch, never).changes;
}

function keyOf({ teamId, email }: UpsertRequest): string {
  return `${teamId} ${email}`;
}
