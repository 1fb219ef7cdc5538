import { Extension } from '@tiptap/core';
import { Plugin, PluginKey, type EditorState } from '@tiptap/pm/state';
import { fromOthers } from './merge';

/** What is being typed behind a `/` or `{{`. */
export interface Trigger {
  readonly kind: 'block' | 'variable';
  readonly query: string;
  /** From the first character of the trigger to the caret. */
  readonly from: number;
  readonly to: number;
}

interface MenuHost {
  /** Undefined closes the menu. */
  readonly changed: (trigger: Trigger | undefined) => void;
  /** True if the menu took the key. */
  readonly key: (event: KeyboardEvent) => boolean;
}

export const insertMenuKey = new PluginKey<Trigger | undefined>('insertMenu');

/** `/` begins a menu at the beginning of a text or after a blank; `{{` anywhere. */
function triggerIn(state: EditorState): Trigger | undefined {
  const { selection } = state;
  if (!selection.empty || !selection.$from.parent.isTextblock || selection.$from.parent.type.spec.code === true)
    return undefined;
  const { $from } = selection;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - 60),
    $from.parentOffset,
    undefined,
    '\ufffc',
  );
  const braces = /\{\{\{?([\w.]{0,40})$/.exec(before);
  if (braces !== null)
    return { kind: 'variable', query: braces[1] ?? '', from: $from.pos - braces[0].length, to: $from.pos };
  const slash = /(?:^|\s)\/([^/\s]{0,24})$/.exec(before);
  if (slash === null || $from.parent.type.name === 'button') return undefined;
  return { kind: 'block', query: slash[1] ?? '', from: $from.pos - (slash[1]?.length ?? 0) - 1, to: $from.pos };
}

/** Watches for the signs that open a menu. The menu itself is drawn beside the canvas. */
export function insertMenu(host: MenuHost) {
  return Extension.create({
    name: 'insertMenu',
    // A key that the open menu takes does nothing to the blocks.
    priority: 300,
    addProseMirrorPlugins: () => [
      new Plugin<Trigger | undefined>({
        key: insertMenuKey,
        state: {
          init: () => undefined,
          apply: (transaction, known, _old, state) => {
            const closed = transaction.getMeta(insertMenuKey) as 'close' | undefined;
            if (closed === 'close') return undefined;
            // Only typing opens it: a caret that is put behind an old `/` does not, nor do the words of others.
            const isTyped = transaction.docChanged && transaction.getMeta(fromOthers) !== true;
            if (known === undefined && !isTyped) return undefined;
            return triggerIn(state);
          },
        },
        props: {
          handleKeyDown: (_view, event) => host.key(event),
          handleDOMEvents: {
            blur: (view) => {
              if (insertMenuKey.getState(view.state) !== undefined) {
                // A click into the menu takes the focus for a moment.
                setTimeout(() => {
                  if (!view.isDestroyed && !view.hasFocus())
                    view.dispatch(view.state.tr.setMeta(insertMenuKey, 'close'));
                }, 150);
              }
              return false;
            },
          },
        },
        view: () => ({
          update: (view, previous) => {
            const now = insertMenuKey.getState(view.state);
            if (now !== insertMenuKey.getState(previous)) host.changed(now);
          },
          destroy: () => host.changed(undefined),
        }),
      }),
    ],
  });
}
