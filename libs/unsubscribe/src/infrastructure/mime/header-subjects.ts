import { fieldValue, readable, readHeaderFields, splitMessage } from '#mime';
import { Injectable } from '@nestjs/common';
import { MailSubjects } from '../../application/ports/unsubscribing.port.js';

/** The header of a mail that unsubscribes is a few KB; what comes after this is not read. */
const maxHeaderBytes = 64 * 1024;
const maxSubjectBytes = 4_000;

@Injectable()
export class HeaderSubjects extends MailSubjects {
  of(content: Uint8Array): string {
    const start = content.subarray(0, maxHeaderBytes);
    const { headerEnd } = splitMessage(start);
    const section = Buffer.from(start.buffer, start.byteOffset, headerEnd).toString('latin1');
    const subject = readHeaderFields(section).find(({ lowerName }) => lowerName === 'subject');
    return subject === undefined || subject.raw.length > maxSubjectBytes ? '' : readable(fieldValue(subject));
  }
}
