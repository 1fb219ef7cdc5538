import { getSchema, type Editor } from '@tiptap/core';
import { Transform } from '@tiptap/pm/transform';
import type { JsonNode } from '../logic/document-json';
import { distanceBetween, mergeInto } from '../logic/merge-document';
import { documentExtensions } from './schema';

const maxPressMs = 3_000;
/** Stands on transactions with what others wrote: they are no changes of this tab. */
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

/** A caret that a key or a click has just moved is not in the state yet: a change that nobody here made would put it back. */
export function readCaret(editor: Editor): void {
  const { domObserver } = editor.view as unknown as { domObserver: Record<'flush' | 'forceFlush', () => void> };
  domObserver.forceFlush();
  domObserver.flush();
}

/** While the mouse is held, a change that nobody here made would lose where it clicks. */
export function pressesOn(element: HTMLElement): { readonly over: () => Promise<void>; readonly stop: () => void } {
  let since = 0;
  const down = (): void => {
    since = Date.now();
  };
  // The editor reads the place of the click a moment after it.
  const up = (): void => void setTimeout(() => (since = 0), 40);
  element.addEventListener('pointerdown', down);
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', up);
  return {
    over: async () => {
      while (since !== 0 && Date.now() - since < maxPressMs) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    stop: () => {
      element.removeEventListener('pointerdown', down);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', up);
    },
  };
}

/** Which of the documents `theirs` was made of: the one from which the way is shortest. */
export function originOf(theirs: JsonNode, candidates: readonly [JsonNode, ...JsonNode[]]): JsonNode {
  if (candidates.length === 1) return candidates[0];
  const schema = getSchema(documentExtensions());
  const now = schema.nodeFromJSON(theirs);
  const ways = candidates.map((json) => ({ json, way: distanceBetween(schema.nodeFromJSON(json), now) }));
  return ways.reduce((best, each) => (each.way < best.way ? each : best)).json;
}
