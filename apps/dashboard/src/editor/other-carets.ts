import { Extension, type Editor } from '@tiptap/core';
import { Plugin, PluginKey, type EditorState } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { colorOfPerson } from '../logic/person-color';
import { readCaret } from './merge';

/** Where somebody else writes. */
export interface OtherCaret {
  readonly id: string;
  readonly name: string;
  readonly anchor: number;
  readonly head: number;
}

interface Shown {
  readonly carets: readonly OtherCaret[];
  readonly drawn: DecorationSet;
}

const otherCaretsKey = new PluginKey<Shown>('otherCarets');

/** Shows the carets of the others and what they have chosen. */
export const otherCarets = Extension.create({
  name: 'otherCarets',
  addProseMirrorPlugins: () => [
    new Plugin<Shown>({
      key: otherCaretsKey,
      state: {
        init: () => ({ carets: [], drawn: DecorationSet.empty }),
        apply: (tr, known, _old, state) => {
          const told = tr.getMeta(otherCaretsKey) as readonly OtherCaret[] | undefined;
          if (told === undefined && !tr.docChanged) return known;
          // Positions are mapped, not what is drawn: a decoration is dropped when the text around it is replaced,
          // and the caret of somebody who has stopped writing would not come back.
          const { mapping } = tr;
          const carets =
            told ??
            known.carets.map((one) => ({ ...one, anchor: mapping.map(one.anchor), head: mapping.map(one.head) }));
          return { carets, drawn: decorationsOf(carets, state) };
        },
      },
      props: { decorations: (state) => otherCaretsKey.getState(state)?.drawn },
    }),
  ],
});

export function showCarets(editor: Editor, carets: readonly OtherCaret[]): void {
  readCaret(editor);
  editor.view.dispatch(editor.state.tr.setMeta(otherCaretsKey, carets).setMeta('addToHistory', false));
}

function decorationsOf(carets: readonly OtherCaret[], { doc }: EditorState): DecorationSet {
  return DecorationSet.create(
    doc,
    carets.flatMap(({ id, name, anchor, head }) => {
      const [at, from] = [Math.min(head, doc.content.size), Math.min(anchor, doc.content.size)];
      const color = colorOfPerson(id);
      const isInText = doc.resolve(at).parent.inlineContent;
      // Their caret points into text that has not arrived here yet.
      if (!isInText && at === from) return [];
      const caret = Decoration.widget(at, () => caretOf(name, color), {
        key: `${id} ${at}`,
        side: 1,
        ignoreSelection: true,
      });
      const chosen = { class: 'ed-chosen', style: `--person: ${color}` };
      if (at === from) return [caret];
      // No caret behind a selected block: there is no line of text to draw it in.
      return [Decoration.inline(Math.min(at, from), Math.max(at, from), chosen), ...(isInText ? [caret] : [])];
    }),
  );
}

function caretOf(name: string, color: string): HTMLElement {
  const caret = document.createElement('span');
  caret.className = 'ed-caret';
  caret.style.setProperty('--person', color);
  caret.setAttribute('aria-hidden', 'true');
  caret.dataset.name = name;
  return caret;
}
