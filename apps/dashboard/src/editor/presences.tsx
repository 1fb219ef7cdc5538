import { Tooltip } from '@mantine/core';
import { Bot } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { colorOfPerson } from '../logic/person-color';
import type { Presence } from './use-room';
import styles from './content-editor.module.css';

/** Who else has the content open. */
export function Presences({ people }: { readonly people: readonly Presence[] }) {
  const { t } = useTranslation();
  const others = people.filter(({ is_self: isSelf }) => !isSelf);
  if (others.length === 0) return null;
  return (
    <span className={styles.avatars} role="group" aria-label={t('editor:room.people')}>
      {others.slice(0, 5).map(({ name, kind, cursor, client_id: id }) => {
        const shown = name === '' ? t('editor:room.somebody') : name;
        const label = t(cursor === null ? 'editor:room.looks' : 'editor:room.writes', { name: shown });
        return (
          <Tooltip key={id} label={label}>
            <span
              className={styles.avatar}
              data-kind={kind}
              role="img"
              aria-label={label}
              style={kind === 'agent' ? undefined : { background: colorOfPerson(id), color: '#fff' }}
            >
              {kind === 'agent' ? <Bot size={13} aria-hidden /> : shown.charAt(0).toUpperCase()}
            </span>
          </Tooltip>
        );
      })}
    </span>
  );
}
