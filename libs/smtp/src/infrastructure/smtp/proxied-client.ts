import type { Socket } from 'node:net';
import { ProxiedClient, readProxyHeader } from './proxy-header.js';

/** A trusted proxy did not send a PROXY header: it is not configured to send one. */
export class NoProxyHeaderError extends Error {
  constructor(proxy: string) {
    super(`A connection of the trusted proxy ${proxy} does not begin with a PROXY header`);
    this.name = 'NoProxyHeaderError';
  }
}

/**
 * Reads the PROXY header at the beginning of the connection and leaves the bytes after it unread. Rejects if there is
 * none. The caller limits the time: closing the socket rejects as well.
 */
export function readProxiedClient(socket: Socket): Promise<ProxiedClient | undefined> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const stop = (): void => {
      socket.off('readable', read);
      socket.off('end', leave);
      socket.off('close', leave);
    };
    const leave = (): void => {
      stop();
      reject(new Error('The proxy has left before its header was read'));
    };
    const read = (): void => {
      for (let chunk = nextOf(socket); chunk !== null; chunk = nextOf(socket)) {
        bytes = Buffer.concat([bytes, chunk]);
        const header = readProxyHeader(bytes);
        if (header.kind === 'incomplete') continue;
        stop();
        if (header.kind === 'invalid') return reject(new NoProxyHeaderError(socket.remoteAddress ?? ''));
        const rest = bytes.subarray(header.length);
        if (rest.length > 0) socket.unshift(rest);
        return resolve(header.client);
      }
    };
    socket.on('readable', read);
    socket.once('end', leave);
    socket.once('close', leave);
  });
}

function nextOf(socket: Socket): Buffer | null {
  return socket.read() as Buffer | null;
}
