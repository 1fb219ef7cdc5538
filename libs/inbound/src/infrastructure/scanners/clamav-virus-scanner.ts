import { connect, NetConnectOpts, Socket } from 'node:net';
import { Logger } from '#observability/logging';
import { ScannedMessage, VirusScanner } from '../../application/ports/scanners.port.js';
import { VirusVerdict } from '../../domain/verdicts.js';

const timeoutMs = 30_000;
/** `StreamMaxLength` of clamd by default. */
const maxScannedBytes = 25 * 1024 * 1024;
const maxReplyLength = 1_000;
const endOfStream = Buffer.alloc(4);

/** Asks clamd with INSTREAM over TCP or a socket of the file system. Mail is accepted unscanned if it does not respond. */
export class ClamavVirusScanner extends VirusScanner {
  private readonly where: NetConnectOpts;

  constructor(
    /** `tcp://127.0.0.1:3310` or `unix:/run/clamav/clamd.ctl`. */
    url: string,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly limitMs = timeoutMs,
  ) {
    super();
    this.where = whereIs(url);
  }

  async scan(message: ScannedMessage): Promise<VirusVerdict> {
    if (message.size > maxScannedBytes) return { result: 'unscanned' };
    const socket = connect(this.where);
    const tooSlow = setTimeout(() => socket.destroy(new Error('clamd does not respond')), this.limitMs);
    try {
      const replied = replyOf(socket);
      const sent = send(socket, message.read()).catch((error: Error) => socket.destroy(error));
      const reply = await replied;
      await sent;
      return verdictOf(reply);
    } catch (error) {
      this.logger.warn({ error, id: message.id }, 'a message was accepted without a virus scan');
      return { result: 'unscanned' };
    } finally {
      clearTimeout(tooSlow);
      socket.destroy();
    }
  }
}

function whereIs(url: string): NetConnectOpts {
  if (url.startsWith('unix:')) return { path: url.slice('unix:'.length).replace(/^\/\/(?=\/)/, '') };
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 3310 : Number(port) };
}

/** Throws if the content cannot be read. */
async function send(socket: Socket, content: AsyncIterable<Uint8Array>): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'));
  for await (const chunk of content) {
    if (chunk.length === 0) continue;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    socket.write(length);
    await write(socket, chunk);
  }
  await write(socket, endOfStream);
}

/** An error is left to the reader: a scanner that ends early may have replied. */
function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => void socket.write(bytes, () => resolve()));
}

function replyOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    socket.on('data', (chunk: Buffer) => {
      reply = (reply + chunk.toString('latin1')).slice(0, maxReplyLength);
      if (reply.includes('\0')) resolve(reply.slice(0, reply.indexOf('\0')));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('clamd has closed the connection')));
  });
}

function verdictOf(reply: string): VirusVerdict {
  if (reply === 'stream: OK') return { result: 'clean' };
  if (reply.startsWith('stream: ') && reply.endsWith(' FOUND')) {
    return { result: 'infected', name: reply.slice('stream: '.length, -' FOUND'.length) };
  }
  throw new Error(`clamd responded: ${reply}`);
}
