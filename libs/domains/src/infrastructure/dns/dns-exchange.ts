import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import { AUTHENTIC_DATA, encode, RECURSION_DESIRED, streamEncode } from 'dns-packet';
import type { DecodedPacket, Packet, Question } from 'dns-packet';
import { readDnsMessage } from './dns-message.js';

export interface DnsServerAddress {
  readonly host: string;
  readonly port: number;
}

/** `host`, `host:port` or `[host]:port`; default port 53. */
export function dnsServerAddress(text: string): DnsServerAddress {
  if (isIP(text.split('%', 1)[0] as string) !== 0) return { host: text, port: 53 };
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain ?? text, port: Number(port ?? 53) };
}

/** Size of a UDP message that is not fragmented on today's networks (dnsflagday.net/2020). */
const maxDatagramBytes = 1_232;

/**
 * Asks one server one question, over UDP, and again over TCP if the answer does not fit (RFC 7766). Rejects if
 * there is no answer in time. Each question has its own port and id, which makes answers hard to forge (RFC 5452).
 */
export async function exchange(
  server: DnsServerAddress,
  question: Question,
  timeoutMs: number,
): Promise<DecodedPacket> {
  const query: Packet = {
    type: 'query',
    id: randomInt(0x10000),
    // AD in a question asks the server for AD in the answer, without the signatures (RFC 6840 section 5.7).
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    questions: [question],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: maxDatagramBytes,
        flags: 0,
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: false,
        options: [],
      },
    ],
  };
  const deadline = performance.now() + timeoutMs;
  const answer = await overUdp(server, query, timeoutMs);
  if (!answer.flag_tc) return answer;
  return overTcp(server, query, Math.max(1, deadline - performance.now()));
}

function overUdp(server: DnsServerAddress, query: Packet, timeoutMs: number): Promise<DecodedPacket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIP(server.host.split('%', 1)[0] as string) === 6 ? 'udp6' : 'udp4');
    let isOver = false;
    const end = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.close();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error('timeout'))), timeoutMs);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (message) => {
      const answer = answerTo(query, message);
      // A message that answers another question may be forged. The real answer may still arrive.
      if (answer !== undefined) end(() => resolve(answer));
    });
    // Connected, so that the operating system drops messages from other addresses and reports a closed port.
    socket.connect(server.port, server.host, () => socket.send(encode(query)));
  });
}

function overTcp(server: DnsServerAddress, query: Packet, timeoutMs: number): Promise<DecodedPacket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.host, port: server.port });
    // The message comes after its length (RFC 1035 section 4.2.2). Anything after the message is ignored.
    const received = Buffer.alloc(2 + 0xffff);
    let size = 0;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error('timeout'))), timeoutMs);
    socket.on('connect', () => socket.write(streamEncode(query)));
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error('the connection was closed'))));
    socket.on('data', (chunk) => {
      size += chunk.copy(received, size);
      const messageEnd = 2 + received.readUInt16BE(0);
      if (size < 2 || size < messageEnd) return;
      const answer = answerTo(query, received.subarray(2, messageEnd));
      end(() => (answer === undefined ? reject(new Error('a malformed answer')) : resolve(answer)));
    });
  });
}

function answerTo(query: Packet, message: Buffer): DecodedPacket | undefined {
  const answer = readDnsMessage(message);
  if (answer === undefined || answer.type !== 'response' || answer.id !== query.id) return undefined;
  const asked = query.questions?.[0];
  const [repeated] = answer.questions ?? [];
  const isSame = repeated?.type === asked?.type && repeated?.name.toLowerCase() === asked?.name.toLowerCase();
  // A server that refuses may leave out the question.
  return isSame || repeated === undefined ? answer : undefined;
}
