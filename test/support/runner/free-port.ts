import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * An unused port on loopback, for a server that cannot choose one itself.
 *
 * Below those that Linux gives to connections (32,768 and above): one of them could take the port before the server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
