import { createSocket } from 'node:dgram';
import type { Socket as UdpSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import {
  AnswerRecord,
  Question,
  readQuestion,
  recordTypes,
  RecordType,
  txtData,
  writeAnswer,
  writeName,
} from './dns-message.js';
import { addressData, caaData, mxData, tlsaData } from './dns-message.js';

type Trouble = 'servfail' | 'refused' | 'silence' | 'silence over tcp' | 'nonsense';

const maxUdpBytes = 512;
const maxAliasChainLength = 10;

/** A DNS server on loopback, authoritative for every name. It answers with the given records, and misbehaves on request. */
export class DnsServer {
  /** Every question in order, such as `TXT example.test`; over TCP, the type is followed by `/tcp`. */
  readonly questions: string[] = [];

  readonly #records = new Map<string, Map<RecordType, Buffer[]>>();
  readonly #troubles = new Map<string, Trouble>();
  readonly #connections = new Set<Socket>();
  readonly #ttls = new Map<string, number>();
  readonly #authenticated = new Set<string>();

  private constructor(
    private readonly udp: UdpSocket,
    private readonly tcp: Server,
  ) {}

  static async listen(): Promise<DnsServer> {
    for (;;) {
      const udp = createSocket('udp4');
      const tcp = createServer();
      const server = new DnsServer(udp, tcp);
      await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
      // The same port must be free for UDP and TCP; if it is not, another one is tried.
      if (await server.#listenTcp()) return server;
      await new Promise<void>((resolve) => udp.close(() => resolve()));
    }
  }

  /** `host:port`, the form of DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.udp.address().port}`;
  }

  txt(name: string, ...records: (string | readonly string[])[]): this {
    return this.#set(
      name,
      'TXT',
      records.map((record) => txtData(typeof record === 'string' ? [record] : record)),
    );
  }

  mx(name: string, ...records: (readonly [preference: number, exchange: string])[]): this {
    return this.#set(
      name,
      'MX',
      records.map(([preference, exchange]) => mxData(preference, exchange)),
    );
  }

  a(name: string, ...addresses: string[]): this {
    return this.#set(name, 'A', addresses.map(addressData));
  }

  aaaa(name: string, ...addresses: string[]): this {
    return this.#set(name, 'AAAA', addresses.map(addressData));
  }

  cname(name: string, target: string): this {
    return this.#set(name, 'CNAME', [writeName(target)]);
  }

  ns(name: string, ...hosts: string[]): this {
    return this.#set(name, 'NS', hosts.map(writeName));
  }

  caa(name: string, ...records: (readonly [tag: string, value: string])[]): this {
    return this.#set(
      name,
      'CAA',
      records.map(([tag, value]) => caaData(tag, value)),
    );
  }

  /** Sets the PTR records of an IPv4 address. */
  ptr(address: string, ...hosts: string[]): this {
    return this.#set(`${address.split('.').reverse().join('.')}.in-addr.arpa`, 'PTR', hosts.map(writeName));
  }

  tlsa(
    name: string,
    ...records: (readonly [usage: number, selector: number, matchingType: number, data: Uint8Array])[]
  ): this {
    return this.#set(
      name,
      'TLSA',
      records.map((record) => tlsaData(...record)),
    );
  }

  /** TTL of all records of the name, and of their absence, in seconds. */
  ttl(name: string, seconds: number): this {
    this.#ttls.set(name.toLowerCase(), seconds);
    return this;
  }

  /** Answers for these names have the AD bit, as from a validating resolver. */
  authenticate(...names: string[]): this {
    for (const name of names) this.#authenticated.add(name.toLowerCase());
    return this;
  }

  remove(name: string, type?: RecordType): this {
    if (type === undefined) this.#records.delete(name.toLowerCase());
    else this.#records.get(name.toLowerCase())?.delete(type);
    return this;
  }

  /** Makes questions for this name fail from now on; undefined ends that. */
  trouble(name: string, trouble: Trouble | undefined): this {
    if (trouble === undefined) this.#troubles.delete(name.toLowerCase());
    else this.#troubles.set(name.toLowerCase(), trouble);
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    await new Promise<void>((resolve) => this.udp.close(() => resolve()));
    await new Promise((resolve) => this.tcp.close(resolve));
  }

  #set(name: string, type: RecordType, data: Buffer[]): this {
    const records = this.#records.get(name.toLowerCase()) ?? new Map<RecordType, Buffer[]>();
    this.#records.set(name.toLowerCase(), records.set(type, data));
    return this;
  }

  #listenTcp(): Promise<boolean> {
    this.udp.on('message', (message, from) => {
      const answer = this.#answer(readQuestion(message), maxUdpBytes, '');
      if (answer !== undefined) this.udp.send(answer, from.port, from.address);
    });
    this.tcp.on('connection', (socket) => this.#accept(socket));
    const port = this.udp.address().port;
    return new Promise((resolve) => {
      this.tcp.once('error', () => resolve(false));
      this.tcp.listen(port, '127.0.0.1', () => resolve(true));
    });
  }

  #accept(socket: Socket): void {
    let received = Buffer.alloc(0);
    this.#connections.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#connections.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const answer = this.#answer(readQuestion(received.subarray(2, end)), 65_535, '/tcp');
        received = received.subarray(end);
        if (answer === undefined) continue;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([length, answer]));
      }
    });
  }

  #answer(question: Question, maxBytes: number, over: string): Buffer | undefined {
    const type = (Object.keys(recordTypes) as RecordType[]).find((key) => recordTypes[key] === question.type);
    this.questions.push(`${type ?? question.type}${over} ${question.name}`);
    const trouble = this.#troubles.get(question.name);
    if (trouble === 'silence' || (trouble === 'silence over tcp' && over !== '')) return undefined;
    if (trouble === 'nonsense') return Buffer.concat([question.raw, Buffer.from([0xff, 0xff, 0xff])]);
    if (trouble === 'servfail' || trouble === 'refused') {
      return writeAnswer(question, [], { code: trouble === 'servfail' ? 'SERVFAIL' : 'REFUSED' });
    }
    const { answers, exists } = this.#find(question.name, type);
    const isAuthenticated = this.#authenticated.has(question.name);
    const absentFor = answers.length === 0 ? this.#ttls.get(question.name) : undefined;
    const code = exists ? 'NOERROR' : 'NXDOMAIN';
    const answer = writeAnswer(question, answers, { code, isAuthenticated, absentFor });
    return answer.length <= maxBytes ? answer : writeAnswer(question, [], { code: 'NOERROR', isTruncated: true });
  }

  /** The records with the chain of aliases before them, as in a resolver's answer. A loop is cut off like in a resolver. */
  #find(name: string, type: RecordType | undefined, hops = 0): { answers: AnswerRecord[]; exists: boolean } {
    const records = this.#records.get(name);
    const ttl = this.#ttls.get(name);
    const of = (wanted: RecordType): AnswerRecord[] =>
      (records?.get(wanted) ?? []).map((data) => ({ name, type: wanted, data, ttl }));
    const alias = of('CNAME');
    const [target] = alias;
    if (target === undefined || type === 'CNAME' || type === undefined || hops === maxAliasChainLength) {
      return { answers: type === undefined ? [] : of(type), exists: records !== undefined && records.size > 0 };
    }
    const next = this.#find(nameIn(target.data), type, hops + 1);
    return { answers: [...alias, ...next.answers], exists: next.exists };
  }
}

function nameIn(data: Buffer): string {
  return readQuestion(Buffer.concat([Buffer.alloc(12), data, Buffer.alloc(4)])).name;
}
