import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { bytesText } from '../../logic/bytes';
import { duration, parseTime } from '../../logic/moments';
import { Page } from '../../parts/page';
import { Facts, Figure, Figures, Panel, Stack } from '../../parts/panel';
import { ErrorState } from '../../parts/states';
import { Time, useNow } from '../../parts/time';
import { Addresses } from './addresses';
import { Findings } from './findings';
import { Guards } from './guards';
import { Lanes } from './lanes';
import { Pools } from './pools';
import { Regions } from './regions';
import { Workers } from './workers';
import styles from './machine-room.module.css';

type Room = Schema<'MachineRoomResponse'>;

const everyMs = 2_000;
/** Mail that has waited longer is worth a look. */
const oldMs = 15 * 60_000;

/** One screen that an operator leaves open on a wall. */
export function MachineRoomPage() {
  const { t, i18n } = useTranslation();
  const room = useQuery({
    queryKey: ['machine-room'],
    queryFn: () => answer(api.GET('/machine-room')),
    refetchInterval: everyMs,
    refetchIntervalInBackground: true,
  });
  const queue = useQuery({
    queryKey: ['machine-room', 'queue'],
    queryFn: () => answer(api.GET('/machine-room/queue')),
    refetchInterval: everyMs,
    refetchIntervalInBackground: true,
  });
  const rates = useRates(room.data);
  const now = useNow(1_000);
  const error = room.error ?? queue.error;
  if (error !== null && (room.data === undefined || queue.data === undefined)) {
    return (
      <Page title={t('machine-room:title')}>
        <ErrorState error={error} retry={() => void Promise.all([room.refetch(), queue.refetch()])} />
      </Page>
    );
  }
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  const rate = (value: number | undefined): string => (value === undefined ? '–' : number.format(value));
  const oldest = queue.data?.oldest_at;
  const ageMs = oldest == null ? 0 : now - parseTime(oldest).getTime();
  const { data } = room;
  return (
    <Page
      title={t('machine-room:title')}
      aside={data === undefined ? undefined : <span className="quiet tabular">{`v${data.version}`}</span>}
      scroll
    >
      {data === undefined || queue.data === undefined ? null : (
        <Stack wide>
          {error === null ? null : <p className={styles.away}>{t('machine-room:away')}</p>}
          <Figures>
            <Figure label={t('machine-room:accepted')} value={rate(rates?.sent)} note={t('machine-room:perSecond')} />
            <Figure
              label={t('machine-room:delivered')}
              value={rate(rates?.delivered)}
              note={t('machine-room:perSecond')}
            />
            <Figure
              label={t('machine-room:waiting')}
              value={`${number.format(queue.data.waiting)}${queue.data.waiting_is_more ? '+' : ''}`}
              note={t('machine-room:inLanes', { count: queue.data.lane_count })}
            />
            <Figure
              label={t('machine-room:oldest')}
              value={oldest == null ? '–' : duration(Math.max(0, ageMs), i18n.language)}
              tone={ageMs > oldMs ? 'wait' : undefined}
              note={oldest == null ? t('machine-room:nothingWaits') : <Time at={oldest} />}
            />
            <Figure
              label={t('machine-room:bounced')}
              value={rate(rates?.bounced)}
              note={t('machine-room:perSecond')}
              tone={
                (rates?.bounced ?? 0) > 1 && (rates?.bounced ?? 0) > (rates?.delivered ?? 0) / 10 ? 'bad' : undefined
              }
            />
          </Figures>
          <Guards />
          <Regions regions={queue.data.regions} />
          <Lanes queue={queue.data} />
          <div className={styles.columns}>
            <Workers workers={queue.data.workers} />
            <State room={data} />
          </div>
          <Addresses />
          <Pools />
          <Findings />
        </Stack>
      )}
    </Page>
  );
}

function State({ room }: { readonly room: Room }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const { database, disk, certificate } = room;
  const size = (bytes: number): string => bytesText(bytes, i18n.language);
  return (
    <Panel title={t('machine-room:state.title')}>
      <Facts
        items={[
          ['PostgreSQL', `${database.version} · ${size(database.size_bytes)}`],
          [
            t('machine-room:state.connections'),
            `${number.format(database.connections)} / ${number.format(database.max_connections)}`,
          ],
          [t('machine-room:state.transaction'), duration(database.oldest_transaction_seconds * 1_000, i18n.language)],
          [t('machine-room:state.cache'), percent.format(database.cache_hit_ratio)],
          [
            t('machine-room:state.disk'),
            disk === null
              ? '–'
              : `${size(disk.free_bytes)} / ${size(disk.total_bytes)}${disk.accepting ? '' : ` · ${t('machine-room:state.full')}`}`,
          ],
          [
            t('machine-room:state.certificate'),
            certificate === null ? (
              '–'
            ) : (
              <span key="certificate">
                {certificate.subject} · <Time at={certificate.valid_to} />
                {certificate.self_signed ? ` · ${t('machine-room:state.selfSigned')}` : ''}
              </span>
            ),
          ],
          [t('machine-room:state.version'), `Postrider ${room.version} · Node ${room.node_version.replace('v', '')}`],
          [t('machine-room:state.started'), <Time key="started" at={room.started_at} />],
        ]}
      />
    </Panel>
  );
}

type Rates = Readonly<Record<'sent' | 'delivered' | 'bounced', number>>;

/** Events per second, from the difference of two readings. A new quarter of an hour begins the count anew. */
function useRates(room: Room | undefined): Rates | undefined {
  const last = useRef<{ readonly room: Room; readonly rates: Rates | undefined }>(undefined);
  if (room === undefined) return undefined;
  const known = last.current;
  if (known?.room === room) return known.rates;
  const seconds = known === undefined ? 0 : (parseTime(room.at).getTime() - parseTime(known.room.at).getTime()) / 1_000;
  const isSame = known !== undefined && known.room.flow.since === room.flow.since && seconds > 0.5;
  const perSecond = (key: keyof Rates): number =>
    known === undefined ? 0 : Math.max(0, (room.flow[key] - known.room.flow[key]) / seconds);
  const rates = isSame
    ? { sent: perSecond('sent'), delivered: perSecond('delivered'), bounced: perSecond('bounced') }
    : known?.rates;
  last.current = { room, rates };
  return rates;
}
