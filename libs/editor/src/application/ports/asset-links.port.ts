import { RenderedAssets } from '../../domain/rendering/markup.js';

/** Addresses of the images that the service makes for emails, for as long as people keep them. */
export abstract class AssetLinks implements RenderedAssets {
  abstract social(network: string, look: string): string;

  abstract countdown(look: Parameters<RenderedAssets['countdown']>[0]): string;
}
