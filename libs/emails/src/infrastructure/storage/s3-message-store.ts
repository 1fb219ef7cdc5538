import { createHash } from 'node:crypto';
import { FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { Injectable } from '@nestjs/common';
import { NotFoundError, Slots, timeOfId } from '#kernel';
import { dayOf, MessageStore, StoredMessage } from '../../application/ports/message-store.port.js';

interface S3Location {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** URL of the bucket in path style, without a trailing slash. */
  readonly bucketUrl: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

/**
 * Parses `https://key:secret@host/bucket/prefix?region=eu-central-1`. Every S3-compatible server understands path
 * style. Throws `RangeError` with a message for the operator, which leaves out the URL because it contains a secret.
 */
export function s3LocationFromUrl(text: string): S3Location {
  const url = new URL(text);
  if (url.username === '' || url.password === '') throw new RangeError('S3_URL needs an access key and a secret');
  const [bucket, ...folders] = url.pathname.split('/').filter((part) => part !== '');
  if (bucket === undefined) throw new RangeError('S3_URL needs the name of a bucket as its path');
  return {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucketUrl: `${url.origin}/${bucket}`,
    prefix: folders.map((folder) => `${decodeURIComponent(folder)}/`).join(''),
  };
}

/** Concurrent requests of one call. */
const concurrency = 16;
const timeoutMs = 60_000;
/** Bytes per request of a read in pieces, which a reader holds in memory. */
const pieceBytes = 1024 * 1024;
/** Messages of up to 40 MB that `write` holds in memory at the same time, in one process. */
const maxWholeMessages = 2;
/** Retries after a response with 429 or 5xx, with growing waits. */
const retries = 3;

/**
 * Stores messages in S3 or a compatible service: `<prefix>/<yyyy-mm-dd>/<id>`.
 *
 * Objects are written once and never changed. The signature of each contains its SHA-256, so that the server refuses
 * damaged bytes. S3 is strongly consistent: `get` finds everything that `put` has written.
 */
@Injectable()
export class S3MessageStore extends MessageStore {
  readonly joinsTransaction = false;
  private readonly client: AwsClient;
  private readonly whole = new Slots(maxWholeMessages);

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
   * Keeps the bytes in a file while they arrive, because a request needs their length and hash before the first byte.
   * The file is unlinked as soon as it is open, so that nothing is left of it when this process ends.
   */
  override async write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(tmpdir(), `postrider-${id}.part`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await rm(path);
      for await (const chunk of chunks) await file.writeFile(chunk);
      await this.whole.use(async () => this.put([{ id, bytes: await contentOf(file) }]));
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
      // 416: the message ended exactly with the previous piece.
      if (![200, 206, 404, 416].includes(response.status)) throw await unexpected('GET', response);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.status === 404 && from > 0) throw new NotFoundError('The rest of the message');
      if (response.status === 404 || response.status === 416) return;
      if (bytes.length > 0) yield bytes;
      // 200: a server without support for ranges has sent the whole message.
      if (response.status === 200 || bytes.length < pieceBytes) return;
    }
  }

  remove(ids: readonly string[]): Promise<void> {
    return inTurns(ids, (id) => this.delete(this.keyOf(id)));
  }

  async removeDay(moment: Date): Promise<void> {
    const folder = `${this.location.prefix}${dayOf(moment)}/`;
    for (;;) {
      // Always reads the first page: the keys that it listed are deleted before the next request.
      const keys = valuesOf(await this.page({ prefix: folder }), 'Key');
      if (keys.length === 0) return;
      await inTurns(keys, (key) => this.delete(key));
    }
  }

  private async delete(key: string): Promise<void> {
    const response = await this.request('DELETE', key);
    if (![200, 204, 404].includes(response.status)) throw await unexpected('DELETE', response);
    await response.arrayBuffer();
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

/** Leaves out the text of the response, which may contain keys. */
async function unexpected(operation: string, response: Response): Promise<Error> {
  const [code] = valuesOf(await response.text().catch(() => ''), 'Code');
  return new Error(`S3 responded to ${operation} with ${response.status}${code === undefined ? '' : ` ${code}`}`);
}

/** Reads values from the XML of S3, whose elements of interest have no attributes or comments. */
function valuesOf(xml: string, element: string): string[] {
  const values = [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))];
  return values.map(([, value = '']) =>
    value.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? ''),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
