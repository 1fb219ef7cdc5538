import type { Editor } from '@tiptap/core';
import { ActionIcon, Box, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { Slice, Fragment } from '@tiptap/pm/model';
import { Selection } from '@tiptap/pm/state';
import { Link } from '@tanstack/react-router';
import { Redo2, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { insertBlock } from './block-commands';
import { BlockPanel } from './block-panel';
import { Transfer } from './transfer';
import { useSectionChoices } from './insert-popup';
import type { PanelHelp } from './panel-controls';
import { blockKindsOf } from './block-kinds';
import { panelFields } from './panel-fields';
import type { ContentType, OpenDocument } from './use-document';
import { useEditorState } from './use-email-editor';
import { DocumentChecks } from './document-checks';
import { VersionList } from './version-list';
import styles from './content-editor.module.css';
import own from './editor.module.css';

interface DocumentPanelProps {
  readonly editor: Editor;
  readonly type: ContentType;
  readonly id: string;
  readonly document: OpenDocument;
  readonly help: PanelHelp;
}

const tabs = ['block', 'blocks', 'email', 'checks', 'versions'] as const;

/** The chosen block, and what concerns the whole document: blocks to put in, its language, its checks, its past. */
export function DocumentPanel({ editor, type, id, document, help }: DocumentPanelProps) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<(typeof tabs)[number]>('blocks');
  // A click on a block asks for its settings. Typing changes nothing here.
  useEffect(() => {
    const { dom, state } = editor.view;
    // The canvas is there a moment before its clicks are heard: one in between has put the selection somewhere else.
    if (!state.selection.eq(Selection.atStart(state.doc))) setTab('block');
    const clicked = (): void => setTab('block');
    dom.addEventListener('click', clicked);
    return () => dom.removeEventListener('click', clicked);
  }, [editor]);
  /** A block without its image says to choose one here. */
  const showSettings = (kind: string): void => {
    if (panelFields[kind]?.some((field) => field.kind === 'image') === true) setTab('block');
  };
  return (
    <>
      <div className={styles.panelTabs} role="tablist" aria-label={t('editor:panel.label')}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`panel-tab-${name}`}
            aria-controls="panel-of-document"
            aria-selected={tab === name}
            className={styles.panelTab}
            onClick={() => setTab(name)}
          >
            {t(`editor:tab.${name}`)}
          </button>
        ))}
      </div>
      <History editor={editor} />
      <div className={own.panelBody} role="tabpanel" id="panel-of-document" aria-labelledby={`panel-tab-${tab}`}>
        {tab === 'block' ? <BlockPanel editor={editor} help={help} documentId={id} saveNow={document.saveNow} /> : null}
        {tab === 'blocks' ? (
          <>
            <Palette editor={editor} type={type} added={showSettings} />
            <SectionPalette editor={editor} />
          </>
        ) : null}
        {tab === 'email' ? <EmailSettings editor={editor} type={type} document={document} /> : null}
        {tab === 'checks' ? <DocumentChecks editor={editor} type={type} id={id} document={document} /> : null}
        {tab === 'versions' ? <VersionList type={type} id={id} document={document} /> : null}
      </div>
    </>
  );
}

