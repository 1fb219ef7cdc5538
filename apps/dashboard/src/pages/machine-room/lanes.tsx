import { Box, Button, Flex, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CirclePause, Clock, Pause, Play, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import { Panel } from '../../parts/panel';
import { say, sayError } from '../../parts/say';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { Countdown, Time } from '../../parts/time';
import styles from './machine-room.module.css';

type Lane = Schema<'LaneResponse'>;

/** The lanes that wait most, with what holds each back, and a button to pause it. */
export function Lanes({ queue }: { readonly queue: Schema<'QueueResponse'> }) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const [pausing, setPausing] = useState<string>();
  const [note, setNote] = useState('');
  const changed = (): void => void client.invalidateQueries({ queryKey: ['machine-room', 'queue'] });
  const resume = useMutation({
    mutationFn: (lane: string) => answer(api.POST('/machine-room/queue/resume', { body: { lane } })),
    onSuccess: ({ lane }) => {
      say(t('machine-room:resumed', { lane: siteOf(lane) }));
      changed();
    },
    onError: sayError,
  });
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  return (
    <Panel title={t('machine-room:lanes.title')} text={t('machine-room:lanes.text')} flush>
      {queue.lanes.length === 0 ? (
        <p className="quiet" style={{ padding: 16 }}>
          {t('machine-room:lanes.empty')}
        </p>
      ) : (
        <Table<Lane>
          label={t('machine-room:lanes.title')}
          rows={queue.lanes}
          keyOf={({ lane }) => lane}
          columns={[
            {
              id: 'lane',
              label: t('machine-room:lanes.lane'),
              cell: ({ lane }) => (
                <Flex component="span" direction="column" miw={160}>
                  <span className="cut">{siteOf(lane)}</span>
                  <span className="quiet cut">
                    {lane.slice(0, lane.length - siteOf(lane).length).replace(/\/$/, '')}
                  </span>
                </Flex>
              ),
            },
            {
              id: 'state',
              label: t('machine-room:lanes.state'),
              cell: (lane) => <LaneState lane={lane} />,
            },
            {
              id: 'waiting',
              label: t('machine-room:waiting'),
              align: 'end',
              cell: ({ waiting, waiting_is_more: isMore }) => `${number.format(waiting)}${isMore ? '+' : ''}`,
            },
            {
              id: 'rate',
              label: t('machine-room:lanes.rate'),
              align: 'end',
              cell: ({ limits }) => (limits === null ? '–' : `${number.format(limits.per_second)}/s`),
            },
            { id: 'limit', label: t('machine-room:lanes.limit'), cell: (lane) => <LaneLimit lane={lane} /> },
            {
              id: 'actions',
              label: '',
              align: 'end',
              cell: ({ lane, hold }) =>
                hold === null ? (
                  <Button
                    variant="default"
                    h={28}
                    leftSection={<Pause size={13} aria-hidden />}
                    onClick={() => {
                      setNote('');
                      setPausing(lane);
                    }}
                  >
                    {t('machine-room:pause')}
                  </Button>
                ) : (
                  <Button
                    h={28}
                    leftSection={<Play size={13} aria-hidden />}
                    loading={resume.isPending && resume.variables === lane}
                    onClick={() => resume.mutate(lane)}
                  >
                    {t('machine-room:resume')}
                  </Button>
                ),
            },
          ]}
        />
      )}
      <FormModal
        opened={pausing !== undefined}
        close={() => setPausing(undefined)}
        title={t('machine-room:pauseTitle', { lane: siteOf(pausing ?? '') })}
        action={t('machine-room:pause')}
        run={async () => {
          if (pausing === undefined) return;
          const body = { lane: pausing, ...(note.trim() === '' ? {} : { note: note.trim() }) };
          await answer(api.POST('/machine-room/queue/pause', { body }));
          changed();
        }}
      >
        <p className="quiet">{t('machine-room:pauseText')}</p>
        <TextInput
          data-autofocus
          label={t('machine-room:note')}
          maxLength={200}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </FormModal>
    </Panel>
  );
}

function LaneState({ lane }: { readonly lane: Lane }) {
  const { t } = useTranslation();
  if (lane.hold !== null) {
    return <StatusBadge tone="wait" icon={CirclePause} label={t('machine-room:lanes.held')} />;
  }
  if (lane.pause !== null) return <StatusBadge tone="bad" icon={TriangleAlert} label={t('machine-room:lanes.down')} />;
  if (lane.limits !== null) return <StatusBadge tone="info" icon={Clock} label={t('machine-room:lanes.limited')} />;
  if (lane.worker_id === null && lane.waiting > 0) {
    return <StatusBadge tone="info" icon={Clock} label={t('machine-room:lanes.waits')} />;
  }
  return <StatusBadge tone="good" icon={CircleCheck} label={t('machine-room:lanes.flows')} />;
}

function LaneLimit({ lane }: { readonly lane: Lane }) {
  const { t } = useTranslation();
  const { hold, pause, limits } = lane;
  if (hold !== null) {
    return (
      <Box miw={200} maw={460}>
        {t('machine-room:lanes.heldSince')} <Time at={hold.since} />
        {hold.note === null ? null : <div className="quiet">{hold.note}</div>}
      </Box>
    );
  }
  if (pause !== null) {
    return (
      <Box miw={200} maw={460}>
        <Countdown to={pause.until} before={t('machine-room:lanes.again')} ended={t('machine-room:lanes.now')} />
        <div className={styles.reply} title={pause.reason}>
          {pause.reason}
        </div>
      </Box>
    );
  }
  if (limits === null) return <span className="quiet">–</span>;
  const { connections, messages_per_minute: rate, narrowed } = limits;
  const shown = limits.held_by === 'rate_limit' ? rate : connections;
  return (
    <Box miw={200} maw={460}>
      {t(`machine-room:lanes.by.${limits.held_by}`, { current: shown.current, most: shown.most })}
      {narrowed === null ? null : (
        <div className={styles.reply} title={narrowed.reply}>
          <Time at={narrowed.at} /> {narrowed.reply}
        </div>
      )}
    </Box>
  );
}

/** The part of a lane's name that people know: the site. */
function siteOf(lane: string): string {
  return lane.split('/').slice(2).join('/') || lane;
}
