import { parseEmailAddress } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { SenderRewriting } from '../../application/ports/sender-rewriting.port.js';
import { encodeBase32, decodedBase32, valueOf } from './base32.js';

const purpose = 'rewritten sender';
const dayMs = 86_400_000;
/** Days for which a bounce may come back. Servers retry for five days. */
const validDays = 21;
const days = 1_024;
/** 80 bits: too many to guess over SMTP. */
const macLength = 10;
const maxLocalLength = 64;

/**
 * `SRS0=<mac>=<day>=<domain>=<local>@<host>`, the usual form, with a longer signature. The day counts modulo 1024 in two letters.
 * The signature is over the rest and the host, without regard to case, since some servers change the case of addresses.
 */
@Injectable()
export class SignedSenderRewriting extends SenderRewriting {
  constructor(private readonly secrets: SecretBox) {
    super();
  }

  rewritten(sender: string, host: string, now: Date): string | undefined {
    const parsed = parseEmailAddress(sender);
    // A quoted local part cannot be a part of an unquoted one.
    if (parsed === undefined || parsed.local.startsWith('"')) return undefined;
    const day = dayOf(now);
    const rest = `${day}=${parsed.domain}=${parsed.local}`;
    const mac = encodeBase32(this.secrets.mac(purpose, signedForm(rest, host), macLength));
    const local = `SRS0=${mac}=${rest}`;
    return local.length <= maxLocalLength ? `${local}@${host}` : undefined;
  }

  isRewritten(address: string): boolean {
    return /^srs[01][=+-]/i.test(address);
  }

  original(address: string, now: Date): string | undefined {
    const at = address.lastIndexOf('@');
    const [, mac, day, domain, local] =
      /^SRS0=([a-z2-7]{16})=([a-z2-7]{2})=([^=@]{1,64})=([^@]{1,64})$/i.exec(address.slice(0, at)) ?? [];
    if (mac === undefined || day === undefined || domain === undefined || local === undefined) return undefined;
    const given = decodedBase32(mac.toLowerCase(), macLength);
    const signed = signedForm(`${day}=${domain}=${local}`, address.slice(at + 1));
    if (given === undefined || !this.secrets.verifyMac(purpose, signed, given)) return undefined;
    const age = (valueOf(dayOf(now)) - valueOf(day.toLowerCase()) + days) % days;
    // The clock of another process may be ahead, so the next day is valid as well.
    return age <= validDays || age === days - 1 ? parseEmailAddress(`${local}@${domain}`)?.address : undefined;
  }
}

function signedForm(rest: string, host: string): Buffer {
  return Buffer.from(`${rest}@${host}`.toLowerCase());
}

function dayOf(now: Date): string {
  const day = Math.floor(now.getTime() / dayMs) % days;
  return encodeBase32(Uint8Array.of(day >>> 2, (day & 3) << 6)).slice(0, 2);
}
