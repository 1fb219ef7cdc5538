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
import { reverseName } from '../../domain/reverse-name.js';
import { questionName } from './dns-message.js';

export interface SystemDnsOptions {
  /** `host:port` of the resolvers to ask. Empty: the resolvers of the system. */
  readonly servers: readonly string[];
  /** Timeout of one question to one server. */
  readonly timeoutMs: number;
  /** How often each server is asked. */
  readonly tries: number;
}

/** Limit of questions per look-up, so that a long list of servers does not make it slower. */
const maxQuestions = 6;

/**
 * Asks the resolvers of the system or of the configuration. Node's `dns` module does not return the TTL, the chain of
 * aliases and the AD bit, so this class sends the DNS messages itself.
 */
export class SystemDnsResolver extends DnsResolver {
  constructor(private readonly options: SystemDnsOptions) {
    super();
  }

  async ask<Type extends DnsRecordType>(type: Type, name: string): Promise<DnsAnswer<DnsRecords[Type]>> {
    const asked = type === 'ptr' ? reverseName(name) : questionName(name);
    if (asked === undefined) return { records: [], ttl: 0, isAuthenticated: false, canonicalName: name };
    const question: Question = { type: type.toUpperCase() as RecordType, name: asked };
    let failure = 'no server';
    for (const server of this.servers()) {
      try {
        return readAnswer(type, asked, await exchange(server, question, this.options.timeoutMs));
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    }
    throw new DnsUnavailableError(name, failure);
  }

  private servers(): ReturnType<typeof dnsServerAddress>[] {
    const servers = this.options.servers.length > 0 ? this.options.servers : getServers();
    const rounds = Array.from({ length: this.options.tries }, () => servers).flat();
    return rounds.slice(0, maxQuestions).map(dnsServerAddress);
  }
}
