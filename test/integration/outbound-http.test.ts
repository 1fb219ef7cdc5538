import { createServer, RequestListener, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OutboundHttp, OutboundHttpError, OutboundHttpOptions, OutboundRequest } from '#http/outbound';
import { until } from '../support/runner/until.js';

type Lookup = NonNullable<OutboundHttpOptions['lookup']>;

const servers: Server[] = [];
const clients: OutboundHttp[] = [];

afterEach(() => {
  servers.splice(0).forEach((server) => server.close().closeAllConnections());
  clients.splice(0).forEach((client) => client.close());
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
}

function client(options: OutboundHttpOptions): OutboundHttp {
  const made = new OutboundHttp(options);
  clients.push(made);
  return made;
}

/** A resolver that returns one of these sets of addresses for each look-up. */
function answering(...answers: string[][]): Lookup {
  let asked = 0;
  return ((_: string, __: object, callback: (error: null, addresses: object[]) => void) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as Lookup;
}

const limits = { timeoutMs: 20_000, maxBytes: 1_000, maxRedirects: 2 };
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  owner: 'somebody',
  ...limits,
  ...more,
});

describe('a guarded request', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://0x7f000001:1/',
    'http://2130706433:1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:127.0.0.1]:1/',
  ])('to the address %s is refused before any connection', async (url) => {
    await expect(client({}).send(get(url))).rejects.toMatchObject({ reason: 'forbidden' });
  });

  it('to a name with a private address is refused, even if another of its addresses is public', async () => {
    const port = await serve((_, response) => response.end('inside'));
    for (const lookup of [answering(['127.0.0.1']), answering(['93.184.216.34', '10.0.0.1'])]) {
      const sent = client({ lookup }).send(get(`http://rebind.test:${port}/`));
      await expect(sent).rejects.toMatchObject({ reason: 'forbidden' });
    }
  });

  it('connects to the addresses that it has checked, not to those of a second look-up', async () => {
    const port = await serve((_, response) => response.end('inside'));
    // Nothing listens on the first address. A client that resolved the name again would reach the server.
    const lookup = answering(['2606:4700:0:ffff::1'], ['127.0.0.1']);
    const sent = client({ lookup }).send(get(`http://rebind.test:${port}/`, { timeoutMs: 300 }));
    await expect(sent).rejects.toMatchObject({ reason: expect.stringMatching(/unreachable|timeout/) });
  });

  it('checks every redirect again', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/end') response.end('there');
      else response.writeHead(302, { location: request.url === '/near' ? '/end' : 'http://127.0.0.2:1/' }).end();
    });
    const guard = client({ allows: (address) => address === '127.0.0.1' });
    expect((await guard.send(get(`http://127.0.0.1:${port}/near`))).body.toString()).toBe('there');
    await expect(guard.send(get(`http://127.0.0.1:${port}/far`))).rejects.toMatchObject({ reason: 'forbidden' });
  });

  it('ends if redirects form a loop', async () => {
    const port = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());
    const sent = client({ allows: () => true }).send(get(`http://127.0.0.1:${port}/`));
    await expect(sent).rejects.toMatchObject({ reason: 'too_many_redirects' });
  });

  it.each(['ftp://a.test/', 'file:///etc/passwd', 'nonsense', 'data:,x'])('to the URL %s is invalid', async (url) => {
    await expect(client({ allows: () => true }).send(get(url))).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('does not follow a redirect to another scheme', async () => {
    const port = await serve((_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
    const sent = client({ allows: () => true }).send(get(`http://127.0.0.1:${port}/`));
    await expect(sent).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('reads at most `maxBytes`, whether the size is announced or not', async () => {
    const announced = await serve((_, response) =>
      response.writeHead(200, { 'content-length': '5000' }).end('x'.repeat(5_000)),
    );
    const endless = await serve((_, response) => {
      response.on('error', () => undefined);
      const more = (): boolean => response.write('x'.repeat(600), (error) => void (error ?? more()));
      more();
    });
    for (const port of [announced, endless]) {
      const sent = client({ allows: () => true }).send(get(`http://127.0.0.1:${port}/`));
      await expect(sent).rejects.toMatchObject({ reason: 'too_large' });
    }
  });

  it('has one deadline for everything', async () => {
    const port = await serve((_, response) => response.writeHead(200).write('x'));
    const sent = client({ allows: () => true }).send(get(`http://127.0.0.1:${port}/`, { timeoutMs: 100 }));
    await expect(sent).rejects.toMatchObject({ reason: 'timeout' });
  });
});

describe('a request whose response may be cut', () => {
  it('returns the first bytes, and reuses the connection if the rest is short', async () => {
    let connections = 0;
    const port = await serve((request, response) => {
      if (request.socket.listenerCount('counted') === 0) connections++;
      request.socket.on('counted', () => undefined);
      response.end('x'.repeat(20_000));
    });
    const guard = client({ allows: () => true });
    for (let n = 0; n < 6; n++) {
      const { body } = await guard.send(get(`http://127.0.0.1:${port}/`, { cutsBody: true }));
      expect(body.toString()).toBe('x'.repeat(limits.maxBytes));
    }
    // The second request may start before the first connection is back in the pool.
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('ends if the response has no end', async () => {
    const port = await serve((_, response) => {
      response.on('error', () => undefined);
      const more = (): boolean => response.write('x'.repeat(60_000), (error) => void (error ?? more()));
      more();
    });
    const sent = client({ allows: () => true }).send(get(`http://127.0.0.1:${port}/`, { cutsBody: true }));
    expect((await sent).body).toHaveLength(limits.maxBytes);
  });

  it('is sent again, once, if a reused connection turns out to be closed', async () => {
    let requests = 0;
    const port = await serve((request, response) => {
      requests++;
      if (requests === 2) request.socket.destroy();
      else response.end('there');
    });
    const guard = client({ allows: () => true });
    await guard.send(get(`http://127.0.0.1:${port}/`));
    const again = await guard.send(get(`http://127.0.0.1:${port}/`, { repeatable: true }));
    expect(again.body.toString()).toBe('there');
    expect(requests).toBe(3);
  });
});

describe('requests of several owners to one origin', () => {
  /** A server that responds only to `/`. `held` counts the other requests. */
  async function serveHanging(): Promise<{ readonly url: string; readonly held: () => number }> {
    let held = 0;
    const port = await serve((request, response) => void (request.url === '/' ? response.end('there') : held++));
    return { url: `http://127.0.0.1:${port}/`, held: () => held };
  }

  const failed = ({ reason }: OutboundHttpError): string => reason;

  it('do not wait for hanging requests of other owners', async () => {
    const { url, held } = await serveHanging();
    const guard = client({ allows: () => true });
    const hanging = ['a', 'b'].flatMap((owner) =>
      Array.from({ length: 70 }, () => guard.send(get(`${url}hang`, { owner, timeoutMs: 60_000 })).catch(failed)),
    );
    await until(() => held() === 128);
    expect((await guard.send(get(url, { owner: 'c' }))).body.toString()).toBe('there');
    expect(held()).toBe(128);
    guard.close();
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['unreachable']));
  });

  it('have their timeout from their turn on, or from the call on if urgent, and may be withdrawn before their turn', async () => {
    const { url, held } = await serveHanging();
    const guard = client({ allows: () => true });
    const hanging = Array.from({ length: 64 }, () => guard.send(get(`${url}hang`, { timeoutMs: 1_500 })).catch(failed));
    await until(() => held() === 64);
    let turns = 0;
    const patient = guard.send(get(url, { timeoutMs: 1_000, onTurn: () => ++turns > 0 }));
    const urgent = guard.send(get(url, { timeoutMs: 20, isUrgent: true, onTurn: () => ++turns > 0 }));
    const withdrawn = guard.send(get(`${url}hang`, { onTurn: () => false })).catch(failed);
    await expect(urgent).rejects.toMatchObject({ reason: 'timeout' });
    expect(turns).toBe(0);
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['timeout']));
    expect((await patient).body.toString()).toBe('there');
    expect(turns).toBe(1);
    expect(await withdrawn).toBe('withdrawn');
    expect(held()).toBe(64);
  });
});
