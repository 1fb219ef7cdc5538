import { Page, PageRequest } from '#kernel';
import { ImageTexts, StoredImage } from '../../domain/image.js';

export interface RemovedImages {
  readonly teamId: string;
  readonly ids: readonly string[];
}

/** What is known of images. Those that were removed are in no list, but can be shown until they are purged. */
export abstract class ImageRepository {
  /**
   * Adds an image as one that was removed, so that its bytes are purged if the process ends before `publish`. Returns false if the
   * team may not store as much.
   */
  abstract add(image: StoredImage): Promise<boolean>;

  abstract publish(id: string): Promise<void>;

  abstract list(teamId: string, page: PageRequest, search: string | undefined): Promise<Page<StoredImage>>;

  abstract find(teamId: string, id: string): Promise<StoredImage | undefined>;

  /** Also one that was removed, of any team. */
  abstract findShown(id: string): Promise<StoredImage | undefined>;

  abstract describe(teamId: string, id: string, texts: ImageTexts): Promise<StoredImage | undefined>;

  abstract remove(teamId: string, id: string, at: Date): Promise<boolean>;

  /**
   * Images of one team that were removed before `cutoff` and not looked at since `checkedBefore`: of the team whose image has waited
   * longest. Undefined if there are none.
   */
  abstract removed(cutoff: Date, checkedBefore: Date, limit: number): Promise<RemovedImages | undefined>;

  abstract markChecked(ids: readonly string[], at: Date): Promise<void>;

  /** Those that no broadcast, template, version of one, saved section or styles of the team name. */
  abstract unused(removed: RemovedImages): Promise<readonly string[]>;

  abstract forget(ids: readonly string[]): Promise<void>;
}
