import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { SmtpFailure } from './smtp-failure.js';
import type { SmtpHostOptions, SmtpPhase } from './smtp-options.js';

const readBufferSize = 16_384;

/** Starts to connect. `receive` gets the bytes in a buffer that is reused after it returns. */
export function openSocket(options: SmtpHostOptions, receive: (buffer: Buffer, bytes: number) => void): Socket {
  return connect({
    host: options.host,
    port: options.port,
    localAddress: options.localAddress,
    noDelay: true,
    keepAlive: true,
    onread: {
      // One buffer for the life of the connection: the parser keeps no reference to it.
      buffer: Buffer.allocUnsafeSlow(readBufferSize),
      callback: (bytes, buffer) => {
        receive(buffer as Buffer, bytes);
        return true;
      },
    },
  });
}

/** Address and port of the remote side, in the form used in outcomes. */
export function addressOf({ remoteAddress = '', remotePort }: Socket): string {
  return remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
}

export function isLoopback({ remoteAddress = '' }: Socket): boolean {
  return /^(?:::ffff:)?127\./.test(remoteAddress) || remoteAddress === '::1';
}

/**
 * Calls back when the remote side has ended the connection, or with an error when the connection broke. It may call
 * back several times.
 */
export function whenOver(socket: Socket, listener: (error?: NodeJS.ErrnoException) => void): void {
  socket.on('error', listener);
  // All replies sent before the remote side's FIN have been read at this point.
  socket.on('end', () => listener());
  socket.on('close', () => listener());
}

/** The failure if this machine does not have the configured source address. */
export function ownAddressFailure(
  { code }: NodeJS.ErrnoException,
  phase: SmtpPhase,
  localAddress: string | undefined,
): SmtpFailure | undefined {
  if (code !== 'EADDRNOTAVAIL' || localAddress === undefined) return undefined;
  const failure = new SmtpFailure('policy', phase, `This machine cannot send from ${localAddress}`);
  failure.isOurs = true;
  return failure;
}
