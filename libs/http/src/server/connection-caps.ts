import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasTeam } from './request-owner.js';
import { addressList, AddressList, networkKey } from './networks.js';

export interface ConnectionLimits {
  /** Maximum number of connections of the server. */
  readonly maxConnections: number;
  /** Maximum number of connections from one client network: an IPv4 /24, an IPv6 /64. */
  readonly maxConnectionsPerNetwork: number;
  /** Addresses and networks of proxies. Their connections carry requests of many clients and are not counted. */
  readonly trustedProxies: readonly string[];
}

/** Maximum number of pending requests of one connection. Few clients send a request before the previous response. */
const maxPipelined = 32;

interface Connection {
  readonly network: string;
  /** Responses of its pending requests, oldest first. May include finished ones. */
  pending: ServerResponse[];
}

/**
 * Limits the connections of a server, the connections of one network and the requests of one connection. When a limit
 * is reached, a new connection replaces the oldest one that has no pending request, or whose request is incomplete and
 * has no API key. Where there is none, the new connection is closed.
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

  /** Sockets of the network with the most connections. */
  private largest(): ReadonlySet<Socket> {
    let largest: ReadonlySet<Socket> = new Set();
    for (const sockets of this.networks.values()) if (sockets.size > largest.size) largest = sockets;
    return largest;
  }
}

/** Closes the oldest connection that may be closed. Sockets are in the order in which they connected. */
function closeLongestIdle(sockets: ReadonlySet<Socket>, connections: ReadonlyMap<Socket, Connection>): boolean {
  for (const socket of sockets) {
    if (socket.destroyed) continue;
    if (connections.get(socket)?.pending.every(mayGo) !== true) continue;
    socket.destroy();
    return true;
  }
  return false;
}

/** Whether the response is finished, or its request is incomplete and has no API key. */
function mayGo(response: ServerResponse): boolean {
  return response.writableFinished || (!response.req.complete && !hasTeam(response.req));
}
