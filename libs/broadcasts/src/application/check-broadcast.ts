import { ContactValues, FindGroups } from '#audience';
import { AuthorizeSender, unsubscribeTags } from '#emails';
import type { Principal } from '#identity';
import { Mailbox, parseMailbox, ValidationError } from '#kernel';
import { NoUnsubscribeLinkError, SegmentGoneError, TopicGoneError } from '../domain/broadcast-errors.js';
import { BroadcastFields } from '../domain/broadcast-fields.js';
import { checkTags } from '../domain/broadcast-tags.js';
import { hasUnsubscribeLink } from '../domain/sent-content.js';

/**
 * Checks a broadcast before it starts for everything that would make it, or single emails of it, fail. Each refusal
 * names the cause.
 */
export class CheckBroadcast {
  constructor(
    private readonly sender: AuthorizeSender,
    private readonly find: FindGroups,
    private readonly values: ContactValues,
    /** If not, content without a link gets one: see `withUnsubscribeFooter`. */
    private readonly requiresUnsubscribeLink: boolean,
  ) {}

  /** Returns the domain from which it is sent. */
  async whole(principal: Principal, broadcast: BroadcastFields): Promise<{ readonly domainId: string }> {
    principal.require('broadcasts:send');
    const { teamId } = principal;
    if (broadcast.html === null && broadcast.text === null) {
      throw new ValidationError('Missing `html` or `text` field.');
    }
    // A stored address has been parsed before.
    const { domainId } = await this.sender.authorize(principal, parseMailbox(broadcast.from) as Mailbox);
    await this.groups(teamId, broadcast);
    if (this.requiresUnsubscribeLink && !hasUnsubscribeLink(broadcast, unsubscribeTags)) {
      throw new NoUnsubscribeLinkError(broadcast.html === null ? 'text' : 'html');
    }
    await this.tags(teamId, broadcast);
    return { domainId };
  }

  /** Throws if the segment or the topic does not exist. */
  async groups(teamId: string, { segmentId, topicId }: Pick<BroadcastFields, 'segmentId' | 'topicId'>): Promise<void> {
    const [segment, topic] = await Promise.all([
      this.find.segment(teamId, segmentId),
      topicId === null ? undefined : this.find.topic(teamId, topicId),
    ]);
    if (segment === undefined) throw new SegmentGoneError(segmentId);
    if (topicId !== null && topic === undefined) throw new TopicGoneError(topicId);
  }

  /** Throws for tags that may have neither a value nor a fallback. */
  async tags(teamId: string, broadcast: BroadcastFields): Promise<void> {
    const properties = await this.values.propertiesOf(teamId);
    checkTags(broadcast, broadcast.options.test?.subjects ?? [], properties, unsubscribeTags);
  }
}
