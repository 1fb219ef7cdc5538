import { Box } from '@mantine/core';
import { ChevronDown, CircleCheck, TriangleAlert } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import styles from './region-map.module.css';

type Region = Schema<'RegionStateResponse'>;

/**
 * The regions side by side, with a line from each one that stands in to the one whose mail it sends. A picture of the table
 * below it, which says the same to everybody.
 */
export function RegionMap({ regions }: { readonly regions: readonly Region[] }) {
  const { t } = useTranslation();
  // A column is two units wide; its middle is an odd number.
  const middle = (name: string | null): number => regions.findIndex((region) => region.name === name) * 2 + 1;
  const lines = regions.filter(({ stand_in: by }) => by !== null && regions.some(({ name }) => name === by));
  /** The farther a line goes, the higher it rises, so that no two lie on each other. */
  const line = (from: number, to: number): string => {
    const top = 0.7 - (0.35 * Math.abs(from - to)) / Math.max(1, regions.length - 1);
    return `M ${from} 1 C ${from} ${top - 0.35}, ${to} ${top - 0.35}, ${to} 1`;
  };
  return (
    <div
      className={styles.map}
      style={{ '--regions': regions.length } as CSSProperties}
      aria-hidden
      data-lines={lines.length > 0 || undefined}
    >
      {lines.length === 0 ? null : (
        <svg viewBox={`0 0 ${regions.length * 2} 1`} preserveAspectRatio="none">
          {lines.map(({ name, stand_in: by }) => (
            <path key={name} vectorEffect="non-scaling-stroke" d={line(middle(by), middle(name))} />
          ))}
        </svg>
      )}
      {regions.map((region) => {
        const Icon = region.sending ? CircleCheck : TriangleAlert;
        const isHelped = lines.includes(region);
        return (
          <div
            key={region.name}
            className={styles.region}
            data-tone={region.sending ? 'good' : isHelped ? 'wait' : 'bad'}
          >
            {isHelped ? <ChevronDown className={styles.arrow} size={16} /> : null}
            <span className={styles.place}>
              <Icon size={18} />
            </span>
            <Box component="span" fw={550}>
              {region.name}
            </Box>
            <Box component="span" c="var(--text-3)" fz={12}>
              {t('machine-room:regions.count', { count: region.workers })}
            </Box>
          </div>
        );
      })}
    </div>
  );
}
