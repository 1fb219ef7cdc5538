import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Languages, LogOut, Mail, Search, type LucideIcon } from 'lucide-react';
import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { useTeam } from '../api/session';
import { matching } from '../logic/matching';
import styles from './command-palette.module.css';
import { actions, innerPages, looks, type FoundThing, type Place } from './commands';
import type { NavigationItem } from './navigation';
import { useSignOut } from './sign-out';
import { useUserActions } from './user-menu';

interface Command {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly label: string;
  /** What tells it from others of this name. */
  readonly detail?: string | undefined;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

interface CommandPaletteProps {
  readonly items: readonly NavigationItem[];
  readonly opened: boolean;
  readonly close: () => void;
}

export function CommandPalette({ items, opened, close }: CommandPaletteProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={close}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      size={600}
      padding={0}
      styles={{ body: { padding: 0 } }}
      title={t('frame:palette.label')}
      classNames={{ header: 'visually-hidden' }}
    >
      <Commands items={items} close={close} />
    </Modal>
  );
}

function Commands({ items, close }: Omit<CommandPaletteProps, 'opened'>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const users = useUserActions();
  const signOut = useSignOut();
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);

  const may = useTeam()?.permissions ?? [];
  const wanted = text.trim();
  const found = useFound(wanted);
  const own = useMemo(
    (): readonly (readonly [heading: string, commands: readonly Command[]])[] => [
      [
        t('frame:keys.pages'),
        [...items, ...allowed(innerPages, may)].map(({ to, icon, label, ...rest }) => ({
          id: `page ${to}`,
          icon,
          label: t(label),
          keys: 'keys' in rest ? rest.keys : undefined,
          run: () => void navigate({ to, search: {} }),
        })),
      ],
      [
        t('frame:palette.actions'),
        [
          ...allowed(actions, may).map(({ to, icon, label }) => ({
            id: `action ${to}`,
            icon,
            label: t(label),
            run: () => void navigate({ to, search: { add: '1' } }),
          })),
          ...users.schemes.map(({ value, icon, label, choose }) => ({
            id: `scheme ${value}`,
            icon,
            label: `${t('frame:scheme.title')}: ${label}`,
            run: choose,
          })),
          ...users.languages.map(({ value, label, choose }) => ({
            id: `language ${value}`,
            icon: Languages,
            label: `${t('frame:language')}: ${label}`,
            run: choose,
          })),
          { id: 'sign-out', icon: LogOut, label: t('frame:user.signOut'), run: signOut },
        ],
      ],
    ],
    [items, may.join(), users, navigate, t],
  );
  const emails = {
    id: 'search',
    icon: Mail,
    label: t('frame:palette.emails', { text: wanted }),
    run: () => void navigate({ to: '/app/emails', search: { q: wanted } }),
  };
  const groups = [
    ...own.map(([heading, commands]) => [heading, ranked(commands, wanted)] as const),
    ...Object.entries(looks).map(
      ([kind, { icon, path }]) =>
        [
          t(`frame:palette.kinds.${kind}`),
          found
            .filter(({ object }) => object === kind)
            .map((thing) => ({
              id: thing.id,
              icon,
              label: thing.name || t('emails:noSubject'),
              detail: detailOf(thing, t),
              run: () => void navigate({ to: path(thing), search: {} }),
            })),
        ] as const,
    ),
    [t('frame:nav.emails'), wanted === '' ? [] : [emails]] as const,
  ].filter(([, commands]) => commands.length > 0);
  const shown: readonly Command[] = groups.flatMap(([, commands]) => commands);
  const current = Math.min(chosen, shown.length - 1);

  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((current + step + shown.length) % shown.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(shown[current]);
    }
  };
  return (
    <div>
      <div className={styles.field}>
        <Search size={17} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={`${id}-${current}`}
          aria-label={t('frame:palette.label')}
          className={styles.input}
          placeholder={t('frame:palette.label')}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t('frame:palette.label')} className={styles.list}>
        {groups.map(([heading, commands]) => (
          <div key={heading} role="group" aria-label={heading}>
            <div className={styles.heading} aria-hidden>
              {heading}
            </div>
            {commands.map((command: Command) => {
              const index = shown.indexOf(command);
              return (
                <div
                  key={command.id}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === current}
                  className={styles.command}
                  ref={(element) => {
                    if (index === current) element?.scrollIntoView({ block: 'nearest' });
                  }}
                  onPointerMove={() => setChosen(index)}
                  onClick={() => run(command)}
                >
                  <command.icon size={16} strokeWidth={1.8} aria-hidden />
                  <span className="cut">
                    {command.label} <span className="quiet">{command.detail}</span>
                  </span>
                  {command.keys === undefined ? null : <kbd className={styles.keys}>{command.keys}</kbd>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

/** How many pages, and how many actions, stand before what was found. */
const maxOwn = 3;

/** All of them until something is typed, then the best matches: those with a word that begins with it come first. */
function ranked(commands: readonly Command[], wanted: string): readonly Command[] {
  if (wanted === '') return commands;
  const begins = ({ label }: Command): boolean => ` ${label.toLowerCase()}`.includes(` ${wanted.toLowerCase()}`);
  const matches = commands.filter(({ label }) => matching(label, wanted));
  return [...matches.filter(begins), ...matches.filter((command) => !begins(command))].slice(0, maxOwn);
}

const allowed = (places: readonly Place[], may: readonly string[]): readonly Place[] =>
  places.filter(({ permission }) => permission === undefined || may.includes(permission));

const calmMs = 80;

/** What the team has by this name. The answers before stay until there are new ones. */
function useFound(text: string): readonly FoundThing[] {
  const [asked] = useDebouncedValue(text, calmMs);
  const found = useQuery({
    queryKey: ['search', asked],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/search', { params: { query: { q: asked } }, signal }))).results,
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
  return text === '' ? [] : (found.data ?? []);
}

/** What tells it from others: a state as people call it, everything else as it is. */
function detailOf({ object, detail }: FoundThing, t: TFunction): string | undefined {
  if (detail === null) return undefined;
  const states = { broadcast: 'broadcasts:status', automation: 'automations:status', domain: 'domains:state' };
  return object in states ? t(`${states[object as keyof typeof states]}.${detail}`) : detail;
}
