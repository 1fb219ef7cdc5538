import { Box, Kbd, Modal, Stack } from '@mantine/core';
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
      <Stack gap={20}>
        {groups.map((group) => (
          <section key={group}>
            <Box component="h3" mb={4} c="var(--text-3)" fz={12} fw={500}>
              {group}
            </Box>
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
      </Stack>
    </Modal>
  );
}
