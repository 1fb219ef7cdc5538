import { Client, StreamableHTTPClientTransport, Tool } from '@modelcontextprotocol/client';

/** The revisions of the protocol that the official client speaks: with a handshake, and without. */
export const revisions = ['legacy', '2026-07-28'] as const;

export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
}

/** What stands in an answer beside its facts. */
export interface Quotation<Quoted = never> {
  readonly note: string;
  readonly begin: string;
  readonly quoted: Quoted;
  readonly end: string;
}

/** The official client of the protocol, as an agent uses it. */
export class AgentClient {
  private constructor(private readonly client: Client) {}

  static async connect(
    url: string,
    token: string,
    { revision = 'legacy', path = '/mcp', headers = {} } = {},
  ): Promise<AgentClient> {
    const mode = revision === 'legacy' ? revision : { pin: revision };
    const client = new Client({ name: 'an agent', version: '1' }, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(new URL(path, url), {
      requestInit: { headers: { authorization: `Bearer ${token}`, 'user-agent': 'an-agent/1', ...headers } },
    });
    await client.connect(transport);
    return new AgentClient(client);
  }

  async tools(): Promise<Tool[]> {
    return (await this.client.listTools()).tools;
  }

  async names(): Promise<string[]> {
    return (await this.tools()).map(({ name }) => name);
  }

  get instructions(): string {
    return this.client.getInstructions() ?? '';
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<ToolResult> {
    const { content, isError } = await this.client.callTool({ name, arguments: input });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return { isError: isError === true, text };
  }

  /** The facts of an answer. Throws what a tool refuses. */
  async ask<Facts>(name: string, input: Record<string, unknown> = {}): Promise<Facts> {
    const { isError, text } = await this.call(name, input);
    if (isError) throw new Error(text);
    return JSON.parse(text) as Facts;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
