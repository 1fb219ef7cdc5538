import { NumberInput, SegmentedControl, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './broadcasts.module.css';
import type { BroadcastOptions } from './use-broadcast-draft';

const ways = ['all', 'first_share', 'subject_test', 'local_time'] as const;
type Way = (typeof ways)[number];
type Fields = Readonly<Record<string, unknown>>;

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
const beginnings: Readonly<Record<Exclude<Way, 'all'>, () => Fields>> = {
  first_share: () => ({ percent: 10, wait_minutes: 60 }),
  subject_test: () => ({ subjects: [], share_percent: 20, wait_minutes: 120, winner: 'clicks' }),
  local_time: () => ({ property: '', time_zone: zone() }),
};

interface BroadcastOptionsProps {
  readonly options: BroadcastOptions;
  readonly change: (options: BroadcastOptions) => void;
  readonly readOnly: boolean;
}

/** How it is sent. Only one way can be used; a pace goes with each. */
export function BroadcastOptionsForm({ options, change, readOnly }: BroadcastOptionsProps) {
  const { t } = useTranslation();
  const way: Way = ways.find((name) => name !== 'all' && options[name] !== undefined) ?? 'all';
  const pace = options.throttle_per_hour === undefined ? {} : { throttle_per_hour: options.throttle_per_hour };
  const fields = (options[way] ?? {}) as Fields;
  const put = (name: string, value: unknown): void => {
    const { [name]: _before, ...others } = fields;
    change({ ...pace, [way]: value === '' ? others : { ...others, [name]: value } });
  };
  const number = (name: string, max: number, suffix = '') => (
    <NumberInput
      label={t(`broadcasts:option.${name}`)}
      value={(fields[name] as number | undefined) ?? ''}
      min={1}
      max={max}
      suffix={suffix}
      allowDecimal={name.startsWith('max_')}
      readOnly={readOnly}
      hideControls
      onChange={(value) => put(name, value)}
    />
  );
  return (
    <div className={styles.options}>
      <NumberInput
        label={t('broadcasts:option.throttle_per_hour')}
        description={t('broadcasts:option.throttleText')}
        placeholder={t('broadcasts:option.noThrottle')}
        value={(options.throttle_per_hour as number | undefined) ?? ''}
        min={1}
        max={100_000_000}
        allowDecimal={false}
        thousandSeparator=" "
        readOnly={readOnly}
        hideControls
        onChange={(value) => {
          const { throttle_per_hour: _before, ...others } = options;
          change(value === '' ? others : { ...others, throttle_per_hour: value });
        }}
      />
      <Stack gap={8} align="flex-start" maw="100%">
        <SegmentedControl
          aria-label={t('broadcasts:option.way')}
          value={way}
          readOnly={readOnly}
          onChange={(next) => change(next === 'all' ? pace : { ...pace, [next]: beginnings[next]() })}
          data={ways.map((value) => ({ value, label: t(`broadcasts:option.ways.${value}`) }))}
        />
        <p className="quiet">{t(`broadcasts:option.texts.${way}`)}</p>
      </Stack>
      {way === 'first_share' ? (
        <div className={styles.pair}>
          {number('percent', 99, ' %')}
          {number('wait_minutes', 10_080)}
          {number('max_bounce_percent', 100, ' %')}
          {number('max_complaint_percent', 100, ' %')}
        </div>
      ) : null}
      {way === 'subject_test' ? (
        <>
          <TagsInput
            label={t('broadcasts:option.subjects')}
            description={t('broadcasts:option.subjectsText')}
            value={(fields.subjects as string[] | undefined) ?? []}
            maxTags={4}
            splitChars={[]}
            readOnly={readOnly}
            acceptValueOnBlur
            onChange={(subjects) => put('subjects', subjects)}
          />
          <div className={styles.pair}>
            {number('share_percent', 99, ' %')}
            {number('wait_minutes', 10_080)}
            <Select
              label={t('broadcasts:option.winner')}
              data={['clicks', 'opens'].map((value) => ({ value, label: t(`broadcasts:option.winners.${value}`) }))}
              value={fields.winner as string}
              allowDeselect={false}
              readOnly={readOnly}
              onChange={(winner) => put('winner', winner)}
            />
          </div>
        </>
      ) : null}
      {way === 'local_time' ? (
        <div className={styles.pair}>
          {(['property', 'time_zone'] as const).map((name) => (
            <TextInput
              key={name}
              label={t(`broadcasts:option.${name}`)}
              value={(fields[name] as string | undefined) ?? ''}
              placeholder={name === 'property' ? 'time_zone' : 'Europe/Berlin'}
              spellCheck={false}
              readOnly={readOnly}
              onChange={(event) => put(name, event.currentTarget.value)}
            />
          ))}
        </div>
      ) : null}
    </div>
  );
}
