import { connect } from 'node:net';

const timeoutMs = 10_000;

export interface Greeting {
  /** Undefined if the server greets with 220. */
  readonly failure: string | undefined;
  /** The address that the connection left from, if there was one. */
  readonly from: string | undefined;
}

/** Connects to a mail server, waits for its greeting and leaves. */
export function greeting(host: string, port: number): Promise<Greeting> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (failure: string | undefined): void => {
      resolve({ failure, from: socket.localAddress });
      socket.destroy();
    };
    socket.setTimeout(timeoutMs, () => end('no reply'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.once('end', () => end('the connection was closed'));
    socket.once('data', (chunk: Buffer) => {
      const line = chunk.toString('latin1').split('\r\n', 1)[0] ?? '';
      socket.end('QUIT\r\n');
      end(line.startsWith('220') ? undefined : `replied "${line.slice(0, 100)}"`);
    });
  });
}
