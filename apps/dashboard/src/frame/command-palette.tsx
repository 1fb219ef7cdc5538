import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Mail, Search, type LucideIcon } from 'lucide-react';
import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { matching } from '../logic/matching';
import styles from './command-palette.module.css';
import type { NavigationItem } from './navigation';
import { useUserActions } from './user-menu';

interface Command {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly label: string;
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
  const actions = useUserActions();
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);

  const commands = useMemo((): Command[] => {
    const pages = items.map(({ to, icon, label, keys }) => ({
      id: to,
      icon,
      label: t('frame:keys.goTo', { page: t(label) }),
      keys,
      run: () => void navigate({ to, search: {} }),
    }));
    const schemes = actions.schemes.map(({ value, icon, label, choose }) => ({
      id: value,
      icon,
      label: `${t('frame:scheme.title')}: ${label}`,
      run: choose,
    }));
    return [...pages, ...schemes];
  }, [items, actions, navigate, t]);

  const wanted = text.trim();
  const shown: Command[] = [
    ...commands.filter(({ label }) => matching(label, wanted)),
    ...(wanted === ''
      ? []
      : [
          {
            id: 'search',
            icon: Mail,
            label: t('frame:palette.emails', { text: wanted }),
            run: () => void navigate({ to: '/app/emails', search: { q: wanted } }),
          },
        ]),
  ];
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
      <ul id={`${id}-list`} role="listbox" aria-label={t('frame:palette.label')} className={styles.list}>
        {shown.map((command, index) => (
          <li
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
            <span className="cut">{command.label}</span>
            {command.keys === undefined ? null : <kbd className={styles.keys}>{command.keys}</kbd>}
          </li>
        ))}
      </ul>
    </div>
  );
}
