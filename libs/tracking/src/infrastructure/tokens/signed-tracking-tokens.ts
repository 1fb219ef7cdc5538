import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { TrackingTokens } from '../../application/ports/tracked-visits.port.js';
import { TrackedLink, TrackedRecipient } from '../../domain/observed-visit.js';

const recipientLength = 18;
const macLength = 10;
/** The usual beginnings of links, each stored as one byte. */
const beginnings = ['', 'https://', 'http://', 'https://www.', 'http://www.'];

/**
 * A token is base64url of: the email's id (16 bytes), the recipient's number (2), for a link the index of its beginning (1)
 * and its rest in UTF-8, and a MAC (10) over all of these and the host. A pixel's token has 38 characters; a link's has 39
 * and four more for every three bytes of the link.
 */
@Injectable()
export class SignedTrackingTokens extends TrackingTokens {
  constructor(private readonly secrets: SecretBox) {
    super();
  }

  pixel(recipient: TrackedRecipient, host: string): string {
    return this.signed('pixel', recipientBytes(recipient), host);
  }

  link({ url, ...recipient }: TrackedLink, host: string): string {
    const beginning = longestBeginning(url);
    const rest = Buffer.from(url.slice((beginnings[beginning] as string).length), 'utf8');
    return this.signed('link', Buffer.concat([recipientBytes(recipient), Buffer.of(beginning), rest]), host);
  }

  readPixel(token: string, host: string): TrackedRecipient | undefined {
    const bytes = this.verified('pixel', token, host);
    return bytes?.length === recipientLength ? recipientOf(bytes) : undefined;
  }

  readLink(token: string, host: string): TrackedLink | undefined {
    const bytes = this.verified('link', token, host);
    const beginning = beginnings[bytes?.[recipientLength] ?? beginnings.length];
    if (bytes === undefined || beginning === undefined) return undefined;
    const url = beginning + bytes.toString('utf8', recipientLength + 1);
    return /^https?:\/\//i.test(url) && URL.canParse(url) ? { ...recipientOf(bytes), url } : undefined;
  }

  private signed(purpose: string, bytes: Buffer, host: string): string {
    return Buffer.concat([bytes, this.secrets.mac(`tracking ${purpose} ${host}`, bytes, macLength)]).toString(
      'base64url',
    );
  }

  private verified(purpose: string, token: string, host: string): Buffer | undefined {
    const bytes = Buffer.from(token, 'base64url');
    // The decoder skips characters that are not base64url, so the token must equal the encoding of its bytes.
    if (bytes.length < recipientLength + macLength || bytes.toString('base64url') !== token) return undefined;
    const content = bytes.subarray(0, -macLength);
    const mac = bytes.subarray(-macLength);
    return this.secrets.verifyMac(`tracking ${purpose} ${host}`, content, mac) ? content : undefined;
  }
}

function longestBeginning(url: string): number {
  return beginnings.reduce(
    (best, text, index) => (url.startsWith(text) && text.length > (beginnings[best] as string).length ? index : best),
    0,
  );
}

function recipientBytes({ emailId, recipientNo }: TrackedRecipient): Buffer {
  const bytes = Buffer.alloc(recipientLength);
  bytes.write(emailId.replaceAll('-', ''), 'hex');
  bytes.writeUInt16BE(recipientNo, 16);
  return bytes;
}

function recipientOf(bytes: Buffer): TrackedRecipient {
  const hex = bytes.toString('hex', 0, 16);
  return {
    emailId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    recipientNo: bytes.readUInt16BE(16),
  };
}
