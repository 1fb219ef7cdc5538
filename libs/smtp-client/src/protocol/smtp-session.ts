import { capabilitiesFrom, noCapabilities } from './smtp-capabilities.js';
import type { SmtpCapabilities } from './smtp-capabilities.js';
import { SmtpChannel } from './smtp-channel.js';
import { activityOf, SmtpFailure } from './smtp-failure.js';
import type { SmtpCredentials, SmtpHostOptions, SmtpPhase, TlsPolicy } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply.js';

const maxReasonLength = 500;

/** A channel over which mail can be sent: greeted, protected and authenticated as asked. */
export interface SmtpSession {
  /** Name of the host at the other end, as outcomes name it. */
  readonly host: string;
  readonly channel: SmtpChannel;
  readonly capabilities: SmtpCapabilities;
}

/**
 * Connects and goes through everything that precedes the first MAIL. Rejects with `SmtpFailure` only.
 *
 * Where TLS is opportunistic and its handshake breaks, a second connection does without, as the mail would have gone
 * in the clear had STARTTLS not been offered. Credentials are never sent that way. `channel` is one that is connected
 * to the host already.
 */
export async function openSmtpSession(options: SmtpHostOptions, channel?: SmtpChannel): Promise<SmtpSession> {
  try {
    return await open(options, channel ?? (await SmtpChannel.connect(options)));
  } catch (error) {
    if (!(error instanceof SmtpFailure) || error.kind !== 'tls' || !mayFallBack(options)) throw error;
    const inTheClear: SmtpHostOptions = { ...options, tls: 'none' };
    const session = await open(inTheClear, await SmtpChannel.connect(inTheClear));
    saysPlain(session.channel, error.message);
    return session;
  }
}

function mayFallBack(options: SmtpHostOptions): boolean {
  const isOpportunistic = options.tls === undefined || options.tls === 'opportunistic';
  return isOpportunistic && options.implicitTls !== true && options.credentials === undefined;
}

async function open(options: SmtpHostOptions, channel: SmtpChannel): Promise<SmtpSession> {
  try {
    const policy = options.tls ?? 'opportunistic';
    if (options.implicitTls === true) await channel.startTls(policy === 'required');
    await expectReply(channel, 'banner');
    let capabilities = await greet(channel, options.heloName);
    if (!channel.isEncrypted && policy !== 'none' && (await startTls(channel, capabilities, policy))) {
      // RFC 3207 section 4.2: what was said in the clear is forgotten.
      capabilities = await greet(channel, options.heloName);
    }
    if (options.credentials !== undefined) {
      await authenticate(channel, capabilities, options.credentials, options.allowPlaintextAuth === true);
    }
    return { host: options.hostName ?? options.host, channel, capabilities };
  } catch (error) {
    channel.fail('protocol', 'the handshake failed');
    throw error;
  }
}

async function greet(channel: SmtpChannel, heloName: string): Promise<SmtpCapabilities> {
  const ehlo = await channel.exchange('ehlo', `EHLO ${heloName}\r\n`);
  if (ehlo.isPositive) return capabilitiesFrom(ehlo);
  if (ehlo.code < 500) throw refused(channel, ehlo);
  await expectReply(channel, 'ehlo', `HELO ${heloName}\r\n`);
  return noCapabilities;
}

async function startTls(channel: SmtpChannel, capabilities: SmtpCapabilities, policy: TlsPolicy): Promise<boolean> {
  const isNeeded = policy === 'required' || policy === 'mandatory';
  if (!capabilities.startTls) {
    if (!isNeeded) return saysPlain(channel, 'the server does not offer STARTTLS');
    const failure = channel.fail('policy', 'TLS is required and the server does not offer STARTTLS');
    failure.isFinal = policy === 'mandatory';
    throw failure;
  }
  const reply = await channel.exchange('starttls', 'STARTTLS\r\n');
  if (!reply.isPositive) {
    if (isNeeded || reply.code === 421) throw refused(channel, reply);
    return saysPlain(channel, `the server refused STARTTLS: ${reply.toString()}`);
  }
  await channel.startTls(policy === 'required');
  return true;
}

/** Puts on record why nothing is encrypted. */
function saysPlain(channel: SmtpChannel, plaintextReason: string): false {
  channel.tls = { level: 'none', authorized: false, plaintextReason: plaintextReason.slice(0, maxReasonLength) };
  return false;
}

async function authenticate(
  channel: SmtpChannel,
  capabilities: SmtpCapabilities,
  { username, password }: SmtpCredentials,
  allowPlaintext: boolean,
): Promise<void> {
  if (!channel.isEncrypted && !channel.isLoopback && !allowPlaintext) {
    throw channel.fail('policy', 'credentials are not sent without TLS');
  }
  if (capabilities.authMechanisms.includes('PLAIN')) {
    await expectReply(channel, 'auth', `AUTH PLAIN ${base64(`\0${username}\0${password}`)}\r\n`);
  } else if (capabilities.authMechanisms.includes('LOGIN')) {
    await expectReply(channel, 'auth', 'AUTH LOGIN\r\n', 334);
    await expectReply(channel, 'auth', `${base64(username)}\r\n`, 334);
    await expectReply(channel, 'auth', `${base64(password)}\r\n`);
  } else {
    throw channel.fail('policy', 'the server offers neither AUTH PLAIN nor AUTH LOGIN');
  }
}

/** Any 2yz unless a code is named. */
async function expectReply(channel: SmtpChannel, phase: SmtpPhase, command?: string, code?: number): Promise<void> {
  const reply = await channel.exchange(phase, command);
  if (code === undefined ? !reply.isPositive : reply.code !== code) throw refused(channel, reply);
}

function refused(channel: SmtpChannel, reply: SmtpReply): SmtpFailure {
  if (reply.isNegative) return channel.fail('refused', `refused while ${activityOf(channel.phase)}`, reply);
  return channel.fail('protocol', `unexpected reply ${reply.code} while ${activityOf(channel.phase)}`);
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
