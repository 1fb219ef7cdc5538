import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { DeliveryTransport, NotAttemptedError } from '#delivery';
import type { DeliveryOutcome, MessageContent, OutboundMessage } from '#delivery';
import { FairBudget } from '#kernel';
import { NodemailerResult, outcomesOf } from './nodemailer-outcomes.js';
import type { NodemailerAddress } from './relay-url.js';

/** A transport that has not called back by then is given up. As long as an SMTP server may take for a message. */
const maxMs = 10 * 60_000;

/** The part of a transport of Nodemailer that is used (https://nodemailer.com/plugins/create#transports). */
interface NodemailerPlugin {
  send(mail: unknown, callback: (error: unknown, info: unknown) => void): void;
  close?(): void;
  on?(event: 'error', listener: () => void): void;
}

export interface NodemailerOptions extends NodemailerAddress {
  /** Messages that are given to the transport at the same time. */
  readonly connections: number;
}

/**
 * Gives mail to a transport of Nodemailer, which the operator names. It gets the finished message, signed, with its envelope. A
 * transport that makes a message of its own from fields (`html`, `subject`) cannot be used, and is refused when it asks for
 * them.
 */
export class NodemailerDeliveryTransport extends DeliveryTransport {
  readonly #plugin: Promise<NodemailerPlugin>;
  readonly #turns: FairBudget;
  readonly #withdrawn = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(private readonly options: NodemailerOptions) {
    super();
    const { connections } = options;
    this.#turns = new FairBudget({ total: connections, maxPerOwner: connections });
    this.#plugin = loadPlugin(options);
    this.#plugin.catch(() => undefined);
  }

  /** Rejects with a message for the operator if the module cannot be used. */
  async ready(): Promise<void> {
    await this.#plugin;
  }

  concurrencyOf(): number {
    return this.options.connections;
  }

  async deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    if (this.#isClosed) throw new Error('The transport has been closed');
    const delivery = this.#deliver(message);
    this.#underWay.add(delivery);
    try {
      return await delivery;
    } finally {
      this.#underWay.delete(delivery);
    }
  }

  override withdraw(): void {
    this.#withdrawn.abort(new NotAttemptedError());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
    await this.#plugin.then(
      (plugin) => plugin.close?.(),
      () => undefined,
    );
  }

  async #deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    if (message.tls === 'enforced') return message.recipients.map(() => this.#notEncrypted());
    const turn = await this.#turns.take([message.teamId], 1, this.#withdrawn.signal);
    try {
      const plugin = await this.#plugin;
      const content = await message.content();
      return outcomesOf(
        message.recipients,
        await this.#send(plugin, message, content).finally(() => content.release()),
      );
    } finally {
      turn.release();
    }
  }

  /** What a transport does behind its callback is its own affair, so that nobody can promise an encrypted way. */
  #notEncrypted(): DeliveryOutcome {
    const reason = 'The domain enforces TLS, which a transport of Nodemailer does not promise';
    return { kind: 'bounced', reason, category: 'our-fault', detail: { host: this.options.module, durationMs: 0 } };
  }

  /** Resolves with the first thing that the transport says, or with nothing once it has taken too long. Never rejects. */
  #send(plugin: NodemailerPlugin, message: OutboundMessage, { bytes }: MessageContent): Promise<NodemailerResult> {
    const startedAt = performance.now();
    const streams: Readable[] = [];
    const read = (): Readable => {
      const stream = Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)], { objectMode: false });
      streams.push(stream);
      return stream;
    };
    return new Promise((done) => {
      const deadline = new AbortController();
      const end = (error: unknown, info: unknown): void => {
        clearTimeout(timer);
        const wasRead = streams.some(({ readableEnded }) => readableEnded);
        for (const stream of streams) stream.destroy();
        done({ error, info, wasRead, host: this.options.module, durationMs: performance.now() - startedAt });
      };
      const timer = setTimeout(() => {
        end(new Error('the transport did not call back'), undefined);
        deadline.abort();
      }, maxMs);
      try {
        plugin.send(mailOf(message, read, deadline.signal), end);
      } catch (error) {
        end(error, undefined);
      }
    });
  }
}

const fieldsOfMessages = (
  'from sender replyTo to cc bcc subject text html amp headers attachments alternatives icalEvent inReplyTo ' +
  'references list'
).split(' ');

const notFinished = (): Error =>
  new Error('This transport makes its own message from fields: only transports that send the finished one can be used');

/** What Nodemailer calls a `MailMessage`, for a message that is finished. */
function mailOf({ mailFrom, recipients }: OutboundMessage, read: () => Readable, signal: AbortSignal): unknown {
  const envelope = { from: mailFrom, to: recipients };
  const data = { envelope, signal };
  for (const field of fieldsOfMessages) {
    Object.defineProperty(data, field, {
      get: () => {
        throw notFinished();
      },
    });
  }
  return {
    data,
    message: {
      _headers: [],
      // Transports write into it.
      getEnvelope: () => ({ from: mailFrom, to: [...recipients] }),
      getHeader: () => '',
      messageId: () => '',
      createReadStream: read,
    },
    normalize: (callback: (error: unknown) => void) => callback(notFinished()),
  };
}

async function loadPlugin({ module, options }: NodemailerAddress): Promise<NodemailerPlugin> {
  const found: unknown = await importModule(module);
  const plugin: unknown = isPlugin(found) ? found : made(found, options);
  if (!isPlugin(plugin)) throw new RangeError(`The module ${module} is no transport of Nodemailer: it has no send()`);
  plugin.on?.('error', () => undefined);
  return plugin;
}

/** A path from the working directory, or a package that is installed there or with this program. */
async function importModule(name: string): Promise<unknown> {
  try {
    const imported: unknown = await import(
      /^\.{0,2}\//.test(name) ? pathToFileURL(resolve(name)).href : installed(name)
    );
    return defaultOf(defaultOf(imported));
  } catch (error) {
    throw new RangeError(`The module ${name} of RELAY_URL cannot be loaded: ${(error as Error).message}`);
  }
}

function installed(name: string): string {
  try {
    return pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(name)).href;
  } catch {
    return name;
  }
}

/** CommonJS has its exports in `default`, and some compilers theirs in the `default` of it. */
function defaultOf(imported: unknown): unknown {
  if (typeof imported !== 'object' || imported === null || isPlugin(imported)) return imported;
  return 'default' in imported ? imported.default : imported;
}

/** Modules export a class, or a function that returns a transport. */
function made(found: unknown, options: Readonly<Record<string, unknown>>): unknown {
  if (typeof found !== 'function') return undefined;
  const isConstructor = (found as { prototype?: unknown }).prototype !== undefined;
  return isConstructor ? Reflect.construct(found, [options]) : (found as (given: unknown) => unknown)(options);
}

function isPlugin(value: unknown): value is NodemailerPlugin {
  return typeof value === 'object' && value !== null && 'send' in value && typeof value.send === 'function';
}
