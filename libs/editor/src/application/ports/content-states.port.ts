import { ContentRef } from '../../domain/content-ref.js';

/** A content without its words. */
export interface ContentState {
  /** With the id, also where the alias was asked for. */
  readonly ref: ContentRef;
  readonly revision: number;
  readonly isEditable: boolean;
}

/** How far contents are: open tabs ask for it again and again, so that the words, up to 2 MB, are not read. */
export abstract class ContentStates {
  /** Undefined if the team has none with this id. */
  abstract find(teamId: string, ref: ContentRef): Promise<ContentState | undefined>;
}
