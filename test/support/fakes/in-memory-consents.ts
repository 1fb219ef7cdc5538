import { ChangeConsent, ConsentChange, Preferences, TopicPreference } from '#audience';
import type { Principal } from '#identity';
import { UnsubscribeLink } from '../../../libs/unsubscribe/src/application/ports/unsubscribing.port.js';

/** What one recipient wants, with tokens that anybody can read: the link as JSON. */
export class InMemoryConsents {
  unsubscribed = false;
  topics: TopicPreference[] = [];
  readonly changes: (ConsentChange & { readonly teamId: string })[] = [];

  readonly tokens = {
    of: (link: UnsubscribeLink) => JSON.stringify(link),
    read: (token: string) => (token.startsWith('{') ? (JSON.parse(token) as UnsubscribeLink) : undefined),
    mailboxOf: (teamId: string) => `unsubscribe+${teamId}`,
    teamOf: (local: string) => (local.startsWith('unsubscribe+') ? local.slice('unsubscribe+'.length) : undefined),
  };

  readonly preferences = {
    of: async () => ({ unsubscribed: this.unsubscribed, topics: this.topics }),
  } as unknown as Preferences;

  readonly changeConsent = {
    change: async ({ teamId }: Principal, change: ConsentChange) => {
      this.changes.push({ teamId, ...change });
      this.unsubscribed = change.unsubscribed ?? this.unsubscribed;
      for (const { topicId, subscription } of change.topics ?? []) {
        this.topics = this.topics.map((topic) => (topic.id === topicId ? { ...topic, subscription } : topic));
      }
      return 'contact';
    },
  } as unknown as ChangeConsent;

  addTopic(id: string, subscription: TopicPreference['subscription']): void {
    this.topics.push({ id, name: id, description: null, subscription });
  }
}
