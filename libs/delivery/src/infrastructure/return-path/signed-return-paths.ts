import { decodeBase32, encodeBase32 } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { ReturnPathOwner, ReturnPaths } from '../../application/ports/message-renderer.port.js';

const prefix = 'bounces+';
const purpose = 'return path';
const ownerLength = 18;
/** 80 bits: too many to guess over SMTP. */
const macLength = 10;

/**
 * `bounces+<token>@host`. The token is the email's id (16 bytes), the recipient's number (2) and a MAC (10) in base32:
 * 45 letters and digits without regard to case, since some servers change the case of addresses. With the prefix it has
 * 53 of the 64 characters that a local part may have (RFC 5321 section 4.5.3.1.1).
 */
@Injectable()
export class SignedReturnPaths extends ReturnPaths {
  constructor(private readonly secrets: SecretBox) {
    super();
  }

  of(owner: ReturnPathOwner, host: string): string {
    const bytes = Buffer.alloc(ownerLength);
    bytes.write(owner.emailId.replaceAll('-', ''), 'hex');
    bytes.writeUInt16BE(owner.recipientNo, 16);
    const mac = this.secrets.mac(purpose, signedForm(bytes), macLength);
    return `${prefix}${encodeBase32(Buffer.concat([bytes, mac]))}@${host}`;
  }

  ownerOf(address: string): ReturnPathOwner | undefined {
    const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
    if (!local.startsWith(prefix)) return undefined;
    const token = decodeBase32(local.slice(prefix.length));
    if (token?.length !== ownerLength + macLength) return undefined;
    const bytes = token.subarray(0, ownerLength);
    if (!this.secrets.verifyMac(purpose, signedForm(bytes), token.subarray(ownerLength))) return undefined;
    return { emailId: uuidOf(bytes.toString('hex', 0, 16)), recipientNo: bytes.readUInt16BE(16) };
  }
}

/** The hexadecimal text of the bytes. Return paths already sent were signed in this form. */
function signedForm(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('hex'));
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
