import { createHmac } from 'node:crypto';
import type { RenderedAssets } from '../../domain/rendering/markup.js';

/** What a countdown shows, as it stands in its address. */
export type CountdownLook = Parameters<RenderedAssets['countdown']>[0];

/** What addresses are made of. A parser thread gets a copy. */
export interface AddressIngredients {
  readonly base: string;
  /** Signs countdowns and nothing else. */
  readonly countdownKey: string;
}

/** Writes the addresses of the images that the service makes for emails. */
export class AssetAddresses implements RenderedAssets {
  constructor(private readonly ingredients: AddressIngredients) {}

  social(network: string, look: string): string {
    return `${this.ingredients.base}/editor/icons/${network}-${look}.png`;
  }

  countdown(look: CountdownLook): string {
    const { base, countdownKey } = this.ingredients;
    const text = textOf(look);
    return `${base}/editor/countdown/${text}-${countdownSignature(countdownKey, text)}.png`;
  }
}

export function countdownSignature(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function textOf({ until, background, color, language }: CountdownLook): string {
  const seconds = Math.floor(Date.parse(until) / 1_000).toString(36);
  const two = /^[a-z]{2}/i.exec(language)?.[0].toLowerCase() ?? 'en';
  return [seconds, background.slice(1), color.slice(1), two].join('-');
}
