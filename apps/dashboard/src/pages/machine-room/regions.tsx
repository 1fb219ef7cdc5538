import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { duration } from '../../logic/moments';
import { Panel } from '../../parts/panel';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { RegionMap } from './region-map';
import styles from './machine-room.module.css';

type Region = Schema<'RegionStateResponse'>;

/** Which regions send, and which ones stand in for others. Nothing where no worker has a region of its own. */
export function Regions({ regions }: { readonly regions: readonly Region[] }) {
  const { t, i18n } = useTranslation();
  if (regions.length === 0) return null;
  const number = new Intl.NumberFormat(i18n.language);
  const silence = ({ silent_seconds: seconds }: Region): string =>
    seconds === null
      ? t('machine-room:regions.never')
      : t('machine-room:regions.silent', { time: duration(seconds * 1_000, i18n.language) });
  const stateOf = (region: Region): string => {
    if (region.workers > 0) return t('machine-room:regions.sends');
    return region.sending ? t('machine-room:regions.byAll') : silence(region);
  };
  return (
    <Panel title={t('machine-room:regions.title')} flush>
      {regions.length > 1 ? <RegionMap regions={regions} /> : null}
      <Table<Region>
        label={t('machine-room:regions.title')}
        rows={regions}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', label: t('machine-room:regions.region'), cell: ({ name }) => name },
          {
            id: 'state',
            label: t('machine-room:regions.state'),
            cell: (region) => (
              <span className={styles.region}>
                <StatusBadge
                  tone={region.sending ? 'good' : 'bad'}
                  icon={region.sending ? CircleCheck : TriangleAlert}
                  label={stateOf(region)}
                />
                {region.stand_in === null ? null : (
                  <span className="quiet">{t('machine-room:regions.standIn', { region: region.stand_in })}</span>
                )}
              </span>
            ),
          },
          {
            id: 'workers',
            label: t('machine-room:regions.workers'),
            align: 'end',
            cell: ({ workers }) => number.format(workers),
          },
        ]}
      />
    </Panel>
  );
}
