import type { Socket } from 'node:net';
import { clientKey, clientNetwork } from '#kernel';
import { ConnectionPlaces, NoPlace, Place, PlaceHolder } from '../../domain/connection-places.js';
import { WorkAllowance, waitForWork } from '../../domain/work-allowance.js';
import { ArrivedConnection, Connection } from './connection.js';
import { readProxiedClient } from './proxy-header.js';
import { maxArrivalWaitMs, prices } from './smtp-limits.js';

const refusals: Readonly<Record<NoPlace, string>> = {
  client: '421 4.7.0 Too many connections from your address',
  network: '421 4.7.0 Too many connections from your network',
  team: '421 4.7.0 Too many connections of your team',
  total: '421 4.3.2 Too many connections, try again in a moment',
};
/** Time for the client to read a refusal, in ms. */
const lingerMs = 1_000;

/** A socket that is not yet a connection. */
export class ArrivingSocket implements PlaceHolder {
  connection: Connection | undefined;

  constructor(
    readonly socket: Socket,
    readonly implicitTls: boolean,
    /** Destroys the socket, including the TLS socket on top of it. */
    private readonly drop: () => void,
  ) {}

  get isIdle(): boolean {
    return this.connection?.isIdle ?? true;
  }

  evict(): void {
    if (this.connection === undefined) this.drop();
    else this.connection.evict();
  }
}

/**
 * Decides on each socket of all ports before anything is done for it: determines the client, takes a place for it, and
 * checks whether its network has used too much CPU recently.
 */
export class Arrivals {
  constructor(
    private readonly places: ConnectionPlaces,
    private readonly work: WorkAllowance,
    /** Whether connections from this address begin with a PROXY header. */
    private readonly isProxy: (address: string) => boolean,
  ) {}

  /** Rejects if the socket may not become a connection. A reason has been sent if the client could read it. */
  async admit(arriving: ArrivingSocket): Promise<ArrivedConnection> {
    const { socket, implicitTls } = arriving;
    const peer = socket.remoteAddress ?? '';
    const proxied = this.isProxy(peer) ? await readProxiedClient(socket) : undefined;
    const address = proxied?.address ?? peer;
    const network = clientNetwork(address);
    const owner = `network ${network}`;
    const costMs = prices.ofConnection(implicitTls);
    const waitMs = this.work.charge(owner, costMs, performance.now());
    if (waitMs > maxArrivalWaitMs) throw new Error('The network of the client has cost too much');
    const place = this.places.take(clientKey(address), network, arriving);
    if (!(place instanceof Place)) return refuse(arriving, refusals[place]);
    socket.once('close', () => place.release());
    if (waitMs > 0) await this.turn(owner, waitMs);
    if (socket.destroyed) throw new Error('The client has left');
    return { remoteAddress: address, remotePort: proxied?.port, place, owner, costMs };
  }

  private turn(owner: string, waitMs: number): Promise<void> {
    return new Promise((goOn) => waitForWork(this.work, owner, waitMs, { isGone: () => false, goOn }));
  }
}

/** Over TLS nothing can be sent before the handshake, which is too expensive for a client over a limit. */
function refuse({ socket, implicitTls }: ArrivingSocket, text: string): never {
  if (!implicitTls) {
    socket.end(`${text}\r\n`);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
  throw new Error(text);
}
