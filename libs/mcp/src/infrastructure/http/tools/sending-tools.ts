import { createHash } from 'node:crypto';
import { timeOfId } from '#kernel';
import type { ToolAnswer } from '../../../domain/tool-answer.js';
import { AgentTool, ApiReply, awaitsPerson, chosen, listOf, reads, ToolArguments, ToolCaller } from './agent-tool.js';
import { contents, schemas } from './schemas.js';

const { addresses, idOf, text } = schemas;

const email = {
  from: text('The sender, such as `Acme <hello@acme.example>`: an address at a verified domain.', 640),
  to: addresses('The recipients.'),
  cc: addresses('Recipients of a copy.'),
  bcc: addresses('Recipients whom the others do not see.'),
  reply_to: addresses('Where answers go.'),
  ...contents,
  template: {
    type: 'object',
    description: 'A published template in place of `text` and `html`.',
    properties: {
      id: text('Its id or alias.', 256),
      variables: { type: 'object', maxProperties: 100, description: 'Values by the keys of its variables.' },
    },
    required: ['id'],
    additionalProperties: false,
  },
  scheduled_at: text('When to send: ISO 8601, or such as `tomorrow at 9am Europe/Berlin`. Default: now.', 50),
  topic_id: idOf('topic that recipients may have opted out of'),
} as const;
const fields = Object.keys(email);

const repeated =
  'This very email had been sent before, under this id, and was not sent again. To send it once more, give another `idempotency_key`.';

/** The interval within which the clocks of processes agree. */
const clockMs = 1_000;

export const sendEmail: AgentTool = {
  name: 'send_email',
  title: 'Send an email',
  description:
    'Tries an email, and sends it only with `confirm: true`. First call it without `confirm`: it answers who would get the ' +
    'email and what speaks against its delivery, and sends nothing. Show that to your user, then call it again with the same ' +
    'arguments and `confirm: true`. Repeating a call within 24 hours does not send the email again.',
  permission: 'emails:send',
  operations: ['dryRunEmail', 'sendEmail'],
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: {
    ...email,
    confirm: { type: 'boolean', description: 'Whether to send it. Default: false.' },
    idempotency_key: text('For an email that equals an earlier one and shall be sent all the same: a new name.', 200),
  },
  required: ['to'],
  async run(caller, input) {
    if (input.confirm !== true) return triedEmail(caller, input);
    const begunAt = Date.now();
    const body = chosen(input, fields);
    const reply = await caller.ask({ method: 'POST', path: '/emails', body, idempotencyKey: keyOf(caller, input) });
    const isRepeated = timeOfId(String(reply.id)).getTime() < begunAt - clockMs;
    return { facts: isRepeated ? { sent: false, note: repeated, id: reply.id } : { sent: true, id: reply.id } };
  },
};

export const checkEmail: AgentTool = {
  name: 'check_email',
  title: 'Check an email',
  description:
    'Says what sending an email would do, and sends nothing: who would get it and who would not, and what speaks against its ' +
    'delivery, with evidence and what to do.',
  permission: 'emails:send',
  operations: ['dryRunEmail'],
  hints: reads,
  input: email,
  required: ['to'],
  run: (caller, input) => triedEmail(caller, input),
};

export const draftEmail: AgentTool = {
  name: 'draft_email',
  title: 'Draft an email',
  description:
    'Writes an email as a draft of an inbox and sends nothing: a person reads it on the page Inboxes of the dashboard and ' +
    'sends it. `search` finds inboxes.',
  permission: 'emails:write',
  operations: ['createInboxDraft'],
  hints: { ...reads, readOnlyHint: false },
  input: {
    inbox: text('Id or address of the inbox, which is the sender.', 320),
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    ...contents,
    reply_to_email_id: idOf('email of this inbox that it answers'),
  },
  required: ['inbox'],
  async run(caller, input) {
    const draft = await caller.ask({
      method: 'POST',
      path: `/inboxes/${encodeURIComponent(String(input.inbox))}/drafts`,
      body: chosen(input, ['to', 'cc', 'bcc', 'subject', 'text', 'html', 'reply_to_email_id']),
      idempotencyKey: keyOf(caller, input),
    });
    return { facts: { sent: false, note: awaitsPerson, page: caller.page('inboxes'), id: draft.id } };
  },
};

async function triedEmail(caller: ToolCaller, input: ToolArguments): Promise<ToolAnswer> {
  const run = await caller.ask({ method: 'POST', path: '/emails/dry-run', body: chosen(input, fields) });
  return {
    facts: {
      sent: false,
      note: 'Nothing was sent. `send_email` with the same arguments and `confirm: true` sends it.',
      from: run.from,
      subject: run.subject,
      scheduled_at: run.scheduled_at,
      size: run.size,
      recipients: listOf(run.recipients).map((recipient) =>
        chosen(recipient, ['address', 'kind', 'would_send', 'withheld_reason']),
      ),
      summary: run.summary,
      findings: listOf(run.findings)
        .filter(isAgainst)
        .map((finding) => chosen(finding, ['id', 'status', 'evidence', 'fix'])),
    },
  };
}

function isAgainst({ status }: ApiReply): boolean {
  return status === 'problem' || status === 'warning';
}

/** The one that was given, or one that follows from the arguments: a client that repeats a call sends nothing twice. */
function keyOf({ name }: ToolCaller, input: ToolArguments): string {
  const { confirm: _, idempotency_key: given, ...said } = input;
  const hash = createHash('sha256').update(JSON.stringify([name, given, said]));
  return `mcp/${hash.digest('base64url')}`;
}
