import { AgentTool, ApiRefusalError, ApiReply, chosen, listOf, reads, ToolCaller } from './agent-tool.js';
import { itemsOf, nextOf, pageQuery } from './pages.js';
import { schemas } from './schemas.js';

const { idOf, page, text } = schemas;

const address = text('The address, without a name.', 320);

export const listContacts: AgentTool = {
  name: 'list_contacts',
  title: 'List contacts',
  description: 'The contacts of the team, newest first: all, those of a segment, or those that a search finds.',
  permission: 'audience:read',
  operations: ['listContacts'],
  hints: reads,
  input: {
    search: text('Beginning of an address, a first or a last name.', 320),
    segment_id: idOf('segment'),
    ...page,
  },
  async run(caller, input) {
    const query = pageQuery(input, ['search', 'segment_id']);
    const list = await caller.ask({ method: 'GET', path: '/contacts', query });
    const facts = (contact: ApiReply): object => chosen(contact, ['id', 'created_at', 'unsubscribed']);
    const names = (contact: ApiReply): object => chosen(contact, ['email', 'first_name', 'last_name']);
    return {
      facts: { contacts: itemsOf(list, (contact, n) => ({ n, ...facts(contact) })), next: nextOf(list) },
      untrusted: itemsOf(list, (contact, n) => ({ n, ...names(contact) })),
    };
  },
};

export const upsertContact: AgentTool = {
  name: 'upsert_contact',
  title: 'Add or update a contact',
  description:
    'Adds a contact, or sets the given fields of the one with this address. It can unsubscribe a contact, and never undo that.',
  permission: 'audience:write',
  operations: ['createContact'],
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    email: address,
    first_name: text('First name.', 255),
    last_name: text('Last name.', 255),
    unsubscribed: { const: true, description: 'The contact wants no broadcasts at all.' },
    properties: { type: 'object', maxProperties: 50, description: 'Values by the keys of contact properties.' },
    segments: { type: 'array', maxItems: 50, items: idOf('segment'), description: 'Segments to add it to.' },
  },
  required: ['email'],
  async run(caller, input) {
    const body = chosen(input, Object.keys(upsertContact.input));
    const { id } = await caller.ask({ method: 'POST', path: '/contacts', body });
    return { facts: { stored: true, id } };
  },
};

export const listSuppressions: AgentTool = {
  name: 'list_suppressions',
  title: 'List suppressed addresses',
  description: 'Addresses that get no mail, and why. With `email`: whether this one is among them.',
  permission: 'suppressions:read',
  operations: ['listSuppressions', 'getSuppression'],
  hints: reads,
  input: {
    email: address,
    origin: { type: 'string', enum: ['bounce', 'complaint', 'manual'], description: 'Only of this origin.' },
    ...page,
  },
  async run(caller, { email, ...input }) {
    const list =
      email === undefined
        ? await caller.ask({ method: 'GET', path: '/suppressions', query: pageQuery(input, ['origin']) })
        : { data: await suppressionOf(caller, email as string) };
    const facts = (one: ApiReply): object => chosen(one, ['id', 'origin', 'source_id', 'created_at']);
    return {
      facts: { suppressions: itemsOf(list, (one, n) => ({ n, ...facts(one) })), next: nextOf(list) },
      untrusted: itemsOf(list, (one, n) => ({ n, email: one.email })),
    };
  },
};

/** None or one: an address that is not suppressed is an answer too. */
async function suppressionOf(caller: ToolCaller, email: string): Promise<readonly ApiReply[]> {
  try {
    return [await caller.ask({ method: 'GET', path: `/suppressions/${encodeURIComponent(email)}` })];
  } catch (error) {
    if (error instanceof ApiRefusalError && error.status === 404) return [];
    throw error;
  }
}

export const search: AgentTool = {
  name: 'search',
  title: 'Search the team',
  description:
    'Finds contacts, broadcasts, templates, automations, segments, domains, inboxes and threads by name, with their ids.',
  permission: 'team:read',
  operations: ['search'],
  hints: reads,
  input: { query: text('The beginning of a name or an address, or a part of a name.', 200) },
  required: ['query'],
  async run(caller, { query }) {
    const { results } = await caller.ask({ method: 'GET', path: '/search', query: { q: query } });
    return {
      facts: {
        found: listOf(results).map(({ object, id, inbox_id }, at) => ({ n: at + 1, kind: object, id, inbox_id })),
      },
      untrusted: listOf(results).map(({ name, detail }, at) => ({ n: at + 1, name, detail })),
    };
  },
};
