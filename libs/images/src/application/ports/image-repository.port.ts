import { Page, PageRequest } from '#kernel';
import { ImageTexts, StoredImage } from '../../domain/image.js';

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
   * Images that were removed before `cutoff`, in the order of their ids from after `after`, and whether a broadcast, a template, a
   * version of one, or the styles of the team name them.
   */
  abstract removed(cutoff: Date, after: string, limit: number): Promise<readonly { id: string; isUsed: boolean }[]>;

  abstract forget(ids: readonly string[]): Promise<void>;
}
