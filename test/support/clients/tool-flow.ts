import { createHash, randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { TestProgram } from '../programs/program.js';
import type { TestUser } from '../builders/users.js';

export const commandLine = '7136aa0b-625c-4c9c-8820-e9784c8eb141';
export const callback = 'http://127.0.0.1:4567/oauth/callback';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly error?: string;
}

export interface Flow {
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly scope?: string;
  readonly user?: TestUser;
  readonly team?: string;
  readonly decision?: string;
  readonly more?: Record<string, string>;
}

export const verifierOf = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export function authorizeQuery(
  verifier: string,
  flow: Flow = {},
  changes: Record<string, string> = flow.more ?? {},
): string {
  const { clientId = commandLine, redirectUri = callback, scope = 'full_access' } = flow;
  const query = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope, state: 'a state' };
  const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
  return String(new URLSearchParams({ ...query, ...pkce, ...changes }));
}

/** What a tool and the browser of a user do, without a browser. */
export class ToolFlow {
  constructor(
    private readonly program: TestProgram,
    private readonly teamId: string,
    private readonly owner: TestUser,
  ) {}

  form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams(fields);
    return fetch(`${this.program.url}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
  }

  consent(verifier: string, flow: Flow = {}): Promise<URL> {
    return this.follow(`/oauth/authorize?${authorizeQuery(verifier, flow)}`, flow);
  }

  /** What the browser of a user does: follows the tool's link, reads the page, and sends its form. */
  async follow(link: string, flow: Flow = {}): Promise<URL> {
    const { user = this.owner, team = this.teamId, decision = 'allow' } = flow;
    const opened = await user.browser.request(link, {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(opened.status).toBe(302);
    const page = await user.browser.request(opened.headers.get('location') ?? '', {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    // With `no-referrer` a browser sends the form with `Origin: null`: browser/tools.
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    const html = await page.text();
    expect(html).not.toMatch(/<script|javascript:/i);
    const query = (/name="query" value="([^"]*)"/.exec(html)?.[1] ?? '').replace(/&#(\d+);/g, (_, code) =>
      String.fromCharCode(Number(code)),
    );
    const headers = {
      cookie: user.browser.cookies(),
      origin: this.program.url,
      'sec-fetch-site': 'same-origin',
    };
    const decided = await this.form('/oauth/consent', { query, team, decision }, headers);
    return new URL(decided.headers.get('location') ?? '');
  }

  async redeem(verifier: string, code: string, fields: Record<string, string> = {}): Promise<[number, Tokens]> {
    const response = await this.form('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: commandLine,
      redirect_uri: callback,
      code,
      code_verifier: verifier,
      ...fields,
    });
    return [response.status, (await response.json()) as Tokens];
  }

  async refresh(token: string): Promise<[number, Tokens]> {
    const fields = { grant_type: 'refresh_token', client_id: commandLine, refresh_token: token };
    const response = await this.form('/oauth/token', fields);
    return [response.status, (await response.json()) as Tokens];
  }

  async login(flow: Flow = {}): Promise<Tokens> {
    const verifier = verifierOf();
    const code = (await this.consent(verifier, flow)).searchParams.get('code') ?? '';
    const [status, tokens] = await this.redeem(verifier, code, {
      client_id: flow.clientId ?? commandLine,
      redirect_uri: flow.redirectUri ?? callback,
    });
    expect(status).toBe(200);
    return tokens;
  }

  asTool(token: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return this.program.request(path, { ...init, headers });
  }

  /** The status of a request with a body. */
  async tries(token: string, method: string, path: string, body: object = {}): Promise<number> {
    return (await this.asTool(token, path, { method, body: JSON.stringify(body) })).status;
  }
}
