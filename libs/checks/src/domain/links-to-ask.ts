import { LinkFacts } from './message-facts.js';

/** Whether following a link may unsubscribe its reader, or leads to where that is chosen. */
export function leadsToUnsubscribing({ url, text }: Pick<LinkFacts, 'url' | 'text'>): boolean {
  return /unsubscri|preferences|abmelde|配信停止/i.test(`${text.slice(0, 200)} ${url}`);
}

interface Left {
  /** Host of tracked links and of links to unsubscribe. */
  readonly trackingHost: string | undefined;
  /** The List-Unsubscribe field. */
  readonly unsubscribe: string | undefined;
}

/**
 * The addresses to ask, each once and without its fragment. Links to unsubscribe and tracked ones are left out: asking
 * for them could change something, and would count as a visit.
 */
export function linksToAsk(links: readonly LinkFacts[], { trackingHost, unsubscribe = '' }: Left): string[] {
  const offered: readonly string[] = unsubscribe.match(/<https?:[^<>]{1,2000}>/gi) ?? [];
  const urls = links.flatMap((link) => {
    if (leadsToUnsubscribing(link) || link.url.includes('{{') || offered.includes(`<${link.url}>`)) return [];
    const url = new URL(link.url);
    if (url.hostname === trackingHost) return [];
    url.hash = '';
    return url.href;
  });
  return [...new Set(urls)];
}
