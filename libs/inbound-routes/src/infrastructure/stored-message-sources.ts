import { ReceivedContents } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { FairBudget } from '#kernel';
import { readable, readHeaderFields, splitMessage } from '#mime';
import { Injectable } from '@nestjs/common';
import { LoadedMessage, MessageSources } from '../application/ports/message-sources.port.js';
import { HeaderValue } from '../domain/header-condition.js';

const megabyte = 1024 * 1024;
/** A message is in memory as it is stored, as it is sealed, and as it is stored again. */
const copies = 3;
const maxFields = 1_000;
const maxValueLength = 8_000;

@Injectable()
export class StoredMessageSources extends MessageSources {
  private readonly budget = new FairBudget({ totalBytes: 192 * megabyte, maxBytesPerOwner: 96 * megabyte });

  constructor(private readonly contents: ReceivedContents) {
    super();
  }

  async load(email: ReceivedEmail): Promise<LoadedMessage> {
    const share = await this.budget.take([email.teamId], email.size * copies);
    try {
      const whole = await this.wholeOf(email);
      const traceLength = Buffer.byteLength(email.trace);
      const content = whole.subarray(traceLength);
      let holders = 1;
      return {
        trace: Buffer.from(withoutReturnPath(email.trace)),
        content,
        header: headerOf(content),
        hold: () => void holders++,
        release: () => {
          if (--holders === 0) share.release();
        },
      };
    } catch (error) {
      share.release();
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
  const header = Buffer.from(content.buffer, content.byteOffset, headerEnd).toString('latin1');
  return readHeaderFields(header)
    .slice(0, maxFields)
    .map(({ raw }) => {
      const colon = raw.indexOf(':');
      const value = raw.slice(colon + 1, colon + 1 + maxValueLength).replace(/\r\n(?=[ \t])/g, '');
      return { name: raw.slice(0, Math.max(0, colon)).trim().toLowerCase(), value: readable(value.trim()) };
    });
}
