import { getSchema, type Editor } from '@tiptap/core';
import { Transform } from '@tiptap/pm/transform';
import type { JsonNode } from '../logic/document-json';
import { distanceBetween, mergeInto } from '../logic/merge-document';
import { documentExtensions } from './schema';

/** Meta key of transactions that bring in others' changes, so that they do not count as edits. */
export const fromOthers = 'fromOthers';

/** What `mine` and `theirs` made of `base`. */
export function mergedDocument(base: JsonNode, mine: JsonNode, theirs: JsonNode): JsonNode {
  const schema = getSchema(documentExtensions());
  const tr = new Transform(schema.nodeFromJSON(mine));
  mergeInto(tr, schema.nodeFromJSON(base), schema.nodeFromJSON(theirs));
  return tr.doc.toJSON() as JsonNode;
}

/** Writes what others made of `base` into the canvas. The caret and what can be undone stay. */
export function mergeIntoCanvas(editor: Editor, base: JsonNode, theirs: JsonNode): void {
  readCaret(editor);
  const { schema, tr } = editor.state;
  mergeInto(tr, schema.nodeFromJSON(base), schema.nodeFromJSON(theirs));
  if (tr.docChanged) editor.view.dispatch(tr.setMeta('addToHistory', false).setMeta(fromOthers, true));
}

/**
 * Reads a caret that a key or a click has just moved, and that is not in the state yet: a change of others would put it back.
 * `domObserver` is private in the types of ProseMirror, which has no public way to read the caret at once.
 */
export function readCaret(editor: Editor): void {
  const { domObserver } = editor.view as unknown as { domObserver: Record<'flush' | 'forceFlush', () => void> };
  domObserver.forceFlush();
  domObserver.flush();
}

/** Which of the documents `theirs` was made of: the one from which the way is shortest. */
export function originOf(theirs: JsonNode, candidates: readonly [JsonNode, ...JsonNode[]]): JsonNode {
  if (candidates.length === 1) return candidates[0];
  const schema = getSchema(documentExtensions());
  const now = schema.nodeFromJSON(theirs);
  const ways = candidates.map((json) => ({ json, way: distanceBetween(schema.nodeFromJSON(json), now) }));
  return ways.reduce((best, each) => (each.way < best.way ? each : best)).json;
}
