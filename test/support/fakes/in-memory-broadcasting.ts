import { ContactValues, FindGroups, SegmentMembers } from '#audience';
import { SendShared, SharedSendRequest } from '#emails';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from './in-memory-unit-of-work.js';
import { FilteredContacts } from '../../../libs/audience/src/application/ports/filtered-contacts.port.js';
import { Broadcasts } from '../../../libs/broadcasts/src/application/broadcasts.use-case.js';
import { CheckBroadcast } from '../../../libs/broadcasts/src/application/check-broadcast.js';
import { StartBroadcasts } from '../../../libs/broadcasts/src/application/send-broadcasts.use-case.js';
import { RequestedBroadcast } from '../../../libs/broadcasts/src/domain/broadcast-fields.js';
import { Broadcast } from '../../../libs/broadcasts/src/domain/broadcast.js';
import { InMemoryAudience } from './in-memory-audience.js';
import { InMemoryBroadcastRepository } from './in-memory-broadcasts.js';
import { InMemorySending, sendingDomain } from './in-memory-sending.js';

/** Remembers what was to be sent. */
class RecordedSharedSends {
  readonly requests: SharedSendRequest[] = [];

  async send(_: unknown, request: SharedSendRequest): Promise<{ readonly ids: readonly string[] }> {
    this.requests.push(request);
    return { ids: request.recipients.map(() => newId()) };
  }
}

/** Everything that the use cases of broadcasts take, in memory: a team with a domain and an audience. */
export class InMemoryBroadcasting {
  readonly sending = new InMemorySending();
  readonly audience = new InMemoryAudience(this.sending.teamId);
  readonly clock = this.sending.clock;
  readonly work = new InMemoryUnitOfWork();
  readonly broadcasts = new InMemoryBroadcastRepository();
  readonly shared = new RecordedSharedSends();
  readonly values = new ContactValues(this.audience.contacts, this.audience.properties);
  readonly members = new SegmentMembers(this.audience.segments, this.audience.contacts, {} as FilteredContacts);
  readonly check = new CheckBroadcast(
    this.sending.sender,
    new FindGroups(this.audience.segments, this.audience.topics),
    this.values,
    false,
  );
  readonly write = new Broadcasts(this.broadcasts, this.check, this.sending.sender, this.work, this.clock);
  readonly start = new StartBroadcasts(this.write, this.check, this.broadcasts, this.work, this.clock);
  readonly segmentId = this.audience.addSegment();
  readonly fields: RequestedBroadcast = {
    segmentId: this.segmentId,
    from: `Acme <news@${sendingDomain}>`,
    subject: 'News',
    html: '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a>',
  };

  get principal(): InMemorySending['principal'] {
    return this.sending.principal;
  }

  get sendShared(): SendShared {
    return this.shared as unknown as SendShared;
  }

  /** Returns the id of a draft. */
  draft(fields: RequestedBroadcast = {}): Promise<string> {
    return this.write.create(this.principal, { ...this.fields, ...fields });
  }

  async read(id: string): Promise<Broadcast> {
    const broadcast = await this.broadcasts.find(this.sending.teamId, id);
    if (broadcast === undefined) throw new Error(`There is no broadcast ${id}`);
    return broadcast;
  }
}
