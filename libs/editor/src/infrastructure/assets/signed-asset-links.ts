import { timingSafeEqual } from 'node:crypto';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { AddressIngredients, CountdownLook, countdownSignature } from './asset-addresses.js';

/**
 * Addresses at PUBLIC_URL, which stays for as long as people keep the mail. Those of countdowns are signed, so that nobody has the
 * service draw images of their own. The key is derived for countdowns alone, because parser threads get it.
 */
@Injectable()
export class SignedAssetLinks {
  /** The current key first. */
  private readonly keys: readonly string[];

  constructor(
    private readonly config: Config,
    secrets: SecretBox,
  ) {
    this.keys = secrets.derived('countdown').map(({ value }) => value);
  }

  get ingredients(): AddressIngredients {
    return { base: this.base, countdownKey: this.keys[0] as string };
  }

  get illustrationsUrl(): string {
    return `${this.base}/editor/pictures/`;
  }

  /** Undefined for an address that this service has not made. */
  readCountdown(name: string): CountdownLook | undefined {
    const [, text = '', signature = ''] = /^((?:[\w]{1,20}-){3}[a-z]{2})-([\w-]{10,100})\.png$/i.exec(name) ?? [];
    if (text === '' || !this.isSigned(text, signature)) return undefined;
    const [until = '', background = '', color = '', language = 'en'] = text.split('-');
    return {
      until: new Date(Number.parseInt(until, 36) * 1_000).toISOString(),
      background: `#${background}`,
      color: `#${color}`,
      language,
    };
  }

  private isSigned(text: string, signature: string): boolean {
    const given = Buffer.from(signature);
    return this.keys.some((key) => {
      const expected = Buffer.from(countdownSignature(key, text));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  }

  private get base(): string {
    const { publicUrl, httpHost, httpPort } = this.config.values;
    return publicUrl ?? `http://${httpHost}:${httpPort}`;
  }
}
