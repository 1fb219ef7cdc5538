import type { Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { Fragment, type Node as DocumentNode, type ResolvedPos } from '@tiptap/pm/model';
import { NodeSelection, Selection, TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state';

/** A block and where it stands. */
export interface Block {
  readonly node: DocumentNode;
  readonly pos: number;
}

/** Nodes whose children are blocks that can be moved and removed one by one. */
const holders = new Set([
  'doc',
  'section',
  'columnsColumn',
  'container',
  'body',
  'div',
  'conditional',
  'repeat',
  'footer',
  'tableCell',
  'tableHeader',
  'blockquote',
]);

/** The blocks around a position, the innermost first. */
export function blocksAround($pos: ResolvedPos): readonly Block[] {
  const blocks: Block[] = [];
  for (let depth = $pos.depth; depth > 0; depth--) {
    if (holders.has($pos.node(depth - 1).type.name)) blocks.push({ node: $pos.node(depth), pos: $pos.before(depth) });
    else if ($pos.node(depth).type.name === 'columnsColumn' || $pos.node(depth).type.name.startsWith('table')) {
      blocks.push({ node: $pos.node(depth), pos: $pos.before(depth) });
    }
  }
  return blocks;
}

/** The chosen block with those around it, the innermost first: the selected node, or where the caret is. */
export function chosenBlocks({ selection }: EditorState): readonly Block[] {
  const around = blocksAround(selection.$from);
  if (selection instanceof NodeSelection && !selection.node.isInline)
    return [{ node: selection.node, pos: selection.from }, ...around];
  return around;
}

/** Whether a block stands among blocks, so that it can be moved. */
export function isMovable(state: EditorState, { pos }: Block): boolean {
  return holders.has(state.doc.resolve(pos).parent.type.name);
}

export function movable(state: EditorState): Block | undefined {
  return chosenBlocks(state).find((block) => isMovable(state, block));
}

type Command = (state: EditorState, dispatch?: (transaction: Transaction) => void) => boolean;

/** Undone by itself, and not together with what was typed just before. */
function asStep(transaction: Transaction): Transaction {
  return closeHistory(transaction).scrollIntoView();
}

/** Moves the chosen block past its neighbour, or out of a box at its edge. */
export function moveBlock(direction: -1 | 1): Command {
  return (state, dispatch) => {
    const block = movable(state);
    if (block === undefined) return false;
    const $pos = state.doc.resolve(block.pos);
    const index = $pos.index();
    const { parent } = $pos;
    const neighbour = index + direction;
    const { nodeSize } = block.node;
    const transaction = state.tr;
    let target: number;
    if (neighbour >= 0 && neighbour < parent.childCount) {
      const size = parent.child(neighbour).nodeSize;
      transaction.delete(block.pos, block.pos + nodeSize);
      target = direction === -1 ? block.pos - size : block.pos + size;
    } else {
      // At the edge of a box it leaves the box, if blocks may stand around it and the box keeps something.
      let depth = $pos.depth;
      while (depth > 0 && !holders.has($pos.node(depth - 1).type.name)) depth--;
      if (depth === 0 || parent.childCount < 2) return false;
      target = direction === -1 ? $pos.before(depth) : $pos.after(depth) - nodeSize;
      transaction.delete(block.pos, block.pos + nodeSize);
    }
    transaction.insert(target, block.node);
    const offset = state.selection instanceof NodeSelection ? undefined : state.selection.from - block.pos;
    transaction.setSelection(
      offset === undefined
        ? NodeSelection.create(transaction.doc, target)
        : TextSelection.near(transaction.doc.resolve(target + offset)),
    );
    dispatch?.(asStep(transaction));
    return true;
  };
}

export const duplicateBlock: Command = (state, dispatch) => {
  const block = movable(state);
  if (block === undefined) return false;
  const at = block.pos + block.node.nodeSize;
  const transaction = state.tr.insert(at, block.node);
  transaction.setSelection(
    state.selection instanceof NodeSelection
      ? NodeSelection.create(transaction.doc, at)
      : Selection.near(transaction.doc.resolve(at + state.selection.from - block.pos)),
  );
  dispatch?.(asStep(transaction));
  return true;
};

export const deleteBlock: Command = (state, dispatch) => {
  const block = movable(state);
  if (block === undefined) return false;
  dispatch?.(asStep(withoutBlock(state, block)));
  return true;
};

/** A box that would be empty keeps a paragraph. */
export function withoutBlock(state: EditorState, { node, pos }: Block): Transaction {
  const { parent } = state.doc.resolve(pos);
  const transaction = state.tr;
  if (parent.childCount === 1 && parent.type.name !== 'footer') {
    transaction.replaceWith(pos, pos + node.nodeSize, state.schema.nodes.paragraph?.create() ?? Fragment.empty);
  } else transaction.delete(pos, pos + node.nodeSize);
  return transaction.setSelection(
    Selection.near(transaction.doc.resolve(Math.min(pos, transaction.doc.content.size)), -1),
  );
}

/** From text to its block, and from a block to the one around it. */
export const selectAround: Command = (state, dispatch) => {
  const blocks = chosenBlocks(state);
  const next = state.selection instanceof NodeSelection ? blocks[1] : blocks[0];
  if (next === undefined) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, next.pos)).scrollIntoView());
  return true;
};

