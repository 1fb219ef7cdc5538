import { createHash } from 'node:crypto';
import { Notice } from '#kernel';
import { Config, type NoticeTarget } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { NoticePosts } from '../../application/ports/notice-posts.port.js';

const timeoutMs = 10_000;
/** Characters of a message in each chat, less some for the marks. */
const maxSlack = 30_000;
const maxDiscord = 1_900;

/** Posts to URLs of the configuration, which may lead to a server in the own network. */
@Injectable()
export class HttpNoticePosts extends NoticePosts {
  readonly names: readonly string[];
  private readonly targets: ReadonlyMap<string, NoticeTarget>;

  constructor(config: Config) {
    super();
    this.targets = new Map(config.values.noticesUrls.map((target) => [nameOf(target), target]));
    this.names = [...this.targets.keys()];
  }

  async post(name: string, notice: Notice): Promise<void> {
    const target = this.targets.get(name);
    if (target === undefined) return;
    const response = await fetch(target.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Postrider' },
      body: JSON.stringify(bodyOf(target, notice)),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`${new URL(target.url).host} responded with ${response.status}`);
  }
}

/** The path of such a URL is a secret. */
function nameOf({ url }: NoticeTarget): string {
  return `url ${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;
}

/** A text cannot mention anybody, and has no markup but our own. */
function bodyOf({ format }: NoticeTarget, { subject, text }: Notice): object {
  if (format === 'json') return { type: 'notice', subject, text };
  if (format === 'discord') {
    return { content: `**${subject}**\n${text}`.slice(0, maxDiscord).toWellFormed(), allowed_mentions: { parse: [] } };
  }
  const escaped = `*${subject}*\n${text}`
    .slice(0, maxSlack)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return { text: escaped.toWellFormed() };
}
