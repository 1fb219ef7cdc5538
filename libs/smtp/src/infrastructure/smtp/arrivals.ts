import type { Socket } from 'node:net';
import { clientKey, clientNetwork } from '#kernel';
import { ConnectionPlaces, NoPlace, Place, PlaceHolder } from '../../domain/connection-places.js';
import { WorkAllowance } from '../../domain/work-allowance.js';
import { prices } from './prices.js';
import { readProxiedClient } from './proxied-client.js';
import { Arrival, SubmissionConnection } from './submission-connection.js';
import { maxArrivalWaitMs } from './submission-limits.js';
import { waitForWork } from './wait-for-work.js';

const refusals: Readonly<Record<NoPlace, string>> = {
  client: '421 4.7.0 Too many connections from your address',
  network: '421 4.7.0 Too many connections from your network',
  team: '421 4.7.0 Too many connections of your team',
  total: '421 4.3.2 Too many connections, try again in a moment',
};
/** For a refusal to be read, in ms. */
const lingerMs = 1_000;

/** A socket on its way to a connection. */
export class ArrivingSocket implements PlaceHolder {
  connection: SubmissionConnection | undefined;

  constructor(
    readonly socket: Socket,
    readonly implicitTls: boolean,
    /** Ends the socket, whatever stands on top of it. */
    private readonly drop: () => void,
  ) {}

  get isIdle(): boolean {
    return this.connection?.isIdle ?? true;
  }

  giveWay(): void {
    if (this.connection === undefined) this.drop();
    else this.connection.giveWay();
  }
}

/**
 * Decides on each socket, on all ports alike, before anything is done for it: who the client is, whether there is a place
 * for it, and whether its network has cost too much of late.
 */
export class Arrivals {
  constructor(
    private readonly places: ConnectionPlaces,
    private readonly work: WorkAllowance,
    /** Whether connections from this address begin with a PROXY header. */
    private readonly isProxy: (address: string) => boolean,
  ) {}

  /** Rejects where the socket may not become a connection; a reason has been sent where the client could read it. */
  async admit(arriving: ArrivingSocket): Promise<Arrival> {
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

/** Over TLS nothing can be said before a handshake, which is what somebody over a limit does not get. */
function refuse({ socket, implicitTls }: ArrivingSocket, text: string): never {
  if (!implicitTls) {
    socket.end(`${text}\r\n`);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
  throw new Error(text);
}
