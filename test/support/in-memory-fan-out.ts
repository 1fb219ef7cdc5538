import { AskedContacts, AskedMembers, ConsentingContact, ContactValues, FixedAudience, MembersQuery } from '#audience';
import { SendMailing } from '#emails';
import { newId } from '#kernel';
import { DecideRest } from '../../libs/broadcasts/src/application/fan-out/decide-rest.use-case.js';
import { FixAudience } from '../../libs/broadcasts/src/application/fan-out/fix-audience.use-case.js';
import { OpenMailings } from '../../libs/broadcasts/src/application/fan-out/open-mailings.js';
import { RunBroadcasts } from '../../libs/broadcasts/src/application/fan-out/run-broadcasts.use-case.js';
import { SendSlice } from '../../libs/broadcasts/src/application/fan-out/send-slice.use-case.js';
import { BroadcastRepository } from '../../libs/broadcasts/src/application/ports/broadcast-repository.port.js';
import { BroadcastWork } from '../../libs/broadcasts/src/application/ports/broadcast-runs.port.js';
import { TimeZones } from '../../libs/broadcasts/src/application/ports/time-zones.port.js';
import { Broadcast } from '../../libs/broadcasts/src/domain/broadcast.js';
import { InMemoryBroadcastRuns, InMemoryMember, InMemoryRun } from './in-memory-broadcast-runs.js';
import { InMemorySending, sendingDomain } from './in-memory-sending.js';

class InMemoryFixedAudience extends FixedAudience {
  readonly segments = new Map<string, readonly InMemoryMember[]>();
  readonly known = new Map<string, ConsentingContact>();

  async members({ segmentId }: AskedMembers): Promise<MembersQuery | undefined> {
    const members = this.segments.get(segmentId);
    return members === undefined ? undefined : { text: '', values: members };
  }

  async contacts({ ids }: AskedContacts): Promise<ReadonlyMap<string, ConsentingContact>> {
    return new Map(ids.flatMap((id) => [...(this.known.has(id) ? [[id, this.known.get(id)] as const] : [])]) as never);
  }
}

class SomeZones extends TimeZones {
  async names(): Promise<readonly string[]> {
    return ['Europe/Berlin', 'America/New_York', 'Asia/Calcutta', 'UTC'];
  }
}

/** The fan-out of broadcasts, in memory: one team with one verified domain. */
export class InMemoryFanOut {
  readonly sending = new InMemorySending();
  readonly clock = this.sending.clock;
  readonly runs = new InMemoryBroadcastRuns();
  readonly audience = new InMemoryFixedAudience();
  readonly broadcasts = new Map<string, Broadcast>();
  private readonly repository = {
    find: async (_: string, id: string) => this.broadcasts.get(id),
  } as unknown as BroadcastRepository;
  private readonly values = { propertiesOf: async () => [] } as unknown as ContactValues;
  readonly sendMailing = new SendMailing(
    this.sending.sender,
    this.sending.contents,
    this.sending.screening,
    this.sending.acceptance,
    this.clock,
  );
  readonly fixAudience = new FixAudience(
    this.repository,
    this.runs,
    this.audience,
    new SomeZones(),
    this.sending.unitOfWork,
    this.clock,
  );
  readonly sendSlice = new SendSlice(
    new OpenMailings(this.repository, this.values, this.sendMailing, this.clock),
    this.runs,
    this.audience,
    this.sendMailing,
    this.sending.unitOfWork,
    this.clock,
  );
  readonly decideRest = new DecideRest(this.repository, this.runs, this.clock);
  readonly run = new RunBroadcasts(
    this.runs,
    this.fixAudience,
    this.sendSlice,
    this.decideRest,
    this.sendMailing,
    this.clock,
  );

  /** A segment with contacts `<n>@sink.test`. */
  segment(count: number): { readonly id: string; readonly contacts: readonly ConsentingContact[] } {
    const contacts = Array.from({ length: count }, (_, no) => aContact(no));
    for (const contact of contacts) this.audience.known.set(contact.id, contact);
    const id = newId();
    this.audience.segments.set(
      id,
      contacts.map((contact) => ({ id: contact.id, property: null })),
    );
    return { id, contacts };
  }

  change(contact: ConsentingContact, fields: Partial<ConsentingContact>): void {
    this.audience.known.set(contact.id, { ...contact, ...fields });
  }

  start(fields: Partial<Broadcast>): { readonly work: BroadcastWork; readonly run: InMemoryRun } {
    const broadcast = { ...aBroadcast(this.sending.teamId), ...fields };
    this.broadcasts.set(broadcast.id, broadcast);
    const work = { kind: 'slice', broadcastId: broadcast.id, teamId: broadcast.teamId } as const;
    const run = this.runs.add(broadcast.id, broadcast.teamId);
    run.firstShare = broadcast.options.firstShare;
    return { work, run };
  }

  /** Works until there is nothing to do now. */
  async drain(): Promise<void> {
    while (await this.run.step());
  }

  /** The addresses of all accepted emails, sorted. */
  get addressees(): readonly string[] {
    return this.sending.queue.enqueued.map(({ address }) => address).sort();
  }
}

export function aContact(no: number): ConsentingContact {
  return {
    ...{ id: newId(), email: `${no}@sink.test`, firstName: `Name ${no}`, lastName: null, unsubscribed: false },
    ...{ properties: {}, lacking: new Set<string>(), subscription: null },
  };
}

function aBroadcast(teamId: string): Broadcast {
  const now = new Date();
  return {
    ...{ id: newId(), teamId, name: null, segmentId: newId(), topicId: null, status: 'queued', options: {} },
    ...{ from: `Acme <news@${sendingDomain}>`, replyTo: null, subject: 'Hi {{{FIRST_NAME|you}}}', previewText: null },
    ...{ html: '<p>Hi {{{FIRST_NAME|there}}}</p>', text: null, domainId: newId(), scheduledAt: null },
    ...{ queuedAt: now, sentAt: null, createdAt: now, updatedAt: now, actor: { kind: 'service' } },
  };
}
