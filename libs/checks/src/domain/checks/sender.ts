import { readableMailbox } from '../readable-mailbox.js';
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
      ? flaw('advice', `Answers go to ${address}.`, 'Use an address that somebody reads, or set Reply-To to one.')
      : good(`Answers go to ${address}.`);
  },
};

const replyTo: Check = {
  id: 'reply_to_domain',
  source: sources.yahoo,
  of: ({ message, domain }) => {
    const field = fieldOf(message, 'reply-to');
    if (field === undefined) return good('Answers go to the sender.');
    const { host } = readableMailbox(field);
    return host === domain.site || host.endsWith(`.${domain.site}`)
      ? good(`Answers go to ${host}, the domain of the sender.`)
      : flaw('advice', `Answers go to ${host}, and the mail comes from ${domain.name}.`, 'Use one domain for both.');
  },
};

const displayName: Check = {
  id: 'sender_name',
  source: sources.gmail,
  of: ({ message, domain }) => {
    const { name } = readableMailbox(fieldOf(message, 'from') ?? '');
    if (name === '') {
      return flaw('advice', 'The sender has no name.', 'Write the sender as "Acme <hello@acme.example>".');
    }
    const shown = /([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,20})/i
      .exec(name.slice(0, 300))?.[1]
      ?.toLowerCase();
    if (shown === undefined || shown === domain.site || shown.endsWith(`.${domain.site}`)) {
      return good(`The name of the sender is "${name}".`);
    }
    return flaw(
      'warning',
      `The name of the sender, "${name}", shows ${shown}, and the mail comes from ${domain.name}.`,
      'Leave other domains and addresses out of the name.',
    );
  },
};

const bulkSubdomain: Check = {
  id: 'bulk_subdomain',
  source: sources.m3aawg,
  of: ({ domain, isBulk }) => {
    if (!isBulk) return notMeasured('This is no bulk mail.');
    return domain.name === domain.site && !domain.isSandbox
      ? flaw(
          'advice',
          `Bulk mail comes from ${domain.name}, like all other mail of the organization.`,
          `Send it from a subdomain, such as news.${domain.name}, so that complaints do not count for other mail.`,
        )
      : good(`Bulk mail comes from ${domain.name}.`);
  },
};

export const senderChecks = [noReply, replyTo, displayName, bulkSubdomain];
