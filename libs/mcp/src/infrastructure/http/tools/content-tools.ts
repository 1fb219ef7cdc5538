import { AgentTool, awaitsPerson, chosen, listOf, reads } from './agent-tool.js';
import { contents, schemas } from './schemas.js';

const { addresses, idOf, text } = schemas;

export const getTemplate: AgentTool = {
  name: 'get_template',
  title: 'Get a template',
  description: 'A template: its state, sender, subject and variables. `search` finds templates.',
  permission: 'templates:read',
  operations: ['getTemplate'],
  hints: reads,
  input: { id: text('Id or alias of the template.', 256) },
  required: ['id'],
  async run(caller, { id }) {
    const template = await caller.ask({ method: 'GET', path: `/templates/${encodeURIComponent(String(id))}` });
    const shown = ['id', 'name', 'alias', 'status', 'published_at', 'from', 'subject', 'reply_to'];
    const variables = listOf(template.variables).map((variable) => chosen(variable, ['key', 'type', 'fallback_value']));
    return { facts: { ...chosen(template, shown), variables } };
  },
};

export const draftBroadcast: AgentTool = {
  name: 'draft_broadcast',
  title: 'Draft a broadcast',
  description:
    'Writes a broadcast to a segment as a draft, and sends nothing: a person reads it on the page Broadcasts of the dashboard ' +
    'and sends it. `search` finds segments.',
  permission: 'broadcasts:write',
  operations: ['createBroadcast'],
  hints: { ...reads, readOnlyHint: false, idempotentHint: false },
  input: {
    name: text('Its name, which only the team sees.', 256),
    segment_id: idOf('segment that it goes to'),
    topic_id: idOf('topic that contacts may have opted out of'),
    from: text('The sender, such as `Acme <news@acme.example>`.', 640),
    reply_to: addresses('Where answers go.'),
    preview_text: text('What inboxes show beside the subject.', 998),
    ...contents,
  },
  required: ['name', 'segment_id', 'from', 'subject'],
  async run(caller, input) {
    const body = chosen(input, Object.keys(draftBroadcast.input));
    const { id } = await caller.ask({ method: 'POST', path: '/broadcasts', body });
    return { facts: { sent: false, note: awaitsPerson, page: caller.page(`broadcasts/${String(id)}`), id } };
  },
};
