import { Editor, Extension } from '@tiptap/core';
import type { Node as DocumentNode } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { withoutNulls, type JsonNode } from '../logic/document-json';
import { deleteBlock, duplicateBlock, moveBlock, selectAround, selectInside } from './block-commands';
import { insertMenu, type Trigger } from './insert-menu';
import { cleanPasted } from './paste';
import { fromOthers, mergeIntoCanvas } from './merge';
import { otherCarets, showCarets, type OtherCaret } from './other-carets';
import { pressesOn } from './presses';
import { documentExtensions } from './schema';
import type { Canvas } from './document-work';

export interface EditorHost {
  readonly content: JsonNode;
  readonly editable: boolean;
  readonly label: string;
  readonly placeholder: string;
  readonly changed: () => void;
  /** The canvas is there, or is not any more. */
  readonly attach: (canvas: Canvas | undefined) => void;
  readonly point: (cursor: { readonly anchor: number; readonly head: number }) => void;
  readonly others: readonly OtherCaret[];
  readonly trigger: (trigger: Trigger | undefined) => void;
  readonly menuKey: (event: KeyboardEvent) => boolean;
  /** Opens the menu at the chosen block, without a sign that was typed. */
  readonly openMenu: () => void;
  /** Images that were pasted or dropped; `at` is where. */
  readonly files: (files: readonly File[], at: number | undefined) => void;
  readonly editLink: () => void;
}

