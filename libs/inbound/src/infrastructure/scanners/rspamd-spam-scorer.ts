import { Readable } from 'node:stream';
import { Logger } from '#observability/logging';
import { ScannedMessage, SpamScorer } from '../../application/ports/scanners.port.js';
import { SpamVerdict } from '../../domain/verdicts.js';

const timeoutMs = 10_000;
/** Rspamd refuses larger messages by default, and large mail is no spam. */
const maxScoredBytes = 10 * 1024 * 1024;
const maxSymbols = 200;
const maxResponseBytes = 1024 * 1024;
const maxHeaderLength = 320;
/** The actions with which Rspamd says that a message is spam. The others are `no action` and `greylist`. */
const spamActions = ['reject', 'add header', 'rewrite subject'];

interface RspamdResult {
  readonly score?: unknown;
  readonly required_score?: unknown;
  readonly action?: unknown;
  readonly symbols?: Readonly<Record<string, { readonly score?: unknown } | undefined>>;
}

/** Asks a normal worker of Rspamd over HTTP. Mail is accepted without a score if it does not respond. */
export class RspamdSpamScorer extends SpamScorer {
  constructor(
    /** Such as `http://127.0.0.1:11333`. */
    private readonly url: string,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {
    super();
  }

  async score(message: ScannedMessage): Promise<SpamVerdict | null> {
    if (message.size > maxScoredBytes) return null;
    try {
      const response = await fetch(new URL('/checkv2', this.url), {
        method: 'POST',
        headers: headersOf(message),
        body: Readable.toWeb(Readable.from(message.read(), { objectMode: false })) as ReadableStream<Uint8Array>,
        duplex: 'half',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`Rspamd responded with ${response.status}`);
      return verdictOf(JSON.parse(await textOf(response)) as RspamdResult);
    } catch (error) {
      this.logger.warn({ error, id: message.id }, 'a message was accepted without a spam score');
      return null;
    }
  }
}

function headersOf({ id, client, mailFrom, recipients }: ScannedMessage): [string, string][] {
  return [
    ['content-type', 'message/rfc822'],
    ['queue-id', id],
    ['ip', client.address],
    ['helo', safe(client.helo)],
    ['from', safe(mailFrom)],
    ...recipients.map((recipient): [string, string] => ['rcpt', safe(recipient)]),
  ];
}

/** Headers hold ASCII. */
function safe(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, maxHeaderLength);
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxResponseBytes) throw new Error('The response of Rspamd is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function verdictOf({ score, required_score: required, action, symbols = {} }: RspamdResult): SpamVerdict {
  if (typeof score !== 'number' || !Number.isFinite(score)) throw new Error('The response of Rspamd has no score');
  return {
    score,
    requiredScore: typeof required === 'number' ? required : 15,
    isSpam: typeof action === 'string' && spamActions.includes(action),
    symbols: Object.fromEntries(
      Object.entries(symbols)
        .slice(0, maxSymbols)
        .map(([name, symbol]) => [name.slice(0, 100), typeof symbol?.score === 'number' ? symbol.score : 0]),
    ),
  };
}
