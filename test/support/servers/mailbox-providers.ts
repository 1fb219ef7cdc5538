import { generateKeyPairSync, KeyObject, verify } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { OutboundHttp, OutboundRequest, OutboundResponse } from '#http/outbound';

const hosts = [
  'oauth2.googleapis.com',
  'gmailpostmastertools.googleapis.com',
  'sendersupport.olc.protection.outlook.com',
];
const pageSize = 2;

export interface GivenReply {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Google's sign-in and Postmaster Tools, and Microsoft's SNDS, on loopback, in shapes of our own making. */
export class MailboxProviders {
  readonly email = 'postrider@acme.iam.gserviceaccount.test';
  readonly sndsKey = 'e4b1-&key';
  /** Domains that are shared with the account. */
  shared: readonly string[] = [];
  /** Figures by domain and metric. Google gives those of the third of November 2026, or of `day`. */
  stats: Readonly<Record<string, Readonly<Record<string, number>>>> = {};
  day = { year: 2026, month: 11, day: 3 };
  data = '';
  status = '';
  /** Instead of the usual reply, by the first part of what was asked for. */
  readonly instead = new Map<string, GivenReply>();
  /** What was asked for: the path and its query, without what pages it. */
  readonly asked: string[] = [];
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly server = createServer((request, response) => void this.answer(request, response));
  private url = '';

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** The file that Google gives out for a service account. */
  keyFile(key: KeyObject = this.keys.privateKey): string {
    return JSON.stringify({
      type: 'service_account',
      private_key_id: 'one',
      private_key: key.export({ type: 'pkcs8', format: 'pem' }),
      client_email: this.email,
      token_uri: 'https://elsewhere.test/token',
    });
  }

  /** Requests to the providers come here, all others go where they are meant to go. */
  outbound(): OutboundHttp {
    return new RedirectedHttp((url) => {
      const { host, pathname, search } = new URL(url);
      return !hosts.includes(host) ? url : `${this.url}/${host}${pathname}${search}`;
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const path = pathname.replace(/^\/[^/]+/, '');
    const body = await text(request);
    this.asked.push(path);
    const given = [...this.instead].find(([part]) => path.startsWith(part))?.[1];
    const { status, body: reply = '', headers } = given ?? this.usual(path, searchParams, request, body);
    response.writeHead(status, headers).end(reply);
  }

  private usual(path: string, query: URLSearchParams, request: IncomingMessage, body: string): GivenReply {
    if (path === '/token') return this.token(new URLSearchParams(body));
    if (path.startsWith('/snds/')) {
      if (query.get('key') !== this.sndsKey) return { status: 302, headers: { location: 'https://login.test/' } };
      return { status: 200, body: path === '/snds/data.aspx' ? this.data : this.status };
    }
    if (request.headers.authorization !== 'Bearer token-of-google') return { status: 401, body: '{}' };
    if (path === '/v2/domains') {
      const domains = this.shared.map((name) => ({ name: `domains/${name}`, permission: 'READER' }));
      return page('domains', domains, Number(query.get('pageToken') ?? 0));
    }
    return this.figures(
      path,
      JSON.parse(body) as { pageToken?: string; metricDefinitions: readonly { name: string }[] },
    );
  }

  private figures(
    path: string,
    query: { pageToken?: string; metricDefinitions: readonly { readonly name: string }[] },
  ): GivenReply {
    const [, domain = ''] = /^\/v2\/domains\/([^/]+)\/domainStats:query$/.exec(path) ?? [];
    const values = this.stats[domain];
    if (values === undefined) return { status: 403, body: '{"error":{"status":"PERMISSION_DENIED"}}' };
    const stats = query.metricDefinitions.flatMap(({ name }) =>
      values[name] === undefined ? [] : [{ metric: name, date: this.day, value: { doubleValue: values[name] } }],
    );
    return page('domainStats', stats, Number(query.pageToken ?? 0));
  }

  private token(form: URLSearchParams): GivenReply {
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      this.keys.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const { iss, aud, scope, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    const isRight =
      isSigned &&
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      iss === this.email &&
      aud === 'https://oauth2.googleapis.com/token' &&
      String(scope).includes('postmaster.traffic.readonly') &&
      Number(exp) - Number(iat) === 3_600;
    return isRight
      ? { status: 200, body: JSON.stringify({ access_token: 'token-of-google', expires_in: 3_599 }) }
      : { status: 400, body: JSON.stringify({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }) };
  }
}

function page(name: string, items: readonly unknown[], from: number): GivenReply {
  const nextPageToken = from + pageSize < items.length ? String(from + pageSize) : undefined;
  return { status: 200, body: JSON.stringify({ [name]: items.slice(from, from + pageSize), nextPageToken }) };
}

class RedirectedHttp extends OutboundHttp {
  constructor(private readonly target: (url: string) => string) {
    super({ allows: () => true });
  }

  override send(request: OutboundRequest): Promise<OutboundResponse> {
    return super.send({ ...request, url: this.target(request.url) });
  }
}
