import { Check, sources } from '../check.js';
import { counted, flaw, good, listed, notMeasured, Verdict } from '../finding.js';
import { AskedLink, CheckedMessage, LinkFacts, LinkReply } from '../message-facts.js';

const noLinks = 'There are no links.';

/** A check of the links, if there are some. */
function ofLinks(
  id: string,
  source: Check['source'],
  of: (links: readonly LinkFacts[], checked: CheckedMessage) => Verdict,
): Check {
  return {
    id,
    source,
    of: (checked) => {
      const links = checked.message.html?.links ?? [];
      return links.length === 0 ? notMeasured(noLinks) : of(links, checked);
    },
  };
}

const urlsOf = (links: readonly LinkFacts[]): string => listed(links.map(({ url }) => url));

const linkDomains = ofLinks('link_domains', sources.m3aawg, (links, { domain }) => {
  const own = links.filter(({ site }) => site === domain.site);
  return own.length > 0
    ? good(`${own.length} of ${counted(links, 'link')} lead to ${domain.site}, the domain of the sender.`)
    : flaw(
        'advice',
        `No link leads to ${domain.site}. The links lead to ${listed(links.map(({ site }) => site))}.`,
        'Link to pages of your own domain, or track clicks with a host of it.',
      );
});

const linkText = ofLinks('link_text', sources.gmail, (links) => {
  const misleading = links.filter(({ site, shownSite }) => shownSite !== null && shownSite !== site);
  const [first] = misleading;
  return first === undefined
    ? good('Every link that shows an address opens that address.')
    : flaw(
        'problem',
        misleadingSentence(first, misleading.length),
        'Use words as the text of the link. Click tracking changes where a shown address leads.',
      );
});

function misleadingSentence({ text, host }: LinkFacts, count: number): string {
  const others = count === 1 ? '' : ` ${counted(count - 1, 'more link')} like it.`;
  return `The link text shows "${text.slice(0, 80)}", but the link opens ${host}.${others}`;
}

const shorteners = new Set(
  (
    'bit.ly buff.ly cutt.ly goo.gl is.gd lnkd.in ow.ly rb.gy rebrand.ly s.id short.io shorturl.at t.co t.ly tiny.cc tinyurl.com ' +
    'tr.ee trib.al v.gd'
  ).split(' '),
);

const shortLinks = ofLinks('link_shorteners', sources.m3aawg, (links) => {
  const short = links.filter(({ site, host }) => shorteners.has(site) || shorteners.has(host));
  return short.length === 0
    ? good('No link hides its destination behind a URL shortener.')
    : flaw(
        'warning',
        short.length === 1
          ? `This short link hides its destination: ${urlsOf(short)}.`
          : `These short links hide their destinations: ${urlsOf(short)}.`,
        'Link to the page itself.',
      );
});

const insecureLinks = ofLinks('link_https', sources.gmail, (links) => {
  const insecure = links.filter(({ url }) => /^http:/i.test(url));
  return insecure.length === 0
    ? good('All links use https.')
    : flaw(
        'warning',
        `${insecure.length} of ${counted(links, 'link')} ${insecure.length === 1 ? 'does' : 'do'} not use https: ${urlsOf(insecure)}.`,
        'Use https.',
      );
});

/** Letters of several scripts in one label, as in a Cyrillic "а" among Latin letters. */
function mixesScripts(host: string): boolean {
  return host.split('.').some((label) => {
    const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];
    return scripts.filter((script) => script.test(label)).length > 1;
  });
}

const linkHosts = ofLinks('link_hosts', sources.unicode, (links) => {
  const addresses = links.filter(({ isIpAddress }) => isIpAddress);
  if (addresses.length > 0) {
    return flaw('problem', `Links lead to an IP address: ${urlsOf(addresses)}.`, 'Give the host a name.');
  }
  const alike = links.filter(({ host }) => mixesScripts(host));
  return alike.length > 0
    ? flaw(
        'problem',
        `Hosts of links mix letters of several scripts: ${listed(alike.map(({ host }) => host))}.`,
        'Use another name.',
      )
    : good('All links lead to hosts with ordinary names.');
});

const maxLinks = 100;

const linkCount = ofLinks('link_count', sources.m3aawg, (_, { message: { html } }) => {
  const count = html?.linkCount ?? 0;
  return count > maxLinks
    ? flaw('advice', `The email has ${counted(count, 'link')}.`, 'Remove links that few people follow.')
    : good(`The email has ${counted(count, 'link')}.`);
});

const failures = {
  unknown_name: 'there is no such name',
  not_public: 'its address is not public',
  timeout: 'no response in time',
  unreachable: 'no connection',
  too_many_redirects: 'too many redirects',
};

const repliesOf = (links: readonly AskedLink[]): string =>
  links
    .slice(0, 3)
    .map(({ url, reply }) => `${listed([url])} (${'status' in reply ? reply.status : failures[reply.failure]})`)
    .join(', ') + (links.length > 3 ? ` and ${links.length - 3} more` : '');

/** Other refusals may be meant for programs alone: pages behind a sign-in, limits, protection against robots. */
const isDead = (reply: LinkReply): boolean =>
  'status' in reply ? reply.status === 404 || reply.status === 410 : reply.failure === 'unknown_name';

const answers = (reply: LinkReply): boolean => 'status' in reply && reply.status < 400;

const deadLinks = ofLinks('dead_links', sources.rfc(9110, '15.5.5', '404 Not Found'), (_, { askedLinks }) => {
  if (askedLinks === null) return notMeasured('The links have not been tested.');
  const { asked, left } = askedLinks;
  const unasked = left === 0 ? '' : ` ${counted(left, 'more link')} ${left === 1 ? 'was' : 'were'} not tested.`;
  if (asked.length === 0) return notMeasured(`No link was tested.${unasked}`);
  const dead = asked.filter(({ reply }) => isDead(reply));
  if (dead.length > 0) {
    const evidence = `${dead.length} of ${counted(asked, 'link')} ${dead.length === 1 ? 'is' : 'are'} broken: ${repliesOf(dead)}.${unasked}`;
    return flaw('warning', evidence, 'Correct the addresses, or remove the links.');
  }
  const unclear = asked.filter(({ reply }) => !answers(reply));
  if (unclear.length === 0)
    return good(`${asked.length === 1 ? 'The link works' : `All ${asked.length} links work`}.${unasked}`);
  const evidence = `${unclear.length} of ${counted(asked, 'link')} could not be tested: ${repliesOf(unclear)}.${unasked}`;
  return flaw('advice', evidence, 'Open them in a browser.');
});

export const linkChecks = [linkDomains, linkText, shortLinks, insecureLinks, linkHosts, linkCount, deadLinks];

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
