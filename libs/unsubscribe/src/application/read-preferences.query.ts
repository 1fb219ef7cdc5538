import { Preferences } from '#audience';
import type { TopicPreference } from '#audience';
import { Injectable } from '@nestjs/common';
import { SenderProfile } from '../domain/sender-profile.js';
import { SenderProfiles, UnsubscribeLink, UnsubscribeTokens } from './ports/unsubscribing.port.js';

/** What the preference page of one link shows. */
export interface ShownPreferences {
  readonly link: UnsubscribeLink;
  readonly sender: SenderProfile;
  /** Wants no mail of the team except for what it asks for. */
  readonly unsubscribed: boolean;
  /** The topics that the recipient may choose from, by name. */
  readonly topics: readonly TopicPreference[];
  /** The topic of the email, if it still exists. */
  readonly topic: TopicPreference | undefined;
}

/** Reads what a recipient gets from a team. Changes nothing: programs that scan links follow them too. */
@Injectable()
export class ReadPreferences {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly preferences: Preferences,
    private readonly senders: SenderProfiles,
  ) {}

  /** Undefined if the link is not valid. */
  async of(token: string): Promise<ShownPreferences | undefined> {
    const link = this.tokens.read(token);
    if (link === undefined) return undefined;
    const [sender, { unsubscribed, topics }] = await Promise.all([
      this.senders.find(link.teamId),
      this.preferences.of(link.teamId, link.address, link.topicId),
    ]);
    if (sender === undefined) return undefined;
    return { link, sender, unsubscribed, topics, topic: topics.find(({ id }) => id === link.topicId) };
  }
}
