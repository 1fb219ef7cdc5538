import { ContactValues, FindGroups } from '#audience';
import { AuthorizeSender, unsubscribeTags } from '#emails';
import type { Principal } from '#identity';
import { Mailbox, parseMailbox } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SegmentGoneError, TopicGoneError } from '../domain/broadcast-errors.js';
import { BroadcastFields } from '../domain/broadcast-fields.js';
import { checkTags, requireUnsubscribeLink } from '../domain/broadcast-tags.js';

/** Step before a broadcast begins: checks everything that would make it fail, or fail its recipients. Each refusal names the thing. */
@Injectable()
export class CheckBroadcast {
  constructor(
    private readonly sender: AuthorizeSender,
    private readonly groups: FindGroups,
    private readonly values: ContactValues,
  ) {}

  /** Returns the domain from which it is sent. */
  async execute(principal: Principal, broadcast: BroadcastFields): Promise<{ readonly domainId: string }> {
    principal.require('broadcasts:send');
    const { teamId } = principal;
    // A stored address has been parsed before.
    const { domainId } = await this.sender.authorize(principal, parseMailbox(broadcast.from) as Mailbox);
    await this.checkGroups(teamId, broadcast);
    requireUnsubscribeLink(broadcast, unsubscribeTags);
    await this.checkTags(teamId, broadcast);
    return { domainId };
  }

  /** Throws where the segment or the topic is not there. */
  async checkGroups(
    teamId: string,
    { segmentId, topicId }: Pick<BroadcastFields, 'segmentId' | 'topicId'>,
  ): Promise<void> {
    const [segment, topic] = await Promise.all([
      this.groups.segment(teamId, segmentId),
      topicId === null ? undefined : this.groups.topic(teamId, topicId),
    ]);
    if (segment === undefined) throw new SegmentGoneError(segmentId);
    if (topicId !== null && topic === undefined) throw new TopicGoneError(topicId);
  }

  /** Throws for tags that may have neither a value nor a fallback. */
  async checkTags(teamId: string, broadcast: BroadcastFields): Promise<void> {
    const properties = await this.values.propertiesOf(teamId);
    checkTags(broadcast, broadcast.options.test?.subjects ?? [], properties, unsubscribeTags);
  }
}
