import { Button, Popover, TextInput, UnstyledButton } from '@mantine/core';
import { CalendarRange, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import filters from '../../list/filters.module.css';
import { chosenSpan, type MetricSpan } from '../../logic/metric-ranges';
import { momentOfWallClock, wallClockText } from '../../logic/zoned-days';
import { localeOf } from '../../words/words';
import styles from './charts.module.css';

interface SpanPickerProps {
  readonly chosen: MetricSpan | undefined;
  /** What is shown now; the fields begin with it. */
  readonly shown: MetricSpan;
  readonly timeZone: string;
  readonly choose: (from: string | undefined, to: string | undefined) => void;
}

/** A span of time of one's own: typed here, or dragged over a chart. Where there is one, it is shown with the way back. */
export function SpanPicker({ chosen, shown, timeZone, choose }: SpanPickerProps) {
  const { t, i18n } = useTranslation();
  const [opened, setOpened] = useState(false);
  const format = new Intl.DateTimeFormat(localeOf(i18n.language), {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
  const text =
    chosen?.to === undefined ? undefined : format.formatRange(Date.parse(chosen.from), Date.parse(chosen.to));
  return (
    <span className={text === undefined ? undefined : filters.chip}>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          {text === undefined ? (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<CalendarRange size={14} aria-hidden />}
              onClick={() => setOpened(!opened)}
            >
              {t('metrics:span.own')}
            </Button>
          ) : (
            <UnstyledButton className={filters.chipText} onClick={() => setOpened(!opened)}>
              <CalendarRange size={13} aria-hidden />
              <span className={filters.value}>{text}</span>
            </UnstyledButton>
          )}
        </Popover.Target>
        <Popover.Dropdown aria-label={t('metrics:span.own')}>
          {opened ? (
            <SpanForm
              shown={shown}
              timeZone={timeZone}
              choose={(from, to) => {
                setOpened(false);
                choose(from, to);
              }}
            />
          ) : null}
        </Popover.Dropdown>
      </Popover>
      {text === undefined ? null : (
        <UnstyledButton
          className={filters.remove}
          aria-label={t('metrics:span.back')}
          onClick={() => choose(undefined, undefined)}
        >
          <X size={12} aria-hidden />
        </UnstyledButton>
      )}
    </span>
  );
}

function SpanForm({ shown, timeZone, choose }: Omit<SpanPickerProps, 'chosen'>) {
  const { t } = useTranslation();
  const [from, setFrom] = useState(() => wallClockText(new Date(shown.from), timeZone));
  const [to, setTo] = useState(() => wallClockText(shown.to === undefined ? new Date() : new Date(shown.to), timeZone));
  const momentOf = (text: string): string => (text === '' ? '' : momentOfWallClock(text, timeZone).toISOString());
  const isSpan = chosenSpan(momentOf(from), momentOf(to)) !== undefined;
  return (
    <form
      className={styles.span}
      onSubmit={(event) => {
        event.preventDefault();
        if (isSpan) choose(momentOf(from), momentOf(to));
      }}
    >
      <TextInput
        data-autofocus
        type="datetime-local"
        label={t('metrics:span.from')}
        description={timeZone}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={t('metrics:span.to')}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        error={isSpan ? undefined : t('metrics:span.none')}
      />
      <Button type="submit" disabled={!isSpan}>
        {t('metrics:span.show')}
      </Button>
    </form>
  );
}
