/** What a category of refusals means, and what to do about it. */
export interface RefusalMeaning {
  readonly meaning: string;
  readonly fix: string;
}

const meanings: Readonly<Record<string, RefusalMeaning>> = {
  'bad-address': {
    meaning: 'The address does not exist, or accepts no mail.',
    fix: 'Nothing more is sent to it. Where there are many, ask where these addresses came from: an old list, a form without a check.',
  },
  'bad-sender': {
    meaning:
      "The host does not accept the sender's address: it finds no domain or no mailbox behind the return path, or has a rule against it.",
    fix: 'Check the records of the domain, above all those of its return path, and that mail to it is accepted. The recipients are not to blame: nobody is suppressed.',
  },
  'mailbox-full': {
    meaning: 'The mailbox is full.',
    fix: 'Nothing to do at once. A mailbox that stays full is abandoned: leave it out.',
  },
  'too-large': {
    meaning: 'The message is larger than the host accepts.',
    fix: 'Send a link instead of the attachment.',
  },
  content: {
    meaning: 'The host took the content for spam.',
    fix: 'Look at what these messages have in common, such as a link or a template, and at who had asked for them.',
  },
  attachment: {
    meaning: 'The host refuses the kind of an attachment.',
    fix: 'Send a link instead of the attachment.',
  },
  reputation: {
    meaning:
      'The host does not trust the sender: the address that it sends from, or the domain, is on a list or has a bad name there.',
    fix: 'Read the reply: it names the list or the page of the provider. Send less, to people who open your mail, until it recovers.',
  },
  policy: {
    meaning: 'A rule of the host forbids it, often because authentication is missing or fails.',
    fix: 'Check the records of the domain, then read the reply for the rule.',
  },
  greylisting: {
    meaning: 'The host asks unknown senders to come back a few minutes later.',
    fix: 'Nothing to do: the next attempt is usually accepted.',
  },
  rate: {
    meaning: 'The host wants fewer messages or connections for now.',
    fix: 'Nothing to do at once: the pace is lowered automatically. If it goes on, spread large mailings over a longer time.',
  },
  protocol: {
    meaning: 'The host and this server did not understand each other.',
    fix: 'Tell the operator of this service, with the reply.',
  },
  'our-fault': {
    meaning: 'The host refuses this server: its name, its address or its settings.',
    fix: 'Tell the operator of this service, with the reply.',
  },
  unreachable: {
    meaning: 'No mail host of the domain could be reached.',
    fix: 'Nothing to do at once: it is tried again. If it goes on, the domain of the recipient is out of order.',
  },
  unknown: { meaning: 'The reply says no reason that is known.', fix: 'Read the reply.' },
};

export function meaningOf(category: string): RefusalMeaning {
  return meanings[category] ?? (meanings.unknown as RefusalMeaning);
}

export const refusalCategories = Object.keys(meanings);
