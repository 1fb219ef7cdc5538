import { Tooltip } from '@mantine/core';
import { Bot } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Presence } from './use-document';
import styles from './content-editor.module.css';

/** Who else has the content open. */
export function Presences({ people }: { readonly people: readonly Presence[] }) {
  const { t } = useTranslation();
  const others = people.filter(({ is_self: isSelf }) => !isSelf);
  if (others.length === 0) return null;
  return (
    <span className={styles.avatars} role="group" aria-label={t('editor:people')}>
      {others.slice(0, 5).map(({ name, kind, is_writing: isWriting }, no) => {
        const shown = name === '' ? t('editor:lock.somebody') : name;
        return (
          <Tooltip key={no} label={t(isWriting ? 'editor:writes' : 'editor:looks', { name: shown })}>
            <span
              className={styles.avatar}
              data-kind={kind}
              role="img"
              aria-label={t(isWriting ? 'editor:writes' : 'editor:looks', { name: shown })}
            >
              {kind === 'agent' ? <Bot size={13} aria-hidden /> : shown.charAt(0).toUpperCase()}
            </span>
          </Tooltip>
        );
      })}
    </span>
  );
}
