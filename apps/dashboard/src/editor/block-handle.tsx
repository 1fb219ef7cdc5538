import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { Menu } from '@mantine/core';
import { ArrowDown, ArrowUp, Copy, GripVertical, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { blocksAround, deleteBlock, duplicateBlock, isMovable, moveBlock, type Block } from './block-commands';
import styles from './editor.module.css';

interface BlockHandleProps {
  readonly editor: Editor;
  readonly stage: RefObject<HTMLDivElement | null>;
  /** Opens the menu of blocks behind this one. */
  readonly insertBehind: (block: Block) => void;
}

interface Shown {
  readonly block: Block;
  readonly top: number;
  readonly left: number;
}

/** Beside the block under the pointer: a plus to put something behind it, and a grip to drag it. */
export function BlockHandle({ editor, stage, insertBehind }: BlockHandleProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Shown>();
  const [menu, setMenu] = useState(false);
  const held = useRef(false);
  held.current = menu;
  useEffect(() => {
    const area = stage.current;
    if (area === null) return;
    const move = (event: MouseEvent): void => {
      if (held.current || event.buttons !== 0) return;
      if ((event.target as Element).closest(`.${styles.handle ?? ''}`) !== null) return;
      setShown(placeOf(editor, area, event.clientX, event.clientY));
    };
    const leave = (): void => {
      if (!held.current) setShown(undefined);
    };
    const forget = (): void => setShown((now) => (held.current ? now : undefined));
    area.addEventListener('mousemove', move);
    area.addEventListener('mouseleave', leave);
    area.addEventListener('scroll', forget);
    editor.on('update', forget);
    return () => {
      area.removeEventListener('mousemove', move);
      area.removeEventListener('mouseleave', leave);
      area.removeEventListener('scroll', forget);
      editor.off('update', forget);
    };
  }, [editor, stage]);
  if (shown === undefined || !editor.isEditable) return null;
  const { block } = shown;
  const select = (): void => {
    const { state, view } = editor;
    if (block.pos > state.doc.content.size || state.doc.nodeAt(block.pos) === null) return;
    view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, block.pos)));
    view.focus();
  };
  const run = (command: typeof duplicateBlock): void => {
    select();
    command(editor.state, editor.view.dispatch);
    setShown(undefined);
  };
  return (
    <div className={styles.handle} style={{ top: shown.top, left: shown.left }} contentEditable={false}>
      <button
        type="button"
        className={styles.handleButton}
        aria-label={t('editor:handle.insert')}
        tabIndex={-1}
        onClick={() => insertBehind(block)}
      >
        <Plus size={15} aria-hidden />
      </button>
      <Menu opened={menu} onChange={setMenu} position="bottom-start">
        <Menu.Target>
          <button
            type="button"
            className={`${styles.handleButton ?? ''} ${styles.grip ?? ''}`}
            aria-label={t('editor:handle.move')}
            tabIndex={-1}
            draggable
            onClick={() => {
              select();
              setMenu(true);
            }}
            onDragStart={(event) => {
              select();
              const { state, view } = editor;
              const slice = state.selection.content();
              const dom = view.nodeDOM(block.pos);
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/html', view.serializeForClipboard(slice).dom.innerHTML);
              if (dom instanceof HTMLElement) event.dataTransfer.setDragImage(dom, 0, 0);
              view.dragging = { slice, move: true };
            }}
            onDragEnd={() => {
              editor.view.dragging = null;
              setShown(undefined);
            }}
          >
            <GripVertical size={15} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<ArrowUp size={14} aria-hidden />}
            rightSection={<kbd className={styles.kbd}>Alt ↑</kbd>}
            onClick={() => run(moveBlock(-1))}
          >
            {t('editor:action.up')}
          </Menu.Item>
          <Menu.Item
            leftSection={<ArrowDown size={14} aria-hidden />}
            rightSection={<kbd className={styles.kbd}>Alt ↓</kbd>}
            onClick={() => run(moveBlock(1))}
          >
            {t('editor:action.down')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Copy size={14} aria-hidden />}
            rightSection={<kbd className={styles.kbd}>Ctrl D</kbd>}
            onClick={() => run(duplicateBlock)}
          >
            {t('editor:action.duplicate')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={() => run(deleteBlock)}>
            {t('editor:action.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** The innermost block that can be moved at a point, and where its handle stands in the area. */
function placeOf(editor: Editor, area: HTMLElement, x: number, y: number): Shown | undefined {
  const { view } = editor;
  const box = view.dom.getBoundingClientRect();
  // Left of the text the blocks are meant whose lines are there.
  const at = view.posAtCoords({
    left: Math.max(box.left + 8, Math.min(x, box.right - 8)),
    top: Math.max(box.top + 4, Math.min(y, box.bottom - 4)),
  });
  if (at === null) return undefined;
  const around = blocksAround(view.state.doc.resolve(at.inside >= 0 ? Math.max(at.pos, at.inside) : at.pos));
  const inside = at.inside >= 0 ? view.state.doc.nodeAt(at.inside) : null;
  const blocks =
    inside !== null && inside.isBlock && inside.isAtom ? [{ node: inside, pos: at.inside }, ...around] : around;
  const block = blocks.find((each) => isMovable(view.state, each));
  const dom = block === undefined ? null : view.nodeDOM(block.pos);
  if (block === undefined || !(dom instanceof HTMLElement)) return undefined;
  const own = dom.getBoundingClientRect();
  const frame = area.getBoundingClientRect();
  return { block, top: own.top - frame.top + area.scrollTop + 1, left: Math.max(2, own.left - frame.left - 54) };
}
