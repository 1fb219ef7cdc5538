import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { auth, OAuthClientProvider } from '@modelcontextprotocol/client';

/**
 * An unmodified client of OAuth, as tools have it: it finds the endpoints, registers, and waits on a port of this
 * machine.
 */
export class BrowserTool {
  private readonly server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>The tool</title><h1>Back in the tool</h1>');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://tool.test');
    if (pathname === '/callback') this.answer = searchParams;
  });
  private readonly kept: Record<string, unknown> = {};
  private asked: URL | undefined;
  private answer = new URLSearchParams();

  private constructor(
    private readonly apiUrl: string,
    private readonly host: string,
  ) {}

  static async start(apiUrl: string, host = '127.0.0.1'): Promise<BrowserTool> {
    const tool = new BrowserTool(apiUrl, host);
    await new Promise<void>((resolve) => tool.server.listen(0, host.replace(/[[\]]/g, ''), resolve));
    return tool;
  }

  /** Returns the address that the tool wants opened in the browser. */
  async begin(): Promise<string> {
    await auth(this.provider(), { serverUrl: this.apiUrl });
    return String(this.asked);
  }

  /** Called once the browser is back. Returns the access token. Throws what the service or the user refused. */
  async finish(): Promise<string> {
    const { answer } = this;
    const refusal = answer.get('error');
    if (refusal !== null) throw new Error(refusal);
    const options = { serverUrl: this.apiUrl, authorizationCode: answer.get('code') ?? '' };
    await auth(this.provider(), { ...options, iss: answer.get('iss') ?? undefined });
    return (this.kept.tokens as { access_token: string }).access_token;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private provider(): OAuthClientProvider {
    const { kept } = this;
    const redirectUrl = `http://${this.host}:${(this.server.address() as AddressInfo).port}/callback`;
    return {
      redirectUrl,
      clientMetadata: { client_name: 'A tool', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
      clientInformation: () => kept.client as never,
      saveClientInformation: (client) => void (kept.client = client),
      tokens: () => kept.tokens as never,
      saveTokens: (tokens) => void (kept.tokens = tokens),
      redirectToAuthorization: (url) => void (this.asked = url),
      saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier as string,
      saveDiscoveryState: (state) => void (kept.discovery = state),
      discoveryState: () => kept.discovery as never,
    };
  }
}
