import { Check, sources } from '../check.js';
import { flaw, good, listed, notMeasured, Verdict } from '../finding.js';
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
    ? good(`${own.length} of ${links.length} links lead to ${domain.site}, the domain of the sender.`)
    : flaw(
        'advice',
        `No link leads to ${domain.site}, but to ${listed(links.map(({ site }) => site))}.`,
        'Link to pages of your own domain, or turn click tracking on with a host of it.',
      );
});

const linkText = ofLinks('link_text', sources.gmail, (links) => {
  const misleading = links.filter(({ site, shownSite }) => shownSite !== null && shownSite !== site);
  const [first] = misleading;
  return first === undefined
    ? good('No link shows another address than the one that it leads to.')
    : flaw(
        'problem',
        `${misleading.length} of ${links.length} links show another domain: "${first.text.slice(0, 80)}" leads to ${first.host}.`,
        'Write words in place of the address. Click tracking makes such links of addresses that are shown.',
      );
});

const shorteners = new Set(
  (
    'bit.ly buff.ly cutt.ly goo.gl is.gd lnkd.in ow.ly rb.gy rebrand.ly s.id short.io shorturl.at t.co t.ly tiny.cc tinyurl.com ' +
    'tr.ee trib.al v.gd'
  ).split(' '),
);

const shortLinks = ofLinks('link_shorteners', sources.m3aawg, (links) => {
  const short = links.filter(({ site, host }) => shorteners.has(site) || shorteners.has(host));
  return short.length === 0
    ? good('No link hides its target behind a URL shortener.')
    : flaw('warning', `${urlsOf(short)} hide where they lead.`, 'Link to the page itself.');
});

const insecureLinks = ofLinks('link_https', sources.gmail, (links) => {
  const insecure = links.filter(({ url }) => /^http:/i.test(url));
  return insecure.length === 0
    ? good('All links are https.')
    : flaw(
        'warning',
        `${insecure.length} of ${links.length} links are not encrypted: ${urlsOf(insecure)}.`,
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
    return flaw('problem', `${urlsOf(addresses)} lead to an IP address.`, 'Give the host a name.');
  }
  const alike = links.filter(({ host }) => mixesScripts(host));
  return alike.length > 0
    ? flaw('problem', `${listed(alike.map(({ host }) => host))} mix letters of several scripts.`, 'Use another name.')
    : good('All links lead to hosts with ordinary names.');
});

const maxLinks = 100;

const linkCount = ofLinks('link_count', sources.m3aawg, (_, { message: { html } }) => {
  const count = html?.linkCount ?? 0;
  return count > maxLinks
    ? flaw('advice', `There are ${count} links.`, 'Leave out what few people follow.')
    : good(`There are ${count} links.`);
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
  if (askedLinks === null) return notMeasured('The links have not been asked for.');
  const { asked, left } = askedLinks;
  const unasked = left === 0 ? '' : ` ${left} more were not asked for.`;
  if (asked.length === 0) return notMeasured(`No link was asked for.${unasked}`);
  const dead = asked.filter(({ reply }) => isDead(reply));
  if (dead.length > 0) {
    const evidence = `${dead.length} of ${asked.length} links lead nowhere: ${repliesOf(dead)}.${unasked}`;
    return flaw('warning', evidence, 'Correct the addresses, or take the links out.');
  }
  const unclear = asked.filter(({ reply }) => !answers(reply));
  if (unclear.length === 0) return good(`All ${asked.length} links lead somewhere.${unasked}`);
  const evidence = `Of ${unclear.length} of ${asked.length} links it is not clear whether they work: ${repliesOf(unclear)}.${unasked}`;
  return flaw('advice', evidence, 'Open them in a browser.');
});

export const linkChecks = [linkDomains, linkText, shortLinks, insecureLinks, linkHosts, linkCount, deadLinks];
