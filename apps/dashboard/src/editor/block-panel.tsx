import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { ActionIcon, Button, Flex, Tooltip } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronRight, Copy, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changeTable,
  chosenBlocks,
  deleteBlock,
  duplicateBlock,
  isMovable,
  moveBlock,
  setAttributes,
  type Block,
} from './block-commands';
import { PanelFieldControl, type PanelHelp } from './panel-controls';
import { panelFields } from './panel-fields';
import { SavedSectionNote, SaveAsSection } from './section-tools';
import { useEditorState } from './use-email-editor';
import styles from './editor.module.css';

interface BlockPanelProps {
  readonly editor: Editor;
  readonly help: PanelHelp;
  /** Of the broadcast or the template. */
  readonly documentId: string;
  /** Sends what is unsaved at this moment. */
  readonly saveNow: () => Promise<void>;
}

/** The settings of the chosen block, and nothing else. */
export function BlockPanel({ editor, help, documentId, saveNow }: BlockPanelProps) {
  const { t } = useTranslation();
  useEditorState(editor, shownOf);
  const [hasMore, setMore] = useState(false);
  const { selection } = editor.state;
  const inline: Block | undefined =
    selection instanceof NodeSelection && selection.node.isInline
      ? { node: selection.node, pos: selection.from }
      : undefined;
  const blocks = chosenBlocks(editor.state);
  const block = inline ?? blocks[0];
  if (block === undefined) return <p className="quiet">{t('editor:panel.none')}</p>;
  const fields = panelFields[block.node.type.name] ?? [];
  const shown = fields.filter(({ more }) => more !== true);
  const rare = fields.filter(({ more }) => more === true);
  const run = (command: typeof duplicateBlock): void => {
    command(editor.state, editor.view.dispatch);
    editor.view.focus();
  };
  const control = (field: (typeof fields)[number]) => (
    <PanelFieldControl
      key={`${block.node.type.name} ${field.name}`}
      field={field}
      type={block.node.type.name}
      attrs={block.node.attrs}
      readOnly={!editor.isEditable}
      help={help}
      change={(value) => setAttributes(editor, block, changesOf(field.name, value))}
      changeAll={(values) => setAttributes(editor, block, values)}
    />
  );
  const copy = blocks.find(({ node }) => node.type.name === 'section' && node.attrs.savedId !== null);
  const isTable = blocks.some(({ node }) => node.type.name === 'table');
  return (
    <section className={styles.blockSettings} aria-label={t('editor:panel.block')}>
      <Flex
        component="nav"
        gap={2}
        wrap="wrap"
        align="center"
        c="var(--text-3)"
        fz={12}
        aria-label={t('editor:panel.path')}
      >
        {[...(inline === undefined ? blocks : [inline, ...blocks])].reverse().map((each, no, all) => (
          <span key={each.pos} className={styles.crumb}>
            {no === 0 ? null : <ChevronRight size={12} aria-hidden />}
            <button
              type="button"
              aria-current={no === all.length - 1 || undefined}
              onClick={() => {
                editor.view.dispatch(editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, each.pos)));
                editor.view.focus();
              }}
            >
              {nameOf(t, each)}
            </button>
          </span>
        ))}
      </Flex>
      {editor.isEditable && inline === undefined && blocks.some((each) => isMovable(editor.state, each)) ? (
        <div className={styles.blockTools} role="toolbar" aria-label={t('editor:panel.actions')}>
          {(
            [
              ['up', ArrowUp, moveBlock(-1)],
              ['down', ArrowDown, moveBlock(1)],
              ['duplicate', Copy, duplicateBlock],
              ['delete', Trash2, deleteBlock],
            ] as const
          ).map(([name, Icon, command]) => (
            <Tooltip key={name} label={t(`editor:action.${name}`)}>
              <ActionIcon aria-label={t(`editor:action.${name}`)} onClick={() => run(command)}>
                <Icon size={15} aria-hidden />
              </ActionIcon>
            </Tooltip>
          ))}
          <SaveAsSection editor={editor} />
        </div>
      ) : null}
      {copy === undefined ? null : (
        <SavedSectionNote
          key={String(copy.node.attrs.savedId)}
          editor={editor}
          block={copy}
          documentId={documentId}
          saveNow={saveNow}
        />
      )}
      {isTable && editor.isEditable ? (
        <div className={styles.tableTools}>
          {(['addRow', 'addColumn', 'removeRow', 'removeColumn'] as const).map((change) => (
            <Button key={change} variant="default" onClick={() => changeTable(editor, change)}>
              {t(`editor:table.${change}`)}
            </Button>
          ))}
        </div>
      ) : null}
      {shown.map(control)}
      {rare.length === 0 ? null : (
        <>
          <Button
            variant="subtle"
            color="gray"
            className={styles.moreButton}
            aria-expanded={hasMore}
            onClick={() => setMore(!hasMore)}
          >
            {t(hasMore ? 'editor:panel.less' : 'editor:panel.more')}
          </Button>
          {hasMore ? rare.map(control) : null}
        </>
      )}
      {block.node.type.name === 'variable' ? (
        <p className="quiet">{t('editor:panel.variableText', { name: String(block.node.attrs.name) })}</p>
      ) : null}
    </section>
  );
}

/** What the panel shows of the chosen blocks. The words in them are not among it, except those of a saved section. */
function shownOf({ state, isEditable }: Editor): readonly unknown[] {
  const { selection } = state;
  const inline = selection instanceof NodeSelection && selection.node.isInline ? selection.node : undefined;
  const blocks = chosenBlocks(state).flatMap(({ node, pos }) => [
    pos,
    node.type,
    node.type.name === 'section' && node.attrs.savedId !== null ? node : node.attrs,
  ]);
  return [isEditable, inline, inline && selection.from, ...blocks];
}

/** A level is a number in the document. */
function changesOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return { [name]: name === 'level' ? Number(value) : value };
}

function nameOf(t: (key: string) => string, { node }: Block): string {
  const { name } = node.type;
  return t(`editor:block.${name === 'heading' ? `heading${Math.min(3, Number(node.attrs.level ?? 1))}` : name}`);
}
