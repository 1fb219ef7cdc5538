import { Box, Flex } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import styles from './entry.module.css';

interface EntryProps {
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly title: ReactNode;
  readonly at?: string;
  /** The time itself rather than how long ago it was. */
  readonly exact?: boolean;
  readonly children?: ReactNode;
}

/** A point on the timeline. */
export function Entry({ icon: Icon, tone, title, at, exact = false, children }: EntryProps) {
  return (
    <li className={styles.entry}>
      <span className={styles.dot} data-tone={tone}>
        <Icon size={13} strokeWidth={2.2} aria-hidden />
      </span>
      <Box miw={0} pt={2}>
        <Flex gap={12} align="baseline" justify="space-between">
          <span className={styles.name}>{title}</span>
          {at === undefined ? null : (
            <Box component="span" flex="none" c="var(--text-3)" fz={12}>
              <Time at={at} form={exact ? 'exact' : 'relative'} />
            </Box>
          )}
        </Flex>
        {children === null || children === undefined ? null : <div className={styles.more}>{children}</div>}
      </Box>
    </li>
  );
}
