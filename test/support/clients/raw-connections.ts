import { once } from 'node:events';
import { connect, Socket } from 'node:net';

/** A loopback address for each number. Two are in one /24 only if `perNetwork` is above one. */
export function loopbackAddress(index: number, perNetwork = 1): string {
  const network = Math.floor(index / perNetwork);
  return `127.${1 + (Math.floor(network / 256) % 250)}.${network % 256}.${1 + (index % perNetwork)}`;
}

/** Opens connections that send the given text and then stay silent. Those that the server closes at once are left out. */
export async function openConnections(
  port: number,
  count: number,
  said: (index: number) => string,
  addressOf: (index: number) => string = () => '127.0.0.1',
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: addressOf(index) });
    socket.on('error', () => undefined);
    await once(socket, 'connect').catch(() => undefined);
    socket.write(said(index));
    // A socket that does not read is not told that the other side has closed.
    socket.resume();
    sockets.push(socket);
  }
  return sockets;
}

/** What the server sends before it closes the connection, or within the time. */
export async function responseOf(socket: Socket, withinMs = 30_000): Promise<string> {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => (text += chunk));
  await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, withinMs).unref())]).catch(
    () => undefined,
  );
  return text;
}

export function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}