/** Into the text of a block that is selected. */
export const selectInside: Command = (state, dispatch) => {
  if (!(state.selection instanceof NodeSelection) || state.selection.node.isAtom) return false;
  dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve(state.selection.from + 1))));
  return true;
};

/** Puts a block behind the chosen one, in the place of an empty paragraph, or at the end. */
export function insertBlock(editor: Editor, json: object, at?: number): void {
  const { state, view } = editor;
  const node = state.schema.nodeFromJSON(json);
  const transaction = state.tr;
  // A quote has words alone: all else goes behind it.
  const isOfWords = /^(?:paragraph|heading|\w+List)$/.test(node.type.name);
  const fits = (block: Block): boolean =>
    isMovable(state, block) && (isOfWords || state.doc.resolve(block.pos).parent.type.name !== 'blockquote');
  const chosen = at === undefined ? chosenBlocks(state).find(fits) : undefined;
  let target = at ?? (chosen === undefined ? state.doc.content.size : chosen.pos + chosen.node.nodeSize);
  if (chosen?.node.type.name === 'paragraph' && chosen.node.content.size === 0) {
    target = chosen.pos;
    transaction.replaceWith(target, target + chosen.node.nodeSize, node);
  } else {
    // A footer stays the last.
    const last = state.doc.lastChild;
    if (target === state.doc.content.size && last?.type.name === 'footer' && node.type.name !== 'footer') {
      target -= last.nodeSize;
    }
    transaction.insert(target, node);
  }
  const inside = node.isAtom ? undefined : firstText(node);
  transaction.setSelection(
    inside === undefined
      ? NodeSelection.create(transaction.doc, target)
      : TextSelection.near(transaction.doc.resolve(target + 1 + inside)),
  );
  view.dispatch(asStep(transaction));
  view.focus();
}

function firstText(node: DocumentNode): number | undefined {
  if (node.isTextblock) return 0;
  let found: number | undefined;
  node.descendants((child, pos) => {
    if (found === undefined && child.isTextblock) found = pos + 1;
    return found === undefined;
  });
  return found;
}

/** Sets attributes of a block; undefined and empty texts take them away. */
export function setAttributes(editor: Editor, { pos, node }: Block, changes: Readonly<Record<string, unknown>>): void {
  const attrs = { ...node.attrs };
  for (const [name, value] of Object.entries(changes)) attrs[name] = value === undefined || value === '' ? null : value;
  const { state, view } = editor;
  const transaction = state.tr.setNodeMarkup(pos, undefined, attrs);
  if (state.selection instanceof NodeSelection && state.selection.from === pos) {
    transaction.setSelection(NodeSelection.create(transaction.doc, pos));
  }
  view.dispatch(transaction);
}

/** A row of the same kind below the row of the caret, a column beside it, or one of them less. */
export function changeTable(editor: Editor, change: 'addRow' | 'addColumn' | 'removeRow' | 'removeColumn'): void {
  const { state, view } = editor;
  const { $from } = state.selection;
  let depth = $from.depth;
  while (depth > 0 && $from.node(depth).type.name !== 'table') depth--;
  if (depth === 0) {
    if (!(state.selection instanceof NodeSelection) || state.selection.node.type.name !== 'table') return;
  }
  const pos = depth === 0 ? state.selection.from : $from.before(depth);
  const table = state.doc.nodeAt(pos) as DocumentNode;
  const row = depth === 0 ? table.childCount - 1 : $from.index(depth);
  const column = depth === 0 ? (table.firstChild?.childCount ?? 1) - 1 : $from.index(depth + 1);
  const rows = Array.from({ length: table.childCount }, (_, no) => table.child(no));
  const empty = (like: DocumentNode): DocumentNode =>
    like.type.create(like.attrs, state.schema.nodes.paragraph?.create());
  const cellsOf = (of: DocumentNode): DocumentNode[] => Array.from({ length: of.childCount }, (_, no) => of.child(no));
  const changed = {
    addRow: () => {
      const like = rows[row] as DocumentNode;
      const cell = state.schema.nodes.tableCell;
      const cells = cellsOf(like).map(
        (each) => cell?.create({ ...each.attrs }, state.schema.nodes.paragraph?.create()) ?? empty(each),
      );
      return rows.toSpliced(row + 1, 0, like.type.create(like.attrs, cells));
    },
    addColumn: () =>
      rows.map((each) => {
        const cells = cellsOf(each);
        const like = cells[Math.min(column, cells.length - 1)] as DocumentNode;
        return each.copy(Fragment.from(cells.toSpliced(column + 1, 0, empty(like))));
      }),
    removeRow: () => (rows.length < 2 ? rows : rows.toSpliced(row, 1)),
    removeColumn: () =>
      rows.map((each) => {
        const cells = cellsOf(each);
        return cells.length < 2 ? each : each.copy(Fragment.from(cells.toSpliced(column, 1)));
      }),
  }[change]();
  const transaction = state.tr.replaceWith(pos, pos + table.nodeSize, table.copy(Fragment.from(changed)));
  transaction.setSelection(
    Selection.near(transaction.doc.resolve(Math.min(state.selection.from, transaction.doc.content.size))),
  );
  view.dispatch(transaction);
  view.focus();
}
