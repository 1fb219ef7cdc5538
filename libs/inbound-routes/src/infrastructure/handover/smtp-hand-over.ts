import { isIP } from 'node:net';
import { DnsResolver, DnsUnavailableError, ServiceNames } from '#domains';
import { Config } from '#platform/config';
import { isPublicAddress } from '#http/outbound';
import { SmtpChannel, SmtpFailure } from '#smtp-client';
import type { SmtpReply } from '#smtp-client';
import { Injectable } from '@nestjs/common';
import { HandOver, HandOverOutcome, HandOverRequest } from '../../application/ports/routed-messages.port.js';

const stepMs = 30_000;
/** Shorter than those of RFC 5321: the host belongs to the team, and the message is tried again. */
const steps = { connect: 15_000, banner: stepMs, ehlo: stepMs, starttls: 30_000, mail: stepMs, rcpt: stepMs };
/** Of the connection, and of the transaction up to the dot. */
const limitMs = 45_000;
/** After the dot the host may have the message: to give up early is to send it twice (RFC 5321 section 4.5.3.2.6). */
const replyToDotMs = 180_000;
const timeouts = { ...steps, dataTermination: replyToDotMs };
const maxDetailLength = 300;

/** Thrown if the host refuses a step. */
class RefusedError extends Error {
  constructor(readonly reply: SmtpReply) {
    super(reply.toString());
  }
}

/** One message over a connection of its own. With one recipient the replies of LMTP are those of SMTP. */
@Injectable()
export class SmtpHandOver extends HandOver {
  private readonly heloName: string;
  private readonly mayConnect: (address: string) => boolean;

  constructor(
    private readonly dns: DnsResolver,
    names: ServiceNames,
    { values }: Config,
  ) {
    super();
    this.heloName = values.heloName ?? names.hostsOf(names.regions[0] ?? '').host;
    this.mayConnect = values.allowPrivateDestinations ? () => true : isPublicAddress;
  }

  async deliver(request: HandOverRequest): Promise<HandOverOutcome> {
    try {
      const addresses = await this.addressesOf(request.host);
      const [address] = addresses.filter((each) => this.mayConnect(each));
      if (addresses.length === 0) return failed(`${request.host} has no address in the DNS`);
      if (address === undefined) return refused(`${request.host} has a private address, to which no mail is sent`);
      return await this.over(address, request);
    } catch (error) {
      if (error instanceof DnsUnavailableError) return failed(`The DNS gave no answer for ${request.host}`);
      if (error instanceof RefusedError)
        return error.reply.code >= 500 ? refused(error.message) : failed(error.message);
      if (error instanceof SmtpFailure) return failed(error.message);
      throw error;
    }
  }

  private async addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    return (await Promise.all([this.dns.a(host), this.dns.aaaa(host)])).flat();
  }

  private async over(address: string, request: HandOverRequest): Promise<HandOverOutcome> {
    const { host, port } = request;
    const end = new AbortController();
    const options = { host: address, hostName: host, port, heloName: this.heloName, timeouts, signal: end.signal };
    const timer = setTimeout(() => end.abort('took too long'), limitMs);
    const channel = await SmtpChannel.connect(options).finally(() => clearTimeout(timer));
    const limit = setTimeout(() => channel.fail('timeout', 'took too long'), limitMs);
    try {
      return await this.transaction(channel, request, () => clearTimeout(limit));
    } finally {
      clearTimeout(limit);
      // Ends the connection; after QUIT nothing more is expected of it.
      channel.fail('disconnected', 'the transaction is over');
    }
  }

  private async transaction(
    channel: SmtpChannel,
    request: HandOverRequest,
    written: () => void,
  ): Promise<HandOverOutcome> {
    const { protocol, mailFrom, recipient, added, stuffed } = request;
    await positive(channel.exchange('banner'));
    const hello = `${protocol === 'lmtp' ? 'LHLO' : 'EHLO'} ${this.heloName}\r\n`;
    const greeting = await positive(channel.exchange('ehlo', hello));
    if (greeting.lines.some((line) => /^STARTTLS\b/i.test(line.trim()))) {
      await positive(channel.exchange('starttls', 'STARTTLS\r\n'));
      await channel.startTls(false);
      await positive(channel.exchange('ehlo', hello));
    }
    const offers = (name: string): boolean => greeting.lines.some((line) => line.trim().toUpperCase() === name);
    const isUtf8 = !isAscii(mailFrom) || !isAscii(recipient);
    if (isUtf8 && !offers('SMTPUTF8')) return refused('The host does not take addresses beyond ASCII');
    const options = `${offers('8BITMIME') ? ' BODY=8BITMIME' : ''}${isUtf8 ? ' SMTPUTF8' : ''}`;
    await positive(channel.exchange('mail', octets(`MAIL FROM:<${safe(mailFrom)}>${options}\r\n`)));
    await positive(channel.exchange('rcpt', octets(`RCPT TO:<${safe(recipient)}>\r\n`)));
    const go = await channel.exchange('dataInitiation', 'DATA\r\n');
    if (go.code !== 354) throw new RefusedError(go);
    channel.write(added);
    await write(channel, stuffed);
    written();
    const reply = await positive(channel.exchange('dataTermination', '.\r\n'));
    return { kind: 'delivered', detail: reply.toString().slice(0, maxDetailLength) };
  }
}

async function positive(exchange: Promise<SmtpReply>): Promise<SmtpReply> {
  const reply = await exchange;
  if (!reply.isPositive) throw new RefusedError(reply);
  return reply;
}

/** Lets other work run before the reply is awaited. The kernel's buffers and the memory of one message bound what waits. */
async function write(channel: SmtpChannel, bytes: Uint8Array): Promise<void> {
  channel.write(bytes);
  await new Promise((resolve) => setImmediate(resolve));
}

/** An address cannot end the command, or the brackets around it. Strangers choose the sender. */
function safe(address: string): string {
  return /[\u0000-\u0020\u007f<>]/.test(address) ? '' : address;
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/** The channel writes one byte for each character. */
function octets(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function refused(detail: string): HandOverOutcome {
  return { kind: 'refused', detail: detail.slice(0, maxDetailLength) };
}

function failed(detail: string): HandOverOutcome {
  return { kind: 'failed', detail: detail.slice(0, maxDetailLength) };
}
