import { ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

interface Answer {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
}

/**
 * The public server that gives assistants the API as tools, as a process of its own that speaks over its standard
 * streams.
 */
export class McpClient {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private lastId = 0;
  private hasEnded = false;

  private constructor(private readonly server: ChildProcessWithoutNullStreams) {
    createInterface({ input: server.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.id !== undefined) this.waiting.get(answer.id)?.(answer);
    });
    server.stderr.resume();
    server.on('exit', (code) => {
      this.hasEnded = true;
      for (const answer of this.waiting.values()) answer({ error: { message: `The server ended with ${code}.` } });
    });
  }

  static async start(baseUrl: string, apiKey: string): Promise<McpClient> {
    // The package exports the server as a library; beside it is the program.
    const script = join(dirname(createRequire(import.meta.url).resolve('resend-mcp')), 'index.js');
    const environment = {
      PATH: process.env.PATH,
      RESEND_API_KEY: apiKey,
      RESEND_BASE_URL: baseUrl,
      RESEND_DASHBOARD_URL: baseUrl,
    };
    const client = new McpClient(spawn(process.execPath, [script], { env: environment }));
    const clientInfo = { name: 'test', version: '1' };
    const { error } = await client.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    });
    if (error !== undefined) throw new Error(error.message);
    client.server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return client;
  }

  /** The texts of the answer. Throws if the tool fails. */
  async call(name: string, input: object = {}): Promise<string> {
    const { result, error } = await this.request('tools/call', { name, arguments: input });
    const text = (result?.content ?? []).map((part) => part.text).join('\n');
    if (error !== undefined || result?.isError === true) throw new Error(error?.message ?? text);
    return text;
  }

  stop(): void {
    this.server.kill();
  }

  private async request(method: string, params: object): Promise<Answer> {
    if (this.hasEnded) throw new Error('The server has ended.');
    const id = ++this.lastId;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }
}
