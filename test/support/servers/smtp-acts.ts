import type { TLSSocketOptions } from 'node:tls';

/** What the server does when its turn comes. Texts go out as they are, CRLF added at the end. */
export type Act =
  | { readonly kind: 'reply'; readonly text: string; readonly thenDisconnect?: boolean }
  /** The reply one byte at a time. */
  | { readonly kind: 'dribble'; readonly text: string }
  /** The text again and again, one byte at a time with a pause behind each, until the other side hangs up. */
  | { readonly kind: 'trickle'; readonly text: string; readonly everyMs: number }
  /** The reply and TLS: with the test's certificate, unless the options say otherwise. */
  | { readonly kind: 'tls'; readonly text: string; readonly options: TLSSocketOptions }
  /** The reply, and then this text in answer to whatever comes. */
  | { readonly kind: 'babble'; readonly text: string; readonly nonsense: string }
  /** The same text again and again until the other side hangs up. */
  | { readonly kind: 'endless'; readonly text: string }
  /** The reply, and then nothing is read any more. */
  | { readonly kind: 'stopReading'; readonly text: string }
  /** Sends the reply, reads `bytes` bytes, and then sends `last` or closes the connection. */
  | { readonly kind: 'interrupt'; readonly text: string; readonly bytes: number; readonly last?: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'disconnect' };

export type ServerPhase =
  'banner' | 'ehlo' | 'helo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot' | 'rset' | 'quit';

/** One act for every time the phase is reached, or a list whose last act repeats. Phases left out go well. */
export type Script = Partial<Record<ServerPhase, Act | readonly Act[]>>;

export const reply = (text: string): Act => ({ kind: 'reply', text });
export const replyAndDisconnect = (text: string): Act => ({ kind: 'reply', text, thenDisconnect: true });
export const dribble = (text: string): Act => ({ kind: 'dribble', text });
export const trickle = (text: string, everyMs = 20): Act => ({ kind: 'trickle', text, everyMs });
export const startTls = (options: TLSSocketOptions = {}): Act => ({ kind: 'tls', text: '220 2.0.0 Go', options });
export const babble = (text: string, nonsense: string): Act => ({ kind: 'babble', text, nonsense });
export const endless = (text: string): Act => ({ kind: 'endless', text });
export const stopReading = (text: string): Act => ({ kind: 'stopReading', text });
export const interrupt = (text: string, bytes: number, last?: string): Act => ({
  kind: 'interrupt',
  text,
  bytes,
  last,
});
export const silence: Act = { kind: 'silence' };
export const disconnect: Act = { kind: 'disconnect' };

/** An EHLO reply with these keywords. */
export const ehlo = (...keywords: string[]): Act =>
  reply(
    ['scripted.test', ...keywords].map((line, at) => `250${at === keywords.length ? ' ' : '-'}${line}`).join('\r\n'),
  );

export const wellBehaved: Record<ServerPhase, Act> = {
  banner: reply('220 scripted.test ESMTP'),
  ehlo: ehlo('PIPELINING', '8BITMIME', 'SIZE', 'ENHANCEDSTATUSCODES'),
  helo: reply('250 scripted.test'),
  starttls: reply('454 4.7.0 TLS not available'),
  auth: reply('235 2.7.0 Authenticated'),
  mail: reply('250 2.1.0 OK'),
  rcpt: reply('250 2.1.5 OK'),
  data: reply('354 Go ahead'),
  dot: reply('250 2.0.0 Queued'),
  rset: reply('250 2.0.0 OK'),
  quit: reply('221 2.0.0 Bye'),
};

export const phaseOfVerb: Record<string, ServerPhase> = {
  EHLO: 'ehlo',
  HELO: 'helo',
  STARTTLS: 'starttls',
  AUTH: 'auth',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
  RSET: 'rset',
  QUIT: 'quit',
};
