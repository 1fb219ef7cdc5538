import { gunzipSync } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

/** Largest text of a report. The largest real ones have a few MB. */
export const maxTextBytes = 32 * 1024 * 1024;
/** Text up to this size may be compressed by any ratio; reports of one record are small, and repeat themselves. */
const freeBytes = 1024 * 1024;
/** XML of reports shrinks to a tenth or a fiftieth. */
const maxRatio = 200;
/** Entries of an archive that are looked at. Reporters send one. */
const maxEntries = 5;

/** The report cannot be read: it is no report, or is built to do harm. */
export class NotAReportError extends Error {}

/** Bytes that this many compressed ones may become. */
export function maxInflated(compressedBytes: number): number {
  return Math.min(maxTextBytes, Math.max(freeBytes, compressedBytes * maxRatio));
}

/** Throws NotAReportError if it is damaged or too large. Never holds more than `maxInflated` bytes. */
export function gunzipped(bytes: Uint8Array, mayEndWithLine = bytes.at(-1) === 0x0a): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxInflated(bytes.length) });
  } catch (error) {
    const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    // Some reporters end the file with a line break, which zlib takes for another member.
    if (mayEndWithLine && !isTooLarge) return gunzipped(bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1), false);
    throw new NotAReportError(isTooLarge ? 'The compressed report is too large' : 'The compressed report is damaged');
  }
}

/** The first file of an archive. Directories and archives of archives are not followed. */
export async function unzipped(bytes: Uint8Array): Promise<Buffer> {
  const archive = await opened(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  try {
    return await firstFile(archive, maxInflated(bytes.length));
  } catch (error) {
    throw error instanceof NotAReportError ? error : new NotAReportError('The archive is damaged');
  } finally {
    archive.close();
  }
}

function opened(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true }, (error, archive) => {
      if (error === null) resolve(archive);
      else reject(new NotAReportError('The archive is damaged'));
    });
  });
}

function firstFile(archive: ZipFile, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let seen = 0;
    archive.on('error', reject);
    archive.on('end', () => reject(new NotAReportError('The archive has no report')));
    archive.on('entry', (entry: Entry) => {
      if (++seen > maxEntries) return reject(new NotAReportError('The archive has too many files'));
      if (entry.uncompressedSize === 0) return archive.readEntry();
      if (entry.uncompressedSize > maxBytes) return reject(new NotAReportError('The compressed report is too large'));
      readEntry(archive, entry, maxBytes).then(resolve, reject);
    });
    archive.readEntry();
  });
}

/** The size that the archive claims may be a lie, so the bytes are counted as well. */
function readEntry(archive: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(error);
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) stream.destroy(new NotAReportError('The compressed report is too large'));
        else chunks.push(chunk);
      });
      stream.on('error', reject);
      stream.on('end', () => resolve(Buffer.concat(chunks)));
    });
  });
}
