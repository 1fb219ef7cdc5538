/** What a browser does for a page of the service: it keeps cookies, and says where its requests come from. */
export class Browser {
  private readonly jar = new Map<string, string>();

  constructor(
    readonly url: string,
    private readonly origin = url,
  ) {}

  /** Headers replace those that the page would send; undefined removes one. */
  async request(path: string, init: BrowserRequest = {}): Promise<Response> {
    const { method = init.body === undefined ? 'GET' : 'POST', body, headers = {} } = init;
    const sent: Record<string, string | undefined> = {
      'sec-fetch-site': 'same-origin',
      ...(method === 'GET' ? {} : { origin: this.origin, 'x-requested-with': 'postrider' }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(this.jar.size === 0 ? {} : { cookie: this.cookies() }),
      ...headers,
    };
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: Object.fromEntries(
        Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
      ),
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
    });
    this.keep(response);
    return response;
  }

  async json<T = Record<string, unknown>>(
    path: string,
    init: BrowserRequest = {},
  ): Promise<{ status: number; body: T }> {
    const response = await this.request(path, init);
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  signIn(email: string, password: string): Promise<{ status: number; body: Record<string, unknown> }> {
    return this.json('/auth/sign-in/email', { body: { email, password } });
  }

  cookies(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  cookie(name: string): string | undefined {
    return this.jar.get(name);
  }

  setCookie(name: string, value: string): void {
    this.jar.set(name, value);
  }

  forget(name: string): void {
    this.jar.delete(name);
  }

  private keep(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const isGone = value === '' || attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
      if (isGone) this.jar.delete(name);
      else this.jar.set(name, value);
    }
  }
}

export interface BrowserRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}
