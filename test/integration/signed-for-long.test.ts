import { describe, expect, it } from '@jest/globals';
import { MailDepth } from '#emails';
import { newId } from '#kernel';
import { readConfig } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import type { FastifyRequest } from 'fastify';
import { SignedReturnPaths } from '../../libs/delivery/src/infrastructure/return-path/signed-return-paths.js';
import { SignedLinks } from '../../libs/emails/src/infrastructure/http/signed-links.js';
import { InboxToken } from '../../libs/sandbox/src/infrastructure/http/inbox-token.js';
import { SignedTrackingTokens } from '../../libs/tracking/src/infrastructure/tokens/signed-tracking-tokens.js';
import { SignedUnsubscribeTokens } from '../../libs/unsubscribe/src/infrastructure/tokens/signed-unsubscribe-tokens.js';
import { FakeClock } from '../support/fakes/fake-clock.js';

/** `SecretBox` lists what is signed. Each of these is tested here. */
const earlier = new SecretBox('ab'.repeat(32));
const rotated = new SecretBox('cd'.repeat(32), ['ab'.repeat(32)]);
const forgotten = new SecretBox('cd'.repeat(32));
const recipient = { emailId: newId(), recipientNo: 3 };
const host = 'links.acme.test';

const links = (secrets: SecretBox): SignedLinks =>
  new SignedLinks(secrets, readConfig({ PUBLIC_URL: 'https://api.acme.test' }), new FakeClock());

function linkIsGood(secrets: SecretBox, url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  try {
    links(secrets).verify(pathname, Object.fromEntries(searchParams));
    return true;
  } catch {
    return false;
  }
}

const request = {} as FastifyRequest;
const kinds: readonly [string, (signer: SecretBox, reader: SecretBox) => boolean][] = [
  [
    'a return path',
    (signer, reader) => {
      const address = new SignedReturnPaths(signer).of(recipient, 'send.acme.test');
      return new SignedReturnPaths(reader).ownerOf(address)?.emailId === recipient.emailId;
    },
  ],
  [
    'a tracked link',
    (signer, reader) => {
      const token = new SignedTrackingTokens(signer).link({ ...recipient, url: 'https://acme.test/' }, host);
      return new SignedTrackingTokens(reader).readLink(token, host)?.url === 'https://acme.test/';
    },
  ],
  [
    'a pixel',
    (signer, reader) => {
      const token = new SignedTrackingTokens(signer).pixel(recipient, host);
      return new SignedTrackingTokens(reader).readPixel(token, host) !== undefined;
    },
  ],
  [
    'a link to an attachment',
    (signer, reader) => linkIsGood(reader, links(signer).attachment(request, newId(), newId()).url),
  ],
  [
    'a link to a shared email',
    (signer, reader) => linkIsGood(reader, links(signer).email(request, newId(), 48 * 3_600_000).url),
  ],
  [
    'a link to unsubscribe',
    (signer, reader) => {
      const link = { teamId: newId(), topicId: newId(), address: 'ada@sink.test' };
      const token = new SignedUnsubscribeTokens(signer).of(link);
      return new SignedUnsubscribeTokens(reader).read(token)?.address === link.address;
    },
  ],
  [
    'an address to unsubscribe',
    (signer, reader) => {
      const teamId = newId();
      const mailbox = new SignedUnsubscribeTokens(signer).mailboxOf(teamId);
      return new SignedUnsubscribeTokens(reader).teamOf(mailbox) === teamId;
    },
  ],
  [
    'the depth of automatic mail',
    (signer, reader) => new MailDepth(reader).read(new MailDepth(signer).valueOf(3)) === 3,
  ],
  [
    "the link to the sandbox's inbox",
    (signer, reader) => new InboxToken(reader).accepts(new InboxToken(signer).token()),
  ],
];

describe('signed with the previous SECRET_KEY', () => {
  it.each(kinds)('%s is accepted until that key is removed', (_, isAccepted) => {
    expect(isAccepted(earlier, rotated)).toBe(true);
    expect(isAccepted(rotated, forgotten)).toBe(true);
    expect(isAccepted(earlier, forgotten)).toBe(false);
  });
});