function History({ editor }: { readonly editor: Editor }) {
  const { t } = useTranslation();
  useEditorState(editor);
  if (!editor.isEditable) return null;
  return (
    <div className={own.history} role="toolbar" aria-label={t('editor:history.label')}>
      {(
        [
          ['undo', Undo2],
          ['redo', Redo2],
        ] as const
      ).map(([name, Icon]) => (
        <Tooltip key={name} label={t(`editor:history.${name}`)}>
          <ActionIcon
            aria-label={t(`editor:history.${name}`)}
            disabled={!editor.can()[name]()}
            onClick={() => editor.chain().focus()[name]().run()}
          >
            <Icon size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}

/** The sections of the team, to click. */
function SectionPalette({ editor }: { readonly editor: Editor }) {
  const { t } = useTranslation();
  const choices = useSectionChoices((json) => insertBlock(editor, json, undefined));
  if (choices.length === 0) return null;
  return (
    <div>
      <Box component="p" mt={4} c="var(--text-3)" fz={12}>
        {t('editor:group.sections')}
      </Box>
      <div className={styles.palette}>
        {choices.map(({ key, label, icon, choose }) => (
          <button key={key} type="button" className={styles.tile} disabled={!editor.isEditable} onClick={choose}>
            {icon}
            <span className="cut">{label}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

interface PaletteProps extends Pick<DocumentPanelProps, 'editor' | 'type'> {
  readonly added: (kind: string) => void;
}

/** The blocks, to click or to drag onto the canvas. */
function Palette({ editor, type, added }: PaletteProps) {
  const { t } = useTranslation();
  const groups = ['text', 'media', 'layout', 'personal'] as const;
  return groups.map((group) => (
    <div key={group}>
      <Box component="p" mt={4} c="var(--text-3)" fz={12}>
        {t(`editor:group.${group}`)}
      </Box>
      <div className={styles.palette}>
        {blockKindsOf(type)
          .filter((kind) => kind.group === group)
          .map(({ name, icon: Icon, json }) => {
            const made = (): object => json((key) => t(`editor:${key}`));
            return (
              <button
                key={name}
                type="button"
                className={styles.tile}
                disabled={!editor.isEditable}
                draggable={editor.isEditable}
                onClick={() => {
                  const json = made();
                  insertBlock(editor, json, undefined);
                  added((json as { type: string }).type);
                }}
                onDragStart={(event) => {
                  const node = editor.schema.nodeFromJSON(made());
                  const slice = new Slice(Fragment.from(node), 0, 0);
                  event.dataTransfer.effectAllowed = 'copy';
                  event.dataTransfer.setData('text/html', editor.view.serializeForClipboard(slice).dom.innerHTML);
                  editor.view.dragging = { slice, move: false };
                }}
                onDragEnd={({ dataTransfer: { dropEffect } }) => {
                  editor.view.dragging = null;
                  if (dropEffect !== 'none') added((made() as { type: string }).type);
                }}
              >
                <Icon size={15} aria-hidden />
                <span className="cut">{t(`editor:block.${name}`)}</span>
              </button>
            );
          })}
      </div>
    </div>
  ));
}

const languages = ['en', 'de', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'sv', 'zh'];

function EmailSettings({ editor, type, document }: Pick<DocumentPanelProps, 'editor' | 'type' | 'document'>) {
  const { t, i18n } = useTranslation();
  useEditorState(editor);
  const { lang, dir } = editor.state.doc.attrs as { lang: string | null; dir: string | null };
  const names = new Intl.DisplayNames([i18n.language], { type: 'language' });
  const set = (name: string, value: string | null): void => {
    const { tr } = editor.state;
    editor.view.dispatch(tr.setDocAttribute(name, value));
  };
  let preview = '';
  let previewAt: number | undefined;
  editor.state.doc.forEach((node, offset) => {
    if (node.type.name !== 'previewText') return;
    preview = String(node.attrs.text ?? '');
    previewAt = offset;
  });
  return (
    <>
      <Select
        label={t('editor:email.language')}
        data={languages.map((value) => ({ value, label: names.of(value) ?? value }))}
        value={lang ?? 'en'}
        allowDeselect={false}
        readOnly={!editor.isEditable}
        onChange={(value) => set('lang', value)}
      />
      <Select
        label={t('editor:email.direction')}
        data={['ltr', 'rtl'].map((value) => ({ value, label: t(`editor:option.${value}`) }))}
        value={dir ?? 'ltr'}
        allowDeselect={false}
        readOnly={!editor.isEditable}
        onChange={(value) => set('dir', value === 'ltr' ? null : value)}
      />
      {type === 'template' ? (
        <TextInput
          label={t('editor:email.preview')}
          description={t('editor:email.previewText')}
          value={preview}
          readOnly={!editor.isEditable}
          onChange={(event) => {
            const text = event.currentTarget.value;
            const { tr, schema } = editor.state;
            const node = schema.nodes.previewText?.create({ text });
            if (node === undefined) return;
            if (previewAt !== undefined) tr.replaceWith(previewAt, previewAt + 1, text === '' ? Fragment.empty : node);
            else tr.insert(0, node);
            editor.view.dispatch(tr);
          }}
        />
      ) : null}
      <p className="quiet">{t('editor:email.stylesText')}</p>
      <Button component={Link} to="/app/styles" variant="default">
        {t('editor:email.styles')}
      </Button>
      <Transfer editor={editor} type={type} document={document} />
    </>
  );
}
