import { AgentTool, ApiReply, chosen, listOf, reads } from './agent-tool.js';
import { itemsOf, nextOf, pageQuery } from './pages.js';
import { schemas } from './schemas.js';

const { idOf, page, text } = schemas;

const statuses =
  'queued scheduled sent delivered delivery_delayed bounced complained opened clicked failed suppressed canceled';
const maxRecipients = 10;
const maxAttempts = 3;
const maxEvents = 20;
const maxAddresses = 3;

export const listEmails: AgentTool = {
  name: 'list_emails',
  title: 'List sent emails',
  description: 'The emails of the team, newest first: all, or those that the filters find.',
  permission: 'emails:read',
  operations: ['listEmails'],
  hints: reads,
  input: {
    recipient: text('To this address.', 320),
    subject: text('Words that all occur in the subject.', 320),
    status: { type: 'string', enum: statuses.split(' '), description: 'What became of them.' },
    created_after: text('Accepted at or after this date or time.', 64),
    created_before: text('Accepted before this date or time.', 64),
    ...page,
  },
  async run(caller, input) {
    const filters = ['recipient', 'subject', 'status', 'created_after', 'created_before'];
    const list = await caller.ask({ method: 'GET', path: '/emails', query: pageQuery(input, filters) });
    return {
      facts: { emails: itemsOf(list, (email, n) => ({ n, ...stateOf(email) })), next: nextOf(list) },
      untrusted: itemsOf(list, (email, n) => ({ n, ...envelopeOf(email) })),
    };
  },
};

export const getEmail: AgentTool = {
  name: 'get_email',
  title: 'Explain an email',
  description:
    'What became of a sent email, and why: for each recipient the state, the last attempts with the replies of the hosts, ' +
    'bounces and complaints, and what it waits for.',
  permission: 'emails:read',
  operations: ['listEmails', 'getEmailTrace'],
  hints: reads,
  input: { id: idOf('email') },
  required: ['id'],
  async run(caller, { id }) {
    // The list has an email without its content, which may be 40 MB.
    const list = await caller.ask({ method: 'GET', path: '/emails', query: { q: id, limit: 1 } });
    const trace = await caller.ask({ method: 'GET', path: `/emails/${String(id)}/trace` });
    const email = listOf(list.data).find((one) => one.id === id) ?? {};
    const recipients = listOf(trace.recipients);
    return {
      facts: {
        id,
        ...stateOf(email),
        events: listOf(trace.events)
          .slice(-maxEvents)
          .map((event) => chosen(event, ['type', 'created_at'])),
        recipients: recipients.slice(0, maxRecipients).map((recipient, at) => ({ n: at + 1, ...fateOf(recipient) })),
        more_recipients: recipients.length > maxRecipients ? recipients.length - maxRecipients : null,
      },
      untrusted: {
        ...envelopeOf(email),
        recipients: recipients
          .slice(0, maxRecipients)
          .map((recipient, at) => ({ n: at + 1, ...wordsAbout(recipient) })),
      },
    };
  },
};

export const cancelEmail: AgentTool = {
  name: 'cancel_email',
  title: 'Cancel a scheduled email',
  description: 'Cancels an email that is scheduled and not yet sent.',
  permission: 'emails:write',
  operations: ['cancelEmail'],
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: { id: idOf('email') },
  required: ['id'],
  async run(caller, { id }) {
    await caller.ask({ method: 'POST', path: `/emails/${String(id)}/cancel` });
    return { facts: { canceled: true, id } };
  },
};

function stateOf(email: ApiReply): object {
  return { id: email.id, status: email.last_event, created_at: email.created_at, scheduled_at: email.scheduled_at };
}

function envelopeOf(email: ApiReply): object {
  const to = (email.to ?? []) as readonly string[];
  return {
    subject: email.subject,
    from: email.from,
    to: to.slice(0, maxAddresses),
    more_recipients: to.length > maxAddresses ? to.length - maxAddresses : null,
  };
}

/** What we say of a recipient. */
function fateOf(recipient: ApiReply): object {
  return {
    ...chosen(recipient, ['status', 'next_attempt_at']),
    waits_for: recipient.held_by === null ? null : chosen(recipient.held_by as ApiReply, ['kind', 'until']),
    attempts: lastOf(recipient.attempts).map(({ reply, ...attempt }) => ({
      ...chosen(attempt, ['attempt', 'started_at', 'outcome', 'outcome_unknown', 'category']),
      ...chosen((reply ?? {}) as ApiReply, ['code', 'enhanced_code']),
    })),
    reports: lastOf(recipient.reports).map((report) => chosen(report, ['received_at', 'kind', 'category', 'effect'])),
  };
}

/** What receiving hosts say of it, and what repeats their names or words. */
function wordsAbout(recipient: ApiReply): object {
  return {
    recipient: recipient.recipient,
    waits_for: (recipient.held_by as ApiReply | null)?.reason,
    attempts: lastOf(recipient.attempts).map(({ attempt, host, reason, reply }) => ({
      attempt,
      host,
      reason,
      reply: (reply as ApiReply | null)?.text,
    })),
    reports: lastOf(recipient.reports).map((report) => chosen(report, ['reporter', 'action', 'status', 'diagnostic'])),
  };
}

const lastOf = (list: unknown): readonly ApiReply[] => listOf(list).slice(-maxAttempts);
