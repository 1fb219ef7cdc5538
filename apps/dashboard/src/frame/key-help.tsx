import { Kbd, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { shownKeys } from '../parts/keys';
import styles from './key-help.module.css';
import { useActiveShortcuts } from './shortcuts';

export function KeyHelp({ opened, close }: { readonly opened: boolean; readonly close: () => void }) {
  const { t } = useTranslation();
  const shortcuts = useActiveShortcuts().filter(({ label }) => label !== undefined);
  const groups = [...new Set(shortcuts.map(({ group }) => group ?? ''))].reverse();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('frame:keys.title')}
      size={560}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <div className={styles.groups}>
        {groups.map((group) => (
          <section key={group}>
            <h3 className={styles.title}>{group}</h3>
            <dl className={styles.keys}>
              {shortcuts
                .filter((shortcut) => (shortcut.group ?? '') === group)
                .map(({ keys, label }) => (
                  <div key={keys} className={styles.line}>
                    <dt>{label}</dt>
                    <dd>
                      {shownKeys(keys).map((key, index) => (
                        <Kbd key={index} size="xs">
                          {key}
                        </Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
