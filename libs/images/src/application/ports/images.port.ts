import { Page, PageRequest } from '#kernel';
import { ImageTexts, ImageType, StoredImage } from '../../domain/image.js';

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

export interface EncodedImage {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/** Decodes what a stranger calls an image, and encodes it again. */
export abstract class ImageEncoder {
  /**
   * The bytes are moved and empty afterwards. Throws NoImageError for what is no image, or is larger than images may be, and takes
   * the turn of the team.
   */
  abstract encode(teamId: string, bytes: Uint8Array): Promise<EncodedImage>;
}

/** What a read may hold: one piece that was sent and one that is read. */
export const maxHeldBytes = 1024 * 1024;

/** Bytes of images, by id. */
export abstract class ImageFiles {
  /** They are durable when it resolves. */
  abstract put(id: string, bytes: Uint8Array): Promise<void>;

  /**
   * In pieces; no pieces if they are not stored. Holds at most `maxHeldBytes`, however slow the reader. Throws if they are
   * removed during the read.
   */
  abstract read(id: string): AsyncGenerator<Uint8Array>;

  /** It is no error if there are none. */
  abstract remove(ids: readonly string[]): Promise<void>;
}
