import { ServiceNames } from '#domains';
import { ReceivedContents } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { DomainError } from '#kernel';
import { readable, readHeaderFields, splitMessage } from '#mime';
import { dotStuffed, inspectContent } from '#smtp-client';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { LoadedMessage, RoutedMessages, SealRequest } from '../../application/ports/routed-messages.port.js';
import { originalOf } from '../../domain/forwarding.js';
import { comparisonsOf, HeaderCondition, HeaderValue, holdingAmong } from '../../domain/header-condition.js';
import { headerConditionsParser } from './header-conditions.parser.js';
import { MessageMemory } from './message-memory.js';
import { sealParser } from './seal.parser.js';

/** Conditions and loops look at this much of a header. Real ones have 20 KB at most. */
const maxHeaderBytes = 256 * 1024;
const maxFields = 1_000;
const maxValueLength = 8_000;
/** Less work is done in this thread: the worst case, a search for `baaa…` in `aaa…`, takes 1 ms. */
const maxInlineComparisons = 500_000;

class ConditionsTakeTooLongError extends DomainError {
  constructor() {
    super('invalid', 'validation_error', 'The conditions of your routes take too long for this header.');
  }
}

@Injectable()
export class StoredRoutedMessages extends RoutedMessages {
  private readonly memory = new MessageMemory();

  private readonly hostName: string;

  constructor(
    private readonly contents: ReceivedContents,
    private readonly threads: ParserThreads,
    names: ServiceNames,
  ) {
    super();
    this.hostName = names.hostsOf(names.regions[0] ?? '').host;
  }

  async load(email: ReceivedEmail): Promise<LoadedMessage> {
    const memory = await this.memory.take(email.teamId, email.size);
    try {
      const whole = await this.wholeOf(email);
      const traceLength = Buffer.byteLength(email.trace);
      const content = whole.subarray(traceLength);
      const header = headerOf(content);
      let stuffed: Uint8Array | undefined;
      return {
        trace: Buffer.from(withoutReturnPath(email.trace)),
        content,
        get stuffed() {
          return (stuffed ??= dotStuffed(content, inspectContent(content).dottedLines));
        },
        header,
        originalId: originalOf(email, header, this.hostName),
        holdForHost: () => memory.holdForHost(),
        release: () => memory.release(),
      };
    } catch (error) {
      memory.release();
      throw error;
    }
  }

  async holding(
    teamId: string,
    conditions: readonly HeaderCondition[],
    header: readonly HeaderValue[],
  ): Promise<ReadonlySet<HeaderCondition>> {
    if (comparisonsOf(conditions, header) <= maxInlineComparisons) return holdingAmong(conditions, header);
    const names = new Set(conditions.map(({ header: name }) => name));
    const bytes = new TextEncoder().encode(JSON.stringify(header.filter(({ name }) => names.has(name))));
    try {
      const indexes = await this.threads.run(headerConditionsParser, { owner: teamId, bytes, options: conditions });
      return new Set(indexes.map((index) => conditions[index] as HeaderCondition));
    } catch (error) {
      if (error instanceof UnreadableError) throw new ConditionsTakeTooLongError();
      throw error;
    }
  }

  async seal({ message, key, results, chain, owner }: SealRequest): Promise<Uint8Array> {
    const { domainName: signingDomain, selector, privateKey } = key;
    const options = { signingDomain, selector, privateKey, authResults: results, cv: chain };
    try {
      return await this.threads.run(sealParser, { owner, bytes: message, options });
    } catch (error) {
      if (error instanceof UnreadableError) return new Uint8Array();
      throw error;
    }
  }

  private async wholeOf(email: ReceivedEmail): Promise<Buffer> {
    const source = await this.contents.source(email, email.teamId);
    try {
      const whole = Buffer.alloc(source.size);
      let at = 0;
      for await (const piece of source.content) {
        whole.set(piece.subarray(0, source.size - at), at);
        at += piece.length;
      }
      return whole;
    } finally {
      source.release();
    }
  }
}

function withoutReturnPath(trace: string): string {
  return /^Return-Path:/i.test(trace) ? trace.slice(trace.indexOf('\r\n') + 2) : trace;
}

function headerOf(content: Uint8Array): HeaderValue[] {
  const { headerEnd } = splitMessage(content);
  const bytes = Math.min(headerEnd, maxHeaderBytes);
  const header = Buffer.from(content.buffer, content.byteOffset, bytes).toString('latin1');
  return readHeaderFields(header)
    .slice(0, maxFields)
    .map(({ raw }) => {
      const colon = raw.indexOf(':');
      const value = raw.slice(colon + 1, colon + 1 + maxValueLength).replace(/\r\n(?=[ \t])/g, '');
      return { name: raw.slice(0, Math.max(0, colon)).trim().toLowerCase(), value: readable(value.trim()) };
    });
}
