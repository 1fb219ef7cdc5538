import { withoutTrailing } from '#kernel';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { AssetLinks } from '../../application/ports/asset-links.port.js';

/** What a countdown shows, as it stands in its address. */
export interface CountdownLook {
  readonly until: string;
  readonly background: string;
  readonly color: string;
  readonly language: string;
}

/**
 * Addresses at PUBLIC_URL, which stays for as long as people keep the mail. Those of countdowns are signed, so that nobody has the
 * service draw images of their own.
 */
@Injectable()
export class SignedAssetLinks extends AssetLinks {
  constructor(
    private readonly config: Config,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  social(network: string, look: string): string {
    return `${this.base}/editor/icons/${network}-${look}.png`;
  }

  countdown(look: CountdownLook): string {
    const text = textOf(look);
    return `${this.base}/editor/countdown/${text}-${this.secrets.sign('countdown', text)}.png`;
  }

  /** Undefined for an address that this service has not made. */
  readCountdown(name: string): CountdownLook | undefined {
    const [, text = '', signature = ''] = /^((?:[\w]{1,20}-){3}[a-z]{2})-([\w-]{10,100})\.png$/i.exec(name) ?? [];
    if (text === '' || !this.secrets.verify('countdown', text, signature)) return undefined;
    const [until = '', background = '', color = '', language = 'en'] = text.split('-');
    return {
      until: new Date(Number.parseInt(until, 36) * 1_000).toISOString(),
      background: `#${background}`,
      color: `#${color}`,
      language,
    };
  }

  private get base(): string {
    const { publicUrl, httpHost, httpPort } = this.config.values;
    return publicUrl === undefined ? `http://${httpHost}:${httpPort}` : withoutTrailing(publicUrl, '/');
  }
}

function textOf({ until, background, color, language }: CountdownLook): string {
  const seconds = Math.floor(Date.parse(until) / 1_000).toString(36);
  const two = /^[a-z]{2}/i.exec(language)?.[0].toLowerCase() ?? 'en';
  return [seconds, background.slice(1), color.slice(1), two].join('-');
}
