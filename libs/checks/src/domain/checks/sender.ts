import { Check, sources } from '../check.js';
import { flaw, good, notMeasured } from '../finding.js';
import { fieldOf } from '../message-facts.js';

const unanswered = /^(?:no|do-?not|dont)[._-]?reply/i;

const noReply: Check = {
  id: 'no_reply_sender',
  source: sources.m3aawg,
  of: ({ message }) => {
    const { address } = readableMailbox(fieldOf(message, 'reply-to') ?? fieldOf(message, 'from') ?? '');
    return unanswered.test(address)
      ? flaw('advice', `Replies go to ${address}.`, 'Use an address that someone reads, or set Reply-To to one.')
      : good(`Replies go to ${address}.`);
  },
};

const replyTo: Check = {
  id: 'reply_to_domain',
  source: sources.yahoo,
  of: ({ message, domain }) => {
    const field = fieldOf(message, 'reply-to');
    if (field === undefined) return good('Replies go to the sender.');
    const { host } = readableMailbox(field);
    return host === domain.site || host.endsWith(`.${domain.site}`)
      ? good(`Replies go to ${host}, the domain of the sender.`)
      : flaw('advice', `Replies go to ${host}, but the mail comes from ${domain.name}.`, 'Use one domain for both.');
  },
};

/** Endings by which a word with a dot is taken for an address, and not for a name such as "J.R. Smith" or "Node.js". */
const endings = /^(?:com|net|org|info|biz|edu|gov|mil|io|ai|app|dev|shop|online|xyz|example|test|[a-z]{2})$/;
const names = new Set(['js', 'ts', 'md', 'py']);

/** The domain of an address that a name shows; undefined if it shows none. */
function addressIn(name: string): string | undefined {
  for (const word of name
    .slice(0, 300)
    .toLowerCase()
    .split(/[^\p{L}\p{N}.@-]+/u)) {
    const host = word.slice(word.lastIndexOf('@') + 1);
    const ending = host.slice(host.lastIndexOf('.') + 1);
    const isHost = /^[\p{L}\p{N}-]{2,63}(?:\.[\p{L}\p{N}-]{2,63})+$/u.test(host);
    if (isHost && (word.includes('@') || (endings.test(ending) && !names.has(ending)))) return host;
  }
  return undefined;
}

const displayName: Check = {
  id: 'sender_name',
  source: sources.gmail,
  of: ({ message, domain }) => {
    const { name } = readableMailbox(fieldOf(message, 'from') ?? '');
    if (name === '') {
      return flaw('advice', 'The sender has no name.', 'Write the sender as "Acme <hello@acme.example>".');
    }
    const shown = addressIn(name);
    if (shown === undefined || shown === domain.site || shown.endsWith(`.${domain.site}`)) {
      return good(`The sender's name is "${name}".`);
    }
    return flaw(
      'warning',
      `The sender's name, "${name}", shows ${shown}, but the mail comes from ${domain.name}.`,
      'Leave other domains and addresses out of the name.',
    );
  },
};

const bulkSubdomain: Check = {
  id: 'bulk_subdomain',
  source: sources.m3aawg,
  of: ({ domain, isBulk }) => {
    if (!isBulk) return notMeasured('This is not bulk mail.');
    return domain.name === domain.site && !domain.isSandbox
      ? flaw(
          'advice',
          `Bulk mail comes from ${domain.name}, like all your other email.`,
          `Send it from a subdomain such as news.${domain.name}, so that complaints do not affect your other email.`,
        )
      : good(`Bulk mail comes from ${domain.name}.`);
  },
};

export const senderChecks = [noReply, replyTo, displayName, bulkSubdomain];

/** The first mailbox of a decoded address field, for people: invalid ones give what can be read. Linear time. */
function readableMailbox(field: string): { name: string; address: string; host: string } {
  const open = field.indexOf('<');
  const close = open === -1 ? -1 : field.indexOf('>', open);
  const address = (close === -1 ? field : field.slice(open + 1, close)).trim();
  const name = close === -1 ? '' : field.slice(0, open).replaceAll('"', '').trim();
  return { name, address, host: address.slice(address.lastIndexOf('@') + 1).toLowerCase() };
}
