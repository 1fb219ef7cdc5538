import { createHash } from 'node:crypto';
import { FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { NotFoundError, Slots, timeOfId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { MessageStore, StoredMessage } from '../../application/ports/message-store.port.js';
import type { S3Location } from './s3-url.js';
import { dayOf } from './day-of.js';

/** Requests under way at once for one call. */
const concurrency = 16;
const timeoutMs = 60_000;
/** What somebody who reads a message piece by piece holds of it, and gets with one request. */
const pieceBytes = 1024 * 1024;
/** Messages of up to 40 MB that `write` has in memory at once, by one process. */
const maxWholeAtOnce = 2;
/** Tries after the first that the server answers with 429 or 5xx, with growing waits. */
const retries = 3;

/**
 * Message bytes in S3 or anything that speaks its protocol: `<prefix>/<yyyy-mm-dd>/<id>`.
 *
 * Objects are written once and never changed, each with its SHA-256 in the signature: what arrived damaged is refused
 * by the server. S3 is strongly consistent, so what `put` has written `get` finds.
 */
@Injectable()
export class S3MessageStore extends MessageStore {
  readonly joinsTransaction = false;
  private readonly client: AwsClient;
  private readonly whole = new Slots(maxWholeAtOnce);

  constructor(private readonly location: S3Location) {
    super();
    const { accessKeyId, secretAccessKey, region } = location;
    this.client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries });
  }

  async put(messages: readonly StoredMessage[]): Promise<void> {
    await inTurns(messages, async ({ id, bytes }) => {
      const response = await this.request('PUT', this.keyOf(id), { bytes });
      if (response.status !== 200) throw await unexpected('PUT', response);
      await response.arrayBuffer();
    });
  }

  /**
   * Kept in a file while they arrive: a request needs their number and their hash before the first of them. The file has
   * no name any more by then, so that nothing is left of it when this process ends.
   */
  override async write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(tmpdir(), `postrider-${id}.part`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await rm(path);
      for await (const chunk of chunks) await file.writeFile(chunk);
      await this.whole.take();
      try {
        await this.put([{ id, bytes: await contentOf(file) }]);
      } finally {
        this.whole.release();
      }
    } finally {
      await file.close();
    }
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    await inTurns(ids, async (id) => {
      const response = await this.request('GET', this.keyOf(id));
      if (response.status === 200) found.set(id, new Uint8Array(await response.arrayBuffer()));
      else if (response.status !== 404) throw await unexpected('GET', response);
      else await response.arrayBuffer();
    });
    return found;
  }

  override async *read(id: string): AsyncGenerator<Uint8Array> {
    for (let from = 0; ; from += pieceBytes) {
      const range = `bytes=${from}-${from + pieceBytes - 1}`;
      const response = await this.request('GET', this.keyOf(id), { range });
      // 416: there is nothing from here on, as of what ends with a piece.
      if (![200, 206, 404, 416].includes(response.status)) throw await unexpected('GET', response);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.status === 404 && from > 0) throw new NotFoundError('The rest of the message');
      if (response.status === 404 || response.status === 416) return;
      if (bytes.length > 0) yield bytes;
      // 200: a server that knows no ranges has sent all of it.
      if (response.status === 200 || bytes.length < pieceBytes) return;
    }
  }

  async removeDay(moment: Date): Promise<void> {
    const folder = `${this.location.prefix}${dayOf(moment)}/`;
    for (;;) {
      // Always the first page: what it named is gone when the next is asked for.
      const keys = valuesOf(await this.page({ prefix: folder }), 'Key');
      if (keys.length === 0) return;
      await inTurns(keys, async (key) => {
        const response = await this.request('DELETE', key);
        if (response.status !== 204 && response.status !== 200) throw await unexpected('DELETE', response);
        await response.arrayBuffer();
      });
    }
  }

  private async page(query: Record<string, string>): Promise<string> {
    const parameters = new URLSearchParams({ 'list-type': '2', ...query });
    const response = await this.request('GET', '', { query: parameters });
    if (response.status !== 200) throw await unexpected('LIST', response);
    return response.text();
  }

  private request(
    method: string,
    key: string,
    { bytes, query, range }: { bytes?: Uint8Array; query?: URLSearchParams; range?: string } = {},
  ): Promise<Response> {
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = `${this.location.bucketUrl}/${path}${query === undefined ? '' : `?${query.toString()}`}`;
    const hash = createHash('sha256')
      .update(bytes ?? '')
      .digest('hex');
    return this.client.fetch(url, {
      method,
      body: bytes as Uint8Array<ArrayBuffer> | undefined,
      headers: { 'x-amz-content-sha256': hash, ...(range === undefined ? {} : { range }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  private keyOf(id: string): string {
    return `${this.location.prefix}${dayOf(timeOfId(id))}/${id}`;
  }
}

async function contentOf(file: FileHandle): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow((await file.stat()).size);
  for (let at = 0; at < content.length;) {
    const { bytesRead } = await file.read(content, at, content.length - at, at);
    if (bytesRead === 0) throw new Error('A message on its way to S3 was cut short on this disk');
    at += bytesRead;
  }
  return content;
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}

/** The answer's own words stay out of the message: they may name keys. */
async function unexpected(operation: string, response: Response): Promise<Error> {
  const [code] = valuesOf(await response.text().catch(() => ''), 'Code');
  return new Error(`S3 answered ${operation} with ${response.status}${code === undefined ? '' : ` ${code}`}`);
}

/** S3 writes its XML without attributes or comments in what is read here. */
function valuesOf(xml: string, element: string): string[] {
  const values = [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))];
  return values.map(([, value = '']) =>
    value.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? ''),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
