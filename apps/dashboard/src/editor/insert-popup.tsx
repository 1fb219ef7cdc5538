import { Box } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Braces } from 'lucide-react';
import { copyOf } from '../logic/saved-section';
import { sayError } from '../parts/say';
import { blockKindsOf } from './block-kinds';
import { savedSectionQuery, savedSectionsQuery } from './saved-sections';
import styles from './editor.module.css';

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly group: string;
  readonly hint?: string;
  readonly icon?: React.ReactNode;
  readonly words?: string;
  readonly choose: () => void;
}

/** The blocks that can be put in. */
export function useBlockChoices(type: 'broadcast' | 'template', insert: (json: object) => void): readonly Choice[] {
  const { t } = useTranslation();
  return blockKindsOf(type).map(({ name, group, icon: Icon, json, words }) => ({
    key: name,
    label: t(`editor:block.${name}`),
    group: t(`editor:group.${group}`),
    icon: <Icon size={16} aria-hidden />,
    words: `${name} ${words ?? ''}`,
    choose: () => insert(json((key) => t(`editor:${key}`))),
  }));
}

/** The sections that the team has saved. */
export function useSectionChoices(insert: (json: object) => void): readonly Choice[] {
  const { t } = useTranslation();
  const client = useQueryClient();
  const sections = useQuery(savedSectionsQuery).data ?? [];
  return sections.map(({ id, name }) => ({
    key: id,
    label: name,
    group: t('editor:group.sections'),
    icon: <Bookmark size={16} aria-hidden />,
    words: 'saved section',
    choose: () => {
      client.fetchQuery(savedSectionQuery(id)).then(({ node }) => insert(copyOf(node, id)), sayError);
    },
  }));
}

export interface VariableName {
  readonly name: string;
  readonly label: string;
  readonly group: string;
}

/** What is offered for a query: what was typed may be the name of a new variable. */
export function useVariableChoices(
  variables: readonly VariableName[],
  insert: (name: string) => void,
): (query: string) => readonly Choice[] {
  const { t } = useTranslation();
  const known = variables.map(({ name, label, group }) => ({
    key: name,
    label,
    group,
    hint: name,
    words: name,
    icon: <Braces size={16} aria-hidden />,
    choose: () => insert(name),
  }));
  return (query) => {
    const typed = query.trim();
    const isNew = /^\w[\w.]*$/.test(typed) && !variables.some(({ name }) => name.toLowerCase() === typed.toLowerCase());
    return isNew
      ? [
          ...known,
          {
            key: `new ${typed}`,
            label: t('editor:newVariable', { name: typed }),
            group: t('editor:group.new'),
            icon: <Braces size={16} aria-hidden />,
            words: typed,
            choose: () => insert(typed),
          },
        ]
      : known;
  };
}

export interface PopupKeys {
  readonly key: (event: KeyboardEvent) => boolean;
}

interface PopupProps {
  readonly editor: Editor;
  readonly label: string;
  readonly choicesFor: (query: string) => readonly Choice[];
  readonly query: string;
  /** What is typed in the document by now, although it is not drawn yet; undefined if nothing is. */
  readonly queryNow: () => string | undefined;
  /** Position in the document at which it opens. */
  readonly at: number;
  /** Whether it has its own search field; otherwise `query` is what was typed in the document. */
  readonly hasSearch: boolean;
  readonly close: () => void;
  readonly keys: Ref<PopupKeys>;
}

/** A list of things to put in, which is searched while one types. */
export function InsertPopup({ editor, label, choicesFor, query, queryNow, at, hasSearch, close, keys }: PopupProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  // A menu that closes late must not close the next one.
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(closing.current), []);
  const wanted = (hasSearch ? typed : query).trim().toLowerCase();
  const found = useMemo(() => foundIn(choicesFor(query), wanted), [choicesFor, query, wanted]);
  const [drawn, setDrawn] = useState(wanted);
  if (drawn !== wanted) {
    setDrawn(wanted);
    setActive(0);
  }
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, found]);
  /** A key may come before the letter ahead of it is drawn. */
  const chosenNow = (): Choice | undefined => {
    const now = hasSearch ? query : queryNow();
    if (now === undefined) return undefined;
    return now === query ? found[active] : foundIn(choicesFor(now), now.trim().toLowerCase())[0];
  };
  const key = (event: Pick<KeyboardEvent, 'key' | 'preventDefault'>): boolean => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : found.length - 1;
      setActive((now) => (found.length === 0 ? 0 : (now + step) % found.length));
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      const choice = chosenNow();
      if (choice === undefined) return false;
      choice.choose();
    } else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    return true;
  };
  useImperativeHandle(keys, () => ({ key }));
  const style = popupPlace(editor, at, 320);
  let group = '';
  return (
    <div className={styles.popup} style={style} role="dialog" aria-label={label}>
      {hasSearch ? (
        <input
          className={styles.popupSearch}
          autoFocus
          aria-label={t('editor:search')}
          placeholder={t('editor:search')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => void key(event.nativeEvent)}
          onBlur={() => {
            closing.current = setTimeout(close, 150);
          }}
        />
      ) : null}
      <div ref={list} className={styles.popupList} role="listbox" aria-label={label} tabIndex={0}>
        {found.length === 0 ? (
          <Box component="p" p={10} c="var(--text-3)">
            {t('editor:nothingFound')}
          </Box>
        ) : null}
        {found.map((choice, no) => {
          const isFirst = choice.group !== group;
          group = choice.group;
          return (
            <div key={choice.key}>
              {isFirst && wanted === '' ? <p className={styles.popupGroup}>{choice.group}</p> : null}
              <button
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={no === active}
                className={styles.popupItem}
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setActive(no)}
                onClick={choice.choose}
              >
                <span className={styles.popupIcon}>{choice.icon}</span>
                <span className="cut">{choice.label}</span>
                {choice.hint === undefined ? null : <code className={`cut ${styles.popupHint}`}>{choice.hint}</code>}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function foundIn(choices: readonly Choice[], wanted: string): readonly Choice[] {
  if (wanted === '') return choices;
  return choices
    .filter(({ label, words = '' }) => `${label} ${words}`.toLowerCase().includes(wanted))
    .sort((a, b) => rank(a, wanted) - rank(b, wanted));
}

function rank({ label, words = '' }: Choice, wanted: string): number {
  if (label.toLowerCase().startsWith(wanted)) return 0;
  if (label.toLowerCase().includes(wanted)) return 1;
  return words.split(' ').some((word) => word.toLowerCase().startsWith(wanted)) ? 2 : 3;
}

/** Below the position, or above it where there is no room. */
export function popupPlace(editor: Editor, at: number, height: number): React.CSSProperties {
  const { left, top, bottom } = editor.view.coordsAtPos(Math.min(at, editor.state.doc.content.size));
  const isAbove = bottom + height > window.innerHeight && top > height;
  return {
    left: Math.max(8, Math.min(left, window.innerWidth - 300)),
    ...(isAbove ? { bottom: window.innerHeight - top + 6 } : { top: Math.min(bottom + 6, window.innerHeight - 120) }),
  };
}
