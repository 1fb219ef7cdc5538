import type { JsonNode } from '../document-json.js';
import type { Look } from './look.js';

/** A document to begin with. */
export interface StartingDocument {
  readonly id: string;
  readonly subject: string;
  /** What lists show behind the subject. */
  readonly preview: string;
  /** Whether it goes to many at once, and has a link to unsubscribe therefore. */
  readonly isBulk: boolean;
  /** Lists that its template takes, with an item or two to look at. */
  readonly samples?: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
  readonly blocks: (look: Look) => readonly JsonNode[];
}
