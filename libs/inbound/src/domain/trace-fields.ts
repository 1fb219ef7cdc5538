import { authenticationResults } from './authentication-results.js';
import { SendingServer } from './received-email.js';
import { Verdicts } from './verdicts.js';

export interface TraceContext {
  readonly hostName: string;
  readonly id: string;
  readonly client: SendingServer;
  readonly mailFrom: string;
  readonly smtpUtf8: boolean;
  readonly receivedAt: Date;
  readonly verdicts: Verdicts;
  /**
   * The only recipient. Undefined if there are several: a recipient must not learn of the others (RFC 5321 section
   * 7.2).
   */
  readonly onlyRecipient: string | undefined;
}

/** The header fields that this server adds to a message (RFC 5321 section 4.4): Return-Path, Received and the verdicts. */
export function traceFields(context: TraceContext): string {
  const { hostName, id, client, mailFrom, smtpUtf8, receivedAt, verdicts, onlyRecipient } = context;
  const protocol = `${smtpUtf8 ? 'UTF8SMTP' : 'ESMTP'}${client.tls === null ? '' : 'S'}`;
  const name = verdicts.fcrdns.result === 'pass' ? `${safe(verdicts.fcrdns.name ?? '')} ` : '';
  const forWhom = onlyRecipient === undefined ? '' : `\r\n\tfor <${safe(onlyRecipient)}>`;
  const tls = client.tls === null ? '' : `\r\n\t(using ${client.tls})`;
  return (
    `Return-Path: <${safe(mailFrom)}>\r\n` +
    `Received: from ${safe(client.helo)} (${name}[${literal(client.address)}])${tls}\r\n` +
    `\tby ${hostName} with ${protocol} id ${id}${forWhom};\r\n\t${mailDate(receivedAt)}\r\n` +
    authenticationResults(verdicts, { hostName, mailFrom, helo: client.helo, clientAddress: client.address })
  );
}

/** An address literal (RFC 5321 section 4.1.3). */
function literal(address: string): string {
  return address.includes(':') ? `IPv6:${address}` : address;
}

/** Text of the client for a header: without control characters, of bounded length. */
function safe(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?').slice(0, 320);
}

/** RFC 5322 section 3.3, in UTC. */
function mailDate(moment: Date): string {
  return moment.toUTCString().replace('GMT', '+0000');
}
