import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasTeam } from './request-owner.js';
import { addressList, AddressList, networkKey } from './networks.js';

export interface ConnectionLimits {
  /** Connections that the server has at once. */
  readonly maxConnections: number;
  /** Of these, for one network of clients: an IPv4 /24, an IPv6 /64. */
  readonly maxConnectionsPerNetwork: number;
  /** Their connections carry other clients' requests and are not counted. */
  readonly trustedProxies: readonly string[];
}

/** Requests of one connection that are not answered yet. Clients that send the next before an answer are rare. */
const maxPipelined = 32;

interface Connection {
  readonly network: string;
  /** Of its requests that are not answered yet, oldest first; one that is answered may still stand there. */
  pending: ServerResponse[];
}

/**
 * Bounds the connections of a server, those of one network and the requests of one connection. Where a cap is reached the
 * newcomer takes the place of the oldest connection that has no request under way, or whose request comes slowly and from a
 * stranger.
 */
export class ConnectionCaps {
  private readonly networks = new Map<string, Set<Socket>>();
  private readonly connections = new Map<Socket, Connection>();
  private readonly proxies: AddressList;

  constructor(private readonly limits: ConnectionLimits) {
    this.proxies = addressList(limits.trustedProxies);
  }

  guard(server: Server): void {
    server.on('connection', (socket: Socket) => this.admit(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.note(request.socket, response));
  }

  private admit(socket: Socket): void {
    const address = socket.remoteAddress;
    if (address === undefined) return;
    if (this.proxies.has(address)) return;
    const network = networkKey(address);
    const ofNetwork = this.networks.get(network) ?? new Set();
    const isFull =
      (ofNetwork.size >= this.limits.maxConnectionsPerNetwork && !closeLongestIdle(ofNetwork, this.connections)) ||
      (this.connections.size >= this.limits.maxConnections && !closeLongestIdle(this.largest(), this.connections));
    if (isFull) {
      socket.destroy();
      return;
    }
    this.networks.set(network, ofNetwork.add(socket));
    this.connections.set(socket, { network, pending: [] });
    socket.once('close', () => this.forget(socket, network));
  }

  private forget(socket: Socket, network: string): void {
    this.connections.delete(socket);
    const ofNetwork = this.networks.get(network);
    ofNetwork?.delete(socket);
    if (ofNetwork?.size === 0) this.networks.delete(network);
  }

  private note(socket: Socket, response: ServerResponse): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    const [last] = connection.pending;
    if (last === undefined || last.writableFinished) {
      connection.pending = [response];
      return;
    }
    connection.pending = connection.pending.filter((pending) => !pending.writableFinished);
    connection.pending.push(response);
    if (connection.pending.length > maxPipelined) socket.destroy();
  }

  /** Sockets of the network that has the most. */
  private largest(): ReadonlySet<Socket> {
    let largest: ReadonlySet<Socket> = new Set();
    for (const sockets of this.networks.values()) if (sockets.size > largest.size) largest = sockets;
    return largest;
  }
}

/** Sockets stand in the order in which they came, so the first one without a request has been there longest. */
function closeLongestIdle(sockets: ReadonlySet<Socket>, connections: ReadonlyMap<Socket, Connection>): boolean {
  for (const socket of sockets) {
    if (socket.destroyed) continue;
    if (connections.get(socket)?.pending.every(mayGo) !== true) continue;
    socket.destroy();
    return true;
  }
  return false;
}

/** It is answered, or a stranger has not sent all of it. */
function mayGo(response: ServerResponse): boolean {
  return response.writableFinished || (!response.req.complete && !hasTeam(response.req));
}
