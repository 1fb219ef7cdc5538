import type { Server } from '@modelcontextprotocol/server';

/** One message of a client, as HTTP brought it. */
export interface McpMessage {
  readonly headers: Headers;
  /** The JSON of the body. */
  readonly body: unknown;
}

/** What the SDK is needed for. */
export interface McpSdk {
  /** A server that knows nothing but how to introduce itself. */
  newServer(instructions: string): Server;
  /** Answers one message by a server of its own: nothing is kept between two, so any process may get the next one. */
  answer(message: McpMessage, newServer: () => Server): Promise<Response>;
  /** Says what is wrong with arguments; undefined if the schema allows them. */
  faultsOf(schema: object, input: unknown): string | undefined;
}

/**
 * Loads the SDK and the schemas of the protocol. They take time and memory, which an installation without agents does not
 * spend.
 */
export async function loadMcpSdk(version: string): Promise<McpSdk> {
  const sdk = await import('@modelcontextprotocol/server');
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv');
  const schemas = new AjvJsonSchemaValidator();
  const validators = new WeakMap<object, ReturnType<typeof schemas.getValidator>>();
  return {
    newServer: (instructions) =>
      new sdk.Server(
        { name: 'postrider', title: 'Postrider', version },
        { capabilities: { tools: { listChanged: false } }, instructions },
      ),
    async answer({ headers, body }, newServer) {
      const request = new Request('http://mcp.invalid/mcp', { method: 'POST', headers });
      if (!(await sdk.isLegacyRequest(request, body))) {
        const handler = sdk.createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0 });
        return handler.fetch(request, { parsedBody: body });
      }
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      const server = newServer();
      await server.connect(transport);
      try {
        return await transport.handleRequest(request, { parsedBody: body });
      } finally {
        await server.close();
      }
    },
    faultsOf(schema, input) {
      const validate = validators.get(schema) ?? schemas.getValidator(schema);
      validators.set(schema, validate);
      return validate(input).errorMessage;
    },
  };
}
