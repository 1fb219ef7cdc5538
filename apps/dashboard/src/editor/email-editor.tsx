import type { Editor } from '@tiptap/core';
import { useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonNode } from '../logic/document-json';
import { styleVariables, setCurrentStyles, type EmailStyles } from '../logic/email-styles';
import { insertBlock, movable, type Block } from './block-commands';
import { BlockHandle } from './block-handle';
import { BubbleBar } from './bubble-bar';
import { insertMenuKey, type Trigger } from './insert-menu';
import {
  InsertPopup,
  useBlockChoices,
  useSectionChoices,
  useVariableChoices,
  type PopupKeys,
  type VariableName,
} from './insert-popup';
import { setLogoSource } from './node-views';
import type { PanelHelp } from './panel-controls';
import type { Canvas } from './document-work';
import type { ContentType } from './use-document';
import { useEmailEditor } from './use-email-editor';
import type { Room } from './use-room';
import './canvas.css';
import styles from './editor.module.css';

export interface UploadedImage {
  readonly src: string;
  readonly alt: string;
  readonly width: number;
}

interface EmailEditorProps {
  readonly type: ContentType;
  /** Another key is another document, or another state of it: the editor begins anew. */
  readonly documentKey: string;
  readonly read: () => JsonNode;
  readonly styles: EmailStyles;
  readonly editable: boolean;
  readonly variables: readonly VariableName[];
  readonly lists: readonly string[];
  readonly changed: () => void;
  readonly attach: (canvas: Canvas | undefined) => void;
  readonly room: Room;
  readonly upload?: (file: File) => Promise<UploadedImage>;
  readonly chooseImage?: PanelHelp['chooseImage'];
  /** Above the canvas, such as the subject. */
  readonly head?: ReactNode;
  readonly panel: (editor: Editor, help: PanelHelp) => ReactNode;
}

interface OpenMenu {
  readonly kind: 'block' | 'variable';
  readonly query: string;
  readonly at: number;
  /** Whether it was typed, such as `/but`. What was typed goes when something is chosen. */
  readonly isTyped?: boolean;
  /** Where a block is put in; undefined: at the caret. */
  readonly target?: number;
}

/** The canvas with its tools, and the panel beside it. */
export function EmailEditor(props: EmailEditorProps) {
  const { documentKey, read, styles: emailStyles, editable, variables, changed, upload, room } = props;
  const { t } = useTranslation();
  const stage = useRef<HTMLDivElement>(null);
  const menuKeys = useRef<PopupKeys>(null);
  const [menu, setMenu] = useState<OpenMenu>();
  const [linking, setLinking] = useState(false);
  const others = useMemo(
    () =>
      room.people.flatMap(({ client_id: id, name, cursor, is_self: isSelf }) =>
        cursor === null || isSelf ? [] : [{ id, name: name === '' ? t('editor:room.somebody') : name, ...cursor }],
      ),
    [room.people, t],
  );
  const content = useMemo(read, [documentKey]);
  setCurrentStyles(emailStyles);
  setLogoSource(() => ({
    logo: emailStyles.logo,
    name: emailStyles.logoAlt || emailStyles.company,
    width: emailStyles.logoWidth,
  }));
  const made = useRef<Editor>(undefined);

  const putFiles = async (files: readonly File[], at: number | undefined): Promise<void> => {
    if (upload === undefined) return;
    for (const file of files) {
      const image = await upload(file);
      if (made.current === undefined) return;
      const attrs = { src: image.src, ...(image.alt === '' ? {} : { alt: image.alt }) };
      insertBlock(made.current, { type: 'image', attrs }, at === undefined ? undefined : boundary(made.current, at));
    }
  };

  const { editor, mount } = useEmailEditor(documentKey, {
    content,
    editable,
    label: t('editor:canvas.label'),
    placeholder: t('editor:canvas.hint'),
    changed,
    attach: props.attach,
    point: room.point,
    others,
    trigger: (trigger: Trigger | undefined) =>
      setMenu(
        trigger === undefined
          ? undefined
          : { kind: trigger.kind, query: trigger.query, at: trigger.from, isTyped: true },
      ),
    menuKey: (event) => menuKeys.current?.key(event) ?? false,
    openMenu: () => {
      const now = made.current;
      if (now !== undefined) setMenu({ kind: 'block', query: '', at: now.state.selection.to });
    },
    files: (files, at) => void putFiles(files, at),
    editLink: () => setLinking(true),
  });
  made.current = editor;

  const close = (): void => {
    setMenu(undefined);
    // The search loses the focus a moment before it closes the menu.
    if (editor !== undefined && !editor.isDestroyed) {
      editor.view.dispatch(editor.state.tr.setMeta(insertMenuKey, 'close'));
      if (menu?.isTyped !== true) editor.commands.focus();
    }
  };
  const colors = useMemo(
    () => [
      ...new Set([
        emailStyles.text,
        emailStyles.heading,
        emailStyles.muted,
        emailStyles.link,
        emailStyles.button,
        emailStyles.background,
        emailStyles.content,
      ]),
    ],
    [emailStyles],
  );
  const help: PanelHelp = {
    colors,
    lists: props.lists,
    tags: variables.map(({ name }) => `{{{${name}}}}`),
    chooseImage: props.chooseImage,
  };
  const insertBehind = (block: Block): void => {
    const target = block.pos + block.node.nodeSize;
    setMenu({ kind: 'block', query: '', at: Math.max(1, target - 1), target });
  };
  return (
    <div className={styles.editor}>
      <div ref={stage} className={styles.stage} data-readonly={!editable || undefined}>
        {props.head}
        <div className={styles.page} style={styleVariables(emailStyles)}>
          <div className={`ed-card ${styles.card ?? ''}`} ref={mount} />
          {editor === undefined || !editable ? null : (
            <button
              type="button"
              className={styles.addBlock}
              onClick={() => setMenu({ kind: 'block', query: '', at: endOf(editor), target: endOf(editor) })}
            >
              + {t('editor:handle.add')}
            </button>
          )}
        </div>
        {editor === undefined ? null : <BlockHandle editor={editor} stage={stage} insertBehind={insertBehind} />}
      </div>
      <aside className={styles.panel} aria-label={t('editor:panel.label')}>
        {editor === undefined ? null : props.panel(editor, help)}
      </aside>
      {editor === undefined ? null : (
        <BubbleBar editor={editor} colors={colors} linking={linking} setLinking={setLinking} />
      )}
      {editor === undefined || menu === undefined || !editable ? null : (
        <InsertMenu
          key={menu.kind}
          editor={editor}
          type={props.type}
          variables={variables}
          menu={menu}
          setMenu={setMenu}
          close={close}
          keys={menuKeys}
        />
      )}
    </div>
  );
}

