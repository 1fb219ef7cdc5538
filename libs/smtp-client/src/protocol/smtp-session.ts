import { SmtpChannel } from './smtp-channel.js';
import { activityOf, SmtpFailure } from './smtp-failure.js';
import type { SmtpCredentials, SmtpHostOptions, SmtpPhase, TlsRequirement } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply-parser.js';

const maxReasonLength = 500;

/** A session over which mail can be sent: greeted, encrypted and authenticated as the options require. */
export interface SmtpSession {
  /** Name of the host in outcomes. */
  readonly host: string;
  readonly channel: SmtpChannel;
  readonly capabilities: SmtpCapabilities;
}

/**
 * Connects and does everything that precedes the first MAIL. Rejects with `SmtpFailure` only.
 *
 * If TLS is opportunistic and its handshake fails, a second connection is made without TLS: without STARTTLS the mail
 * would not have been encrypted either. Credentials are never sent that way. `channel` is a channel that is already
 * connected to the host.
 */
export async function openSmtpSession(options: SmtpHostOptions, channel?: SmtpChannel): Promise<SmtpSession> {
  try {
    return await open(options, channel ?? (await SmtpChannel.connect(options)));
  } catch (error) {
    if (!(error instanceof SmtpFailure) || error.kind !== 'tls' || !mayFallBack(options)) throw error;
    const withoutTls: SmtpHostOptions = { ...options, tls: 'none' };
    const session = await open(withoutTls, await SmtpChannel.connect(withoutTls));
    recordPlaintext(session.channel, error.message);
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
      // RFC 3207 section 4.2: capabilities received before TLS are discarded.
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

async function startTls(
  channel: SmtpChannel,
  capabilities: SmtpCapabilities,
  policy: TlsRequirement,
): Promise<boolean> {
  const isNeeded = policy === 'required' || policy === 'mandatory';
  if (!capabilities.startTls) {
    if (!isNeeded) return recordPlaintext(channel, 'the server does not offer STARTTLS');
    const failure = channel.fail('policy', 'TLS is required and the server does not offer STARTTLS');
    failure.isFinal = policy === 'mandatory';
    throw failure;
  }
  const reply = await channel.exchange('starttls', 'STARTTLS\r\n');
  if (!reply.isPositive) {
    if (isNeeded || reply.code === 421) throw refused(channel, reply);
    return recordPlaintext(channel, `the server refused STARTTLS: ${reply.toString()}`);
  }
  await channel.startTls(policy === 'required');
  return true;
}

/** Records why the connection is not encrypted. */
function recordPlaintext(channel: SmtpChannel, plaintextReason: string): false {
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

/** Expects the given code, or any 2yz reply. */
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

/** The extensions of RFC 5321's EHLO reply that this client uses. */
export interface SmtpCapabilities {
  readonly pipelining: boolean;
  readonly startTls: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  /** Whether SIZE was offered. `maxSizeBytes` is its limit in bytes, Infinity if it names none (RFC 1870). */
  readonly size: boolean;
  readonly maxSizeBytes: number;
  readonly authMechanisms: readonly string[];
}

/** The capabilities of a server that only knows HELO. */
const noCapabilities: SmtpCapabilities = {
  pipelining: false,
  startTls: false,
  eightBitMime: false,
  smtpUtf8: false,
  size: false,
  maxSizeBytes: Infinity,
  authMechanisms: [],
};

/** Maximum length of the parameters of one keyword, over all its lines. */
const maxParameterCharacters = 2_048;

export function capabilitiesFrom(ehlo: SmtpReply): SmtpCapabilities {
  const parameters = new Map<string, string>();
  for (const line of ehlo.lines.slice(1)) {
    const text = line.trim();
    const [keyword] = /^[a-z0-9-]+/i.exec(text) ?? [];
    if (keyword === undefined) continue;
    const name = keyword.toUpperCase();
    // Some old servers write `AUTH=PLAIN`, in addition to the standard form.
    const hasSeparator = ' ='.includes(text.charAt(keyword.length));
    const rest = text.slice(keyword.length + (hasSeparator ? 1 : 0)).trim();
    const known = parameters.get(name) ?? '';
    if (known.length <= maxParameterCharacters) parameters.set(name, `${known} ${rest}`.trim());
  }
  const limit = Number(parameters.get('SIZE'));
  return {
    pipelining: parameters.has('PIPELINING'),
    startTls: parameters.has('STARTTLS'),
    eightBitMime: parameters.has('8BITMIME'),
    smtpUtf8: parameters.has('SMTPUTF8'),
    size: parameters.has('SIZE'),
    maxSizeBytes: limit > 0 ? limit : Infinity,
    authMechanisms: (parameters.get('AUTH') ?? '').toUpperCase().split(' '),
  };
}
