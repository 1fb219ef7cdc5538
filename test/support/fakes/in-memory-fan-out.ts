import { ConsentingContact, ConsentingContacts, ContactValues } from '#audience';
import { SendMailing } from '#emails';
import { newId, noContentOrigin } from '#kernel';
import { OpenMailings } from '../../../libs/broadcasts/src/application/open-mailings.js';
import { BroadcastRepository } from '../../../libs/broadcasts/src/application/ports/broadcast-repository.port.js';
import { BroadcastWork } from '../../../libs/broadcasts/src/application/ports/broadcast-runs.port.js';
import { FanOutBroadcasts } from '../../../libs/broadcasts/src/application/send-broadcasts.use-case.js';
import { Broadcast } from '../../../libs/broadcasts/src/domain/broadcast.js';
import { InMemoryBroadcastRuns, InMemoryRun } from './in-memory-broadcast-runs.js';
import { InMemorySending, sendingDomain } from './in-memory-sending.js';

class InMemoryConsentingContacts extends ConsentingContacts {
  readonly known = new Map<string, ConsentingContact>();

  async read({ ids }: { readonly ids: readonly string[] }): Promise<ReadonlyMap<string, ConsentingContact>> {
    return new Map(
      ids.flatMap((id) => {
        const contact = this.known.get(id);
        return contact === undefined ? [] : [[id, contact] as const];
      }),
    );
  }

  async idsBehind(): Promise<readonly string[]> {
    throw new Error('The fan-out reads contacts by their ids');
  }
}

/** The fan-out of broadcasts, in memory: one team with one verified domain. */
export class InMemoryFanOut {
  readonly sending = new InMemorySending();
  readonly clock = this.sending.clock;
  readonly runs = new InMemoryBroadcastRuns();
  readonly audience = new InMemoryConsentingContacts();
  readonly broadcasts = new Map<string, Broadcast>();
  private readonly repository = {
    find: async (_: string, id: string) => this.broadcasts.get(id),
  } as unknown as BroadcastRepository;
  private readonly values = { propertiesOf: async () => [] } as unknown as ContactValues;
  readonly sendMailing = new SendMailing(
    this.sending.sender,
    this.sending.contents,
    this.sending.screening,
    this.sending.acceptEmails,
    this.sending.room,
    this.clock,
  );
  readonly run = new FanOutBroadcasts(
    this.repository,
    this.runs,
    new OpenMailings(this.repository, this.values, this.sendMailing, this.clock),
    this.audience,
    this.sendMailing,
    this.sending.unitOfWork,
    this.clock,
  );

  /** A segment with contacts `<n>@sink.test`. */
  segment(count: number): { readonly id: string; readonly contacts: readonly ConsentingContact[] } {
    const contacts = Array.from({ length: count }, (_, no) => aContact(no));
    for (const contact of contacts) this.audience.known.set(contact.id, contact);
    const id = newId();
    this.runs.segments.set(
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
    id: newId(),
    email: `${no}@sink.test`,
    firstName: `Name ${no}`,
    lastName: null,
    unsubscribed: false,
    properties: {},
    lacking: new Set<string>(),
    subscription: null,
  };
}

function aBroadcast(teamId: string): Broadcast {
  const now = new Date();
  return {
    id: newId(),
    teamId,
    name: null,
    segmentId: newId(),
    topicId: null,
    status: 'queued',
    options: {},
    from: `Acme <news@${sendingDomain}>`,
    replyTo: null,
    subject: 'Hi {{{FIRST_NAME|you}}}',
    previewText: null,
    html: '<p>Hi {{{FIRST_NAME|there}}}</p>',
    text: null,
    domainId: newId(),
    scheduledAt: null,
    ...noContentOrigin,
    queuedAt: now,
    sentAt: null,
    createdAt: now,
    updatedAt: now,
    actor: { kind: 'service' },
  };
}
