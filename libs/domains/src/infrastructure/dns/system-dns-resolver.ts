import { getServers } from 'node:dns';
import type { Question, RecordType } from 'dns-packet';
import {
  DnsAnswer,
  DnsRecords,
  DnsRecordType,
  DnsResolver,
  DnsUnavailableError,
} from '../../application/ports/dns-resolver.port.js';
import { readAnswer } from './dns-answer.js';
import { dnsServerAddress, exchange } from './dns-exchange.js';
import { questionName, reverseName } from './dns-question.js';

export interface SystemDnsOptions {
  /** `host:port` of the resolvers to ask; empty: those of the system. */
  readonly servers: readonly string[];
  /** For one question to one server. */
  readonly timeoutMs: number;
  /** How often each server is asked. */
  readonly tries: number;
}

/** Whoever lists more servers waits no longer. */
const maxQuestions = 6;

/**
 * Asks the system's resolvers, or those named. Node's own `dns` keeps the TTL, the alias chain and the AD bit to itself,
 * so the questions are put here, message by message.
 */
export class SystemDnsResolver extends DnsResolver {
  constructor(private readonly options: SystemDnsOptions) {
    super();
  }

  async ask<Type extends DnsRecordType>(type: Type, name: string): Promise<DnsAnswer<DnsRecords[Type]>> {
    const asked = type === 'ptr' ? reverseName(name) : questionName(name);
    if (asked === undefined) return { records: [], ttl: 0, isAuthenticated: false, canonicalName: name };
    const question: Question = { type: type.toUpperCase() as RecordType, name: asked };
    let trouble = 'no server';
    for (const server of this.servers()) {
      try {
        return readAnswer(type, asked, await exchange(server, question, this.options.timeoutMs));
      } catch (error) {
        trouble = error instanceof Error ? error.message : String(error);
      }
    }
    throw new DnsUnavailableError(name, trouble);
  }

  private servers(): ReturnType<typeof dnsServerAddress>[] {
    const servers = this.options.servers.length > 0 ? this.options.servers : getServers();
    const rounds = Array.from({ length: this.options.tries }, () => servers).flat();
    return rounds.slice(0, maxQuestions).map(dnsServerAddress);
  }
}
