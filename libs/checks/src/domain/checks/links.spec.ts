import { expect, it } from '@jest/globals';
import type { Verdict } from '../finding.js';
import type { AskedLinks, CheckedMessage, LinkFacts, LinkReply } from '../message-facts.js';
import { linkChecks, linksToAsk } from './links.js';

const link = (url: string, text = 'More'): LinkFacts => ({ url, text }) as LinkFacts;
const nothing = { trackingHost: undefined, unsubscribe: undefined };

it('asks for each address once, without its fragment', () => {
  const links = [link('https://a.test/x#top'), link('https://a.test/x'), link('https://a.test/y?q=1')];
  expect(linksToAsk(links, nothing)).toEqual(['https://a.test/x', 'https://a.test/y?q=1']);
});

it('leaves out what may unsubscribe somebody, tracked links and placeholders', () => {
  const links = [
    link('https://a.test/out/1', 'Unsubscribe'),
    link('https://mail.service.test/unsubscribe/token'),
    link('https://a.test/out/2'),
    link('https://links.acme.test/c/token'),
    link('https://a.test/{{id}}'),
    link('https://a.test/'),
  ];
  const left = { trackingHost: 'links.acme.test', unsubscribe: '<mailto:u@a.test>, <https://a.test/out/2>' };
  expect(linksToAsk(links, left)).toEqual(['https://a.test/']);
});

function verdictOf(askedLinks: AskedLinks | null): Verdict | undefined {
  const checked = { message: { html: { links: [link('https://a.test/')] } }, askedLinks } as unknown as CheckedMessage;
  return linkChecks.find(({ id }) => id === 'dead_links')?.of(checked);
}

const replies = (...given: readonly LinkReply[]): AskedLinks => ({
  asked: given.map((reply, no) => ({ url: `https://a.test/${no}`, reply })),
  left: 0,
});

it.each<[LinkReply, Verdict['status']]>([
  [{ status: 200 }, 'good'],
  [{ status: 304 }, 'good'],
  [{ status: 404 }, 'warning'],
  [{ status: 410 }, 'warning'],
  [{ failure: 'unknown_name' }, 'warning'],
  [{ status: 401 }, 'advice'],
  [{ status: 403 }, 'advice'],
  [{ status: 429 }, 'advice'],
  [{ status: 503 }, 'advice'],
  [{ failure: 'timeout' }, 'advice'],
  [{ failure: 'not_public' }, 'advice'],
])('judges %j as %s', (reply, status) => {
  expect(verdictOf(replies({ status: 200 }, reply))?.status).toBe(status);
});

it('names what leads nowhere before what is not clear, and says what was not asked for', () => {
  const given = replies({ failure: 'timeout' }, { status: 404 }, { failure: 'unknown_name' });
  expect(verdictOf({ ...given, left: 7 })?.evidence).toBe(
    '2 of 3 links are broken: "https://a.test/1" (404), "https://a.test/2" (there is no such name). 7 more links were not tested.',
  );
  expect(verdictOf(null)?.status).toBe('not_measured');
  expect(verdictOf({ asked: [], left: 3 })).toEqual({
    status: 'not_measured',
    evidence: 'No link was tested. 3 more links were not tested.',
  });
});
