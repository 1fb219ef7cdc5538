import { ChangeConsent, Preferences } from '#audience';
import type { TopicChoice } from '#audience';
import { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { UnsubscribeLink, UnsubscribeTokens } from './ports/unsubscribing.port.js';

/** `link`: a person chose it on the page. `one-click`: a mail program or a mail did it for them (RFC 8058, RFC 2369). */
export type UnsubscribeSource = 'link' | 'one-click';

/** Carries out what a recipient chose by a link. Whoever has the link acts for its address, and for nobody else. */
@Injectable()
export class ChangePreferences {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly preferences: Preferences,
    private readonly changeConsent: ChangeConsent,
  ) {}

  /** From the topic of the email, or from all mail if it has none. Does nothing for a topic that was deleted. */
  async unsubscribe(token: string, source: UnsubscribeSource): Promise<void> {
    const link = this.linkOf(token);
    const { topicId } = link;
    if (topicId === null) return this.change(link, { unsubscribed: true }, source);
    if (await this.has(link, topicId))
      await this.change(link, { topics: [{ topicId, subscription: 'opt_out' }] }, source);
  }

  async unsubscribeFromAll(token: string): Promise<void> {
    return this.change(this.linkOf(token), { unsubscribed: true }, 'link');
  }

  /** Takes back both: the refusal of all mail, and that of the topic of the email. */
  async resubscribe(token: string): Promise<void> {
    const link = this.linkOf(token);
    const { topicId } = link;
    const topics: TopicChoice[] =
      topicId !== null && (await this.has(link, topicId)) ? [{ topicId, subscription: 'opt_in' }] : [];
    await this.change(link, { unsubscribed: false, topics }, 'link');
  }

  /**
   * The recipient wants the `chosen` topics of those that it was `shown`, and not the others. Ids of other topics are
   * ignored. Choosing one means wanting mail again.
   */
  async choose(token: string, shown: ReadonlySet<string>, chosen: ReadonlySet<string>): Promise<void> {
    const link = this.linkOf(token);
    const { unsubscribed, topics } = await this.preferences.of(link.teamId, link.address, link.topicId);
    const offered = topics.filter(({ id }) => shown.has(id));
    const changed = offered
      .map(({ id, subscription }) => ({
        topicId: id,
        subscription: chosen.has(id) ? ('opt_in' as const) : ('opt_out' as const),
        before: subscription,
      }))
      .filter(({ subscription, before }) => subscription !== before || unsubscribed)
      .map(({ topicId, subscription }): TopicChoice => ({ topicId, subscription }));
    const wantsMail = offered.some(({ id }) => chosen.has(id));
    if (changed.length === 0) return;
    await this.change(link, { topics: changed, ...(unsubscribed && wantsMail ? { unsubscribed: false } : {}) }, 'link');
  }

  private linkOf(token: string): UnsubscribeLink {
    const link = this.tokens.read(token);
    if (link === undefined) throw new NotFoundError('Link');
    return link;
  }

  private async has(link: UnsubscribeLink, topicId: string): Promise<boolean> {
    const { topics } = await this.preferences.of(link.teamId, link.address, topicId);
    return topics.some(({ id }) => id === topicId);
  }

  private async change(
    { teamId, address, emailId }: UnsubscribeLink,
    change: { readonly unsubscribed?: boolean; readonly topics?: readonly TopicChoice[] },
    source: UnsubscribeSource,
  ): Promise<void> {
    await this.changeConsent.change(Principal.ofService(teamId), {
      address,
      ...change,
      ...(emailId === undefined ? {} : { emailId }),
      source,
    });
  }
}
