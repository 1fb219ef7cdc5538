import type { Permission, Principal } from '#identity';
import type { Tool } from '@modelcontextprotocol/server';
import type { AgentTool } from './agent-tool.js';
import { draftBroadcast, getTemplate } from './content-tools.js';
import { getDomain, getMetrics, listDomains } from './domain-tools.js';
import { cancelEmail, getEmail, listEmails } from './email-tools.js';
import { listContacts, listSuppressions, search, upsertContact } from './people-tools.js';
import { listReceivedEmails, readReceivedEmail } from './received-tools.js';
import { checkEmail, draftEmail, sendEmail } from './sending-tools.js';

/** The tools behind one path. */
export class ToolSet {
  private readonly byName: ReadonlyMap<string, AgentTool>;
  private readonly listed: ReadonlyMap<AgentTool, Tool>;

  constructor(
    readonly path: string,
    readonly tools: readonly AgentTool[],
  ) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.listed = new Map(tools.map((tool) => [tool, listedTool(tool)]));
  }

  /** What a grant needs for all of them. */
  get permissions(): readonly Permission[] {
    return [...new Set(this.tools.map(({ permission }) => permission))].sort();
  }

  find(name: string): AgentTool | undefined {
    return this.byName.get(name);
  }

  /** Those for which the caller has the permission. Whatever is called is checked by the operation itself. */
  listFor(principal: Pick<Principal, 'may'>): Tool[] {
    return [...this.listed].filter(([{ permission }]) => principal.may(permission)).map(([, tool]) => tool);
  }

  /** The same object each time: what is made of it is kept. */
  schemaOf(tool: AgentTool): Tool['inputSchema'] | undefined {
    return this.listed.get(tool)?.inputSchema;
  }
}

/**
 * What an agent needs to send, look up and explain. Few, because each of them is in the context of every agent: for
 * everything else there is the API.
 */
const all: readonly AgentTool[] = [
  sendEmail,
  checkEmail,
  draftEmail,
  cancelEmail,
  listEmails,
  getEmail,
  listReceivedEmails,
  readReceivedEmail,
  listDomains,
  getDomain,
  getMetrics,
  search,
  listContacts,
  upsertContact,
  listSuppressions,
  getTemplate,
  draftBroadcast,
];

/** A contact that is added may start an automation, which sends. */
const beyondDrafts: ReadonlySet<AgentTool> = new Set([sendEmail, checkEmail, cancelEmail, upsertContact]);

/**
 * At the second path an agent gets no permission to send, because its client asks the user only for those of its tools: it
 * writes drafts, and a person sends them.
 */
export const toolSets: readonly ToolSet[] = [
  new ToolSet('/mcp', all),
  new ToolSet(
    '/mcp/drafts',
    all.filter((tool) => !beyondDrafts.has(tool)),
  ),
];

function listedTool({ name, title, description, input, required = [], hints }: AgentTool): Tool {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: input as Tool['inputSchema']['properties'],
      required: [...required],
      additionalProperties: false,
    },
    annotations: { title, ...hints },
  };
}
