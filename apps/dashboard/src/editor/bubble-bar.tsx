import type { Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';
import { ActionIcon, Box, ColorSwatch, Menu, Popover, Select, TextInput, Tooltip } from '@mantine/core';
import { Bold, Code, Italic, Link2, Palette, RemoveFormatting, Strikethrough, Underline, Unlink } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditorState } from './use-email-editor';
import styles from './editor.module.css';

interface BubbleBarProps {
  readonly editor: Editor;
  readonly colors: readonly string[];
  readonly linking: boolean;
  readonly setLinking: (linking: boolean) => void;
}

const marks = [
  { name: 'bold', icon: Bold },
  { name: 'italic', icon: Italic },
  { name: 'underline', icon: Underline },
  { name: 'strike', icon: Strikethrough },
  { name: 'code', icon: Code },
] as const;

const textTypes = ['paragraph', 'heading1', 'heading2', 'heading3', 'bulletList', 'orderedList', 'blockquote'] as const;

/** The tools for a text that is selected. */
export function BubbleBar({ editor, colors, linking, setLinking }: BubbleBarProps) {
  const { t } = useTranslation();
  useEditorState(editor, ({ state, isFocused }) => (state.selection.empty ? [] : [state, isFocused]));
  const [asking, setAsking] = useState<'color' | undefined>();
  const { selection } = editor.state;
  const isText =
    selection instanceof TextSelection && !selection.empty && selection.$from.parent.type.name !== 'codeBlock';
  const isOpen =
    editor.isEditable &&
    !(selection instanceof NodeSelection) &&
    (isText || linking) &&
    (editor.isFocused || linking || asking !== undefined);
  if (!isOpen) return null;
  const isButton = selection.$from.parent.type.name === 'button';
  const start = editor.view.coordsAtPos(selection.from);
  const end = editor.view.coordsAtPos(selection.to);
  const left = Math.max(12, Math.min((start.left + end.left) / 2 - 190, window.innerWidth - 400));
  const top = start.top > 120 ? start.top - 46 : end.bottom + 8;
  const run = (change: (chain: ReturnType<Editor['chain']>) => ReturnType<Editor['chain']>): void =>
    void change(editor.chain().focus()).run();
  const type = typeOf(editor);
  return (
    <div
      className={styles.bubble}
      style={{ left, top }}
      role="toolbar"
      aria-label={t('editor:bubble.label')}
      onMouseDown={(event) => keepSelection(event)}
    >
      {linking ? (
        <LinkForm editor={editor} close={() => setLinking(false)} />
      ) : (
        <>
          {isButton ? null : (
            <Select
              aria-label={t('editor:bubble.type')}
              className={styles.bubbleType}
              size="xs"
              data={textTypes.map((value) => ({ value, label: t(`editor:block.${value}`) }))}
              value={type}
              allowDeselect={false}
              onChange={(value) => turnInto(editor, value ?? 'paragraph')}
            />
          )}
          {marks
            .filter(({ name }) => !isButton || name === 'bold' || name === 'italic')
            .map(({ name, icon: Icon }) => (
              <Tooltip key={name} label={t(`editor:bubble.${name}`)}>
                <ActionIcon
                  aria-label={t(`editor:bubble.${name}`)}
                  aria-pressed={editor.isActive(name)}
                  data-active={editor.isActive(name) || undefined}
                  onClick={() => run((chain) => chain.toggleMark(name))}
                >
                  <Icon size={15} aria-hidden />
                </ActionIcon>
              </Tooltip>
            ))}
          {isButton ? null : (
            <>
              <Tooltip label={t('editor:bubble.link')}>
                <ActionIcon
                  aria-label={t('editor:bubble.link')}
                  aria-pressed={editor.isActive('link')}
                  data-active={editor.isActive('link') || undefined}
                  onClick={() => setLinking(true)}
                >
                  <Link2 size={15} aria-hidden />
                </ActionIcon>
              </Tooltip>
              <Popover
                opened={asking === 'color'}
                onChange={(opened) => setAsking(opened ? 'color' : undefined)}
                position="bottom"
                withinPortal={false}
              >
                <Popover.Target>
                  <ActionIcon
                    aria-label={t('editor:bubble.color')}
                    onClick={() => setAsking(asking === 'color' ? undefined : 'color')}
                  >
                    <Palette size={15} aria-hidden />
                  </ActionIcon>
                </Popover.Target>
                <Popover.Dropdown className={styles.swatches}>
                  {colors.map((color) => (
                    <ColorSwatch
                      key={color}
                      component="button"
                      color={color}
                      size={22}
                      aria-label={color}
                      onClick={() => {
                        setStyle(editor, { color });
                        setAsking(undefined);
                      }}
                    />
                  ))}
                  <input
                    type="color"
                    className={styles.colorInput}
                    aria-label={t('editor:bubble.otherColor')}
                    onChange={(event) => setStyle(editor, { color: event.currentTarget.value })}
                  />
                </Popover.Dropdown>
              </Popover>
              <Menu position="bottom" withinPortal={false}>
                <Menu.Target>
                  <ActionIcon aria-label={t('editor:bubble.size')}>
                    <Box component="span" fz={12} fw={600}>
                      Aa
                    </Box>
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {[12, 14, 16, 18, 20, 24, 32, 40].map((size) => (
                    <Menu.Item key={size} onClick={() => setStyle(editor, { size })}>
                      {size} px
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
              <Tooltip label={t('editor:bubble.clear')}>
                <ActionIcon aria-label={t('editor:bubble.clear')} onClick={() => run((chain) => chain.unsetAllMarks())}>
                  <RemoveFormatting size={15} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </>
          )}
        </>
      )}
    </div>
  );
}

/** A press on a tool must not take the selection away. Fields of the bar take the focus. */
function keepSelection(event: React.MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
}

function LinkForm({ editor, close }: { readonly editor: Editor; readonly close: () => void }) {
  const { t } = useTranslation();
  const known = (editor.getAttributes('link').href as string | undefined) ?? '';
  const [href, setHref] = useState(known);
  const apply = (): void => {
    const target = href.trim();
    const chain = editor.chain().focus().extendMarkRange('link');
    if (target === '') chain.unsetLink().run();
    else chain.setLink({ href: withScheme(target) }).run();
    close();
  };
  return (
    <form
      className={styles.linkForm}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        autoFocus
        size="xs"
        aria-label={t('editor:bubble.address')}
        placeholder="https://"
        value={href}
        onChange={(event) => setHref(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          close();
          editor.commands.focus();
        }}
      />
      {known === '' ? null : (
        <ActionIcon
          aria-label={t('editor:bubble.unlink')}
          onClick={() => {
            editor.chain().focus().extendMarkRange('link').unsetLink().run();
            close();
          }}
        >
          <Unlink size={15} aria-hidden />
        </ActionIcon>
      )}
    </form>
  );
}

/** What a person types is mostly a host. */
export function withScheme(href: string): string {
  if (/^(?:[a-z][a-z\d+.-]*:|#|\{\{)/i.test(href)) return href;
  return /^[^\s@/]+@[^\s@/]+$/.test(href) ? `mailto:${href}` : `https://${href}`;
}

function setStyle(editor: Editor, changes: Readonly<Record<string, unknown>>): void {
  const attrs = { ...editor.getAttributes('textStyle'), ...changes };
  editor.chain().focus().setMark('textStyle', attrs).run();
}

function typeOf(editor: Editor): string {
  for (const list of ['bulletList', 'orderedList', 'blockquote']) if (editor.isActive(list)) return list;
  const level = [1, 2, 3].find((each) => editor.isActive('heading', { level: each }));
  return level === undefined ? 'paragraph' : `heading${level}`;
}

export function turnInto(editor: Editor, type: string): void {
  const chain = editor.chain().focus();
  switch (type) {
    case 'heading1':
    case 'heading2':
    case 'heading3':
      chain
        .clearNodes()
        .setHeading({ level: Number(type.slice(-1)) as 1 | 2 | 3 })
        .run();
      break;
    case 'bulletList':
      chain.clearNodes().toggleBulletList().run();
      break;
    case 'orderedList':
      chain.clearNodes().toggleOrderedList().run();
      break;
    case 'blockquote':
      chain.clearNodes().setBlockquote().run();
      break;
    default:
      chain.clearNodes().run();
  }
}