interface InsertMenuProps {
  readonly editor: Editor;
  readonly type: ContentType;
  readonly variables: readonly VariableName[];
  readonly menu: OpenMenu;
  readonly setMenu: (menu: OpenMenu | undefined) => void;
  readonly close: () => void;
  readonly keys: Ref<PopupKeys>;
}

/** What can be put in where the menu was opened. */
function InsertMenu({ editor, type, variables, menu, setMenu, close, keys }: InsertMenuProps) {
  const { t } = useTranslation();
  /** What is typed by now. The last letter of it may not be drawn yet. */
  const typedNow = (): Trigger | undefined => {
    const typed = menu.isTyped === true ? insertMenuKey.getState(editor.state) : undefined;
    return typed?.kind === menu.kind ? typed : undefined;
  };
  const removeTyped = (): void => {
    const typed = typedNow();
    if (typed === undefined) return;
    editor.view.dispatch(editor.state.tr.delete(typed.from, typed.to).setMeta(insertMenuKey, 'close'));
  };
  const blockChoices = useBlockChoices(type, (json) => {
    removeTyped();
    insertBlock(editor, json, menu.target);
    setMenu(undefined);
  });
  const sectionChoices = useSectionChoices((json) => {
    removeTyped();
    insertBlock(editor, json, menu.target);
    setMenu(undefined);
  });
  const variableChoicesFor = useVariableChoices(variables, (name) => {
    const range = typedNow() ?? editor.state.selection;
    const node = editor.schema.nodes.variable?.create({ name });
    if (node !== undefined)
      editor.view.dispatch(editor.state.tr.replaceWith(range.from, range.to, node).setMeta(insertMenuKey, 'close'));
    setMenu(undefined);
    editor.view.focus();
  });
  const asBlocks = [
    ...blockChoices,
    ...sectionChoices,
    {
      key: 'variable',
      label: t('editor:block.variable'),
      group: t('editor:group.personal'),
      words: 'merge tag name {{',
      choose: () => {
        removeTyped();
        setMenu({ kind: 'variable', query: '', at: editor.state.selection.from });
      },
    },
  ];
  return (
    <InsertPopup
      editor={editor}
      label={t(menu.kind === 'block' ? 'editor:menu.blocks' : 'editor:menu.variables')}
      choicesFor={menu.kind === 'block' ? () => asBlocks : variableChoicesFor}
      query={menu.query}
      queryNow={() => typedNow()?.query}
      at={menu.at}
      hasSearch={menu.isTyped !== true}
      close={close}
      keys={keys}
    />
  );
}

/** Where something can be put between blocks: behind the block around a position. */
function boundary(editor: Editor, at: number): number {
  const block = movable({ ...editor.state, selection: { $from: editor.state.doc.resolve(at) } } as never);
  return block === undefined ? at : block.pos + block.node.nodeSize;
}

/** Before the footer, if there is one. */
function endOf(editor: Editor): number {
  const { doc } = editor.state;
  return doc.content.size - (doc.lastChild?.type.name === 'footer' ? doc.lastChild.nodeSize : 0);
}