/** The editor of one document. It is made anew for another document only. */
export function useEmailEditor(
  key: string,
  host: EditorHost,
): { editor: Editor | undefined; mount: (element: HTMLElement | null) => void } {
  const [editor, setEditor] = useState<Editor>();
  const [element, mount] = useState<HTMLElement | null>(null);
  const given = useRef(host);
  const calm = useRef(() => Promise.resolve());
  given.current = host;
  useEffect(() => {
    if (element === null) return;
    const made: Editor = new Editor({
      element,
      editable: given.current.editable,
      content: given.current.content as never,
      extensions: [
        ...documentExtensions(),
        insertMenu({
          changed: (trigger) => given.current.trigger(trigger),
          key: (event) => given.current.menuKey(event),
        }),
        otherCarets,
        keys(() => given.current),
        caretMarks(() => given.current.placeholder),
      ],
      editorProps: {
        attributes: {
          'aria-label': given.current.label,
          role: 'textbox',
          'aria-multiline': 'true',
          class: 'ed-document',
          spellcheck: 'true',
        },
        transformPastedHTML: cleanPasted,
        // Prosemirror asks here, and not the drag, whether what is dropped moves: a new block would replace the selection.
        // Undefined leaves it to the key that is held.
        dragCopies: (): boolean => (made.view.dragging?.move === false || undefined) as boolean,
        handlePaste: (view, event) => {
          const files = imagesIn(event.clipboardData);
          // Word processors put a picture of the text beside it.
          if (files.length === 0 || (event.clipboardData?.getData('text/html') ?? '').includes('<p')) return false;
          given.current.files(files, view.state.selection.from);
          return true;
        },
        handleDrop: (view, event, _slice, moved) => {
          const files = imagesIn(event.dataTransfer);
          if (moved || files.length === 0) return false;
          event.preventDefault();
          given.current.files(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
          return true;
        },
      },
      onUpdate: ({ transaction }) => {
        if (transaction.getMeta(fromOthers) !== true) given.current.changed();
      },
      onSelectionUpdate: ({ editor: { state } }) => {
        const { anchor, head } = state.selection;
        given.current.point({ anchor, head });
      },
    });
    const presses = pressesOn(element);
    calm.current = presses.released;
    setEditor(made);
    given.current.attach({
      calm: presses.released,
      read: readerOf(made),
      take: (base, theirs) => mergeIntoCanvas(made, base, theirs),
    });
    return () => {
      given.current.attach(undefined);
      presses.stop();
      made.destroy();
      setEditor(undefined);
    };
  }, [element, key]);
  // What is drawn beside the canvas asks the editor whether it may be written in, so it is drawn again afterwards.
  const [, drawEditable] = useState(host.editable);
  useEffect(() => {
    if (editor === undefined) return;
    if (editor.isEditable !== host.editable) {
      editor.setEditable(host.editable, false);
      if (host.editable) focusWhereClicked(editor);
    }
    drawEditable(host.editable);
  }, [editor, host.editable]);
  const { others } = host;
  useEffect(() => {
    if (editor === undefined || element === null) return;
    let isOver = false;
    void calm.current().then(() => {
      if (!isOver) showCarets(editor, others);
    });
    return () => {
      isOver = true;
    };
  }, [editor, element, others]);
  return { editor, mount };
}

/**
 * A click into a canvas that is only looked at gives the focus to the page around it: what is typed afterwards would go
 * nowhere.
 */
function focusWhereClicked({ view }: Editor): void {
  const anchor = document.getSelection()?.anchorNode ?? null;
  const isOfPage = document.activeElement?.contains(view.dom) !== false;
  if (isOfPage && anchor !== null && view.dom.contains(anchor)) view.focus();
}

function readerOf(editor: Editor): Canvas['read'] {
  let known: { readonly doc: DocumentNode; readonly json: JsonNode } | undefined;
  return () => {
    const { doc } = editor.state;
    if (known?.doc !== doc) known = { doc, json: withoutNulls(editor.getJSON() as JsonNode) };
    return known.json;
  };
}

function imagesIn(transfer: DataTransfer | null): readonly File[] {
  return [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

function keys(host: () => EditorHost) {
  return Extension.create({
    name: 'blockKeys',
    priority: 200,
    addKeyboardShortcuts() {
      const run =
        (command: Parameters<Editor['view']['dispatch']>[0] extends never ? never : typeof duplicateBlock) => () =>
          command(this.editor.state, this.editor.view.dispatch);
      return {
        'Alt-ArrowUp': run(moveBlock(-1)),
        'Alt-ArrowDown': run(moveBlock(1)),
        'Mod-d': run(duplicateBlock),
        'Mod-Shift-Backspace': run(deleteBlock),
        Escape: run(selectAround),
        Enter: run(selectInside),
        'Mod-/': () => {
          host().openMenu();
          return true;
        },
        'Mod-k': () => {
          host().editLink();
          return true;
        },
        Tab: () => this.editor.commands.sinkListItem('listItem') || nextCell(this.editor, 1),
        'Shift-Tab': () => this.editor.commands.liftListItem('listItem') || nextCell(this.editor, -1),
      };
    },
  });
}

/** From cell to cell; outside of tables the key leaves the canvas, as everywhere. */
function nextCell(editor: Editor, direction: 1 | -1): boolean {
  const { $from } = editor.state.selection;
  let depth = $from.depth;
  while (
    depth > 0 &&
    !$from.node(depth).type.name.startsWith('tableCell') &&
    $from.node(depth).type.name !== 'tableHeader'
  )
    depth--;
  if (depth === 0) return false;
  const edge = direction === 1 ? $from.after(depth) : $from.before(depth);
  const target = edge + direction * 2;
  const table = $from.node(depth - 2);
  const start = $from.start(depth - 2);
  if (target <= start || target >= start + table.content.size) return false;
  return editor.chain().setTextSelection(target).focus().run();
}

const marked = { class: 'ed-near-caret' };

/**
 * Marks the block with the caret and the one before it, of which it was perhaps a part a moment ago, and says in an empty
 * paragraph with the caret what can be done there.
 */
function caretMarks(hint: () => string) {
  return Extension.create({
    name: 'caretMarks',
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          decorations: ({ selection: { $from, empty }, doc }) => {
            if ($from.depth === 0) return DecorationSet.empty;
            const block = $from.before(1);
            const before = doc.resolve(block).nodeBefore;
            const marks = [
              Decoration.node(block, $from.after(1), marked),
              ...(before === null ? [] : [Decoration.node(block - before.nodeSize, block, marked)]),
            ];
            const isEmpty = empty && $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0;
            if (isEmpty) marks.push(Decoration.node($from.before(), $from.after(), { 'data-hint': hint() }));
            return DecorationSet.create(doc, marks);
          },
        },
      }),
    ],
  });
}

/**
 * Draws the component again when what it shows of the editor has changed, at most once in a frame while somebody types in
 * the canvas. `shownOf` makes a list of it, such as the attributes of a block.
 */
export function useEditorState(
  editor: Editor,
  shownOf: (editor: Editor) => readonly unknown[] = ({ state }) => [state],
): void {
  const version = useRef(0);
  const drawn = useRef<readonly unknown[]>([]);
  drawn.current = shownOf(editor);
  useSyncExternalStore(
    (listener) => {
      let frame = 0;
      const compare = (): void => {
        cancelAnimationFrame(frame);
        frame = 0;
        const now = shownOf(editor);
        if (now.length === drawn.current.length && now.every((each, no) => each === drawn.current[no])) return;
        version.current++;
        listener();
      };
      const changed = (): void => {
        frame ||= requestAnimationFrame(compare);
      };
      // A field that shows an old value for a frame loses the next letter, and its caret goes to the end.
      const happened = (): void => {
        if (editor.isFocused) changed();
        else compare();
      };
      editor.on('transaction', happened);
      // Something may have happened since it was drawn.
      changed();
      return () => {
        editor.off('transaction', happened);
        cancelAnimationFrame(frame);
      };
    },
    () => version.current,
  );
}
